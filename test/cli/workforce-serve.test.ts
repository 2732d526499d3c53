/* The Read API by itself, as a process. */
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'

import { expect, inject, it } from 'vitest'

import { runCommand } from '../support/bridge/command-line.ts'
import { spawnProgram } from '../support/bridge/program.ts'

it('serve prints its URL, serves the sample company, refuses a used port and stops on SIGTERM', async () => {
  const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'workforce-'))
  const words = ['workforce', 'serve', '--port', '0', '--database', 'file:./w.sqlite', '--json']
  const child = spawnProgram(words, { folder })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { url } = JSON.parse(line) as { url: string }
  const user = await fetch(`${url}/api/public/v1/users/usr_ada`)
  expect(await user.json()).toMatchObject({ data: { id: 'usr_ada', firstName: 'Ada' } })
  const second = await runCommand({}, 'workforce', 'serve', '--port', new URL(url).port)
  expect([second.code, second.output]).toEqual([1, ''])
  expect(second.errors.trim().split('\n')).toHaveLength(1)
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
})

it('Each key gets the answers of its own company, and only the admin token opens the controls', async () => {
  const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'workforce-'))
  const words = ['workforce', 'serve', '--port', '0', '--database', 'file:./w.sqlite']
  const environment = { WORKFORCE_SANDBOX_KEYS: 'of-main=main,of-acme=acme' }
  const child = spawnProgram(words, { folder, environment })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const first = String((await lines.next()).value)
  const url = /^The Read API is running. WORKFORCE_BASE_URL=(.*)$/.exec(first)?.[1] ?? ''
  const said = `Try its operations at ${url}/docs, and change its records at ${url}/sandbox.`
  expect((await lines.next()).value).toBe(said)
  expect((await lines.next()).value).toMatch(/^The admin token is in .*admin-token\.$/)
  const statusOf = async (address: string, token: string): Promise<number> =>
    (await fetch(`${url}${address}`, { headers: { Authorization: `Bearer ${token}` } })).status
  expect(await statusOf('/api/public/v1/users/usr_ada', 'of-main')).toBe(200)
  expect(await statusOf('/api/public/v1/users/usr_ada', 'of-acme')).toBe(404)
  expect(await statusOf('/sandbox/companies', 'of-main')).toBe(401)
  const adminToken = await readFile(path.join(folder, 'data', 'admin-token'), 'utf8')
  expect(await statusOf('/sandbox/companies', adminToken.trim())).toBe(200)
  child.kill('SIGTERM')
  await once(child, 'exit')
})
