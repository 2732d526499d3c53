/* The Read API by itself, as a process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'

import { expect, inject, it } from 'vitest'

import { runCommand } from '../support/command-line.ts'

const main = path.resolve(import.meta.dirname, '../../src/main.ts')

it('workforce serve says its base URL, answers with the sample company, refuses a port in use, and ends when it is told to', async () => {
  const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'workforce-'))
  const words = ['workforce', 'serve', '--port', '0', '--database', 'file:./w.sqlite', '--json']
  const child = spawn(process.execPath, [main, ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { url } = JSON.parse(line) as { url: string }
  const user = await fetch(`${url}/api/public/v1/users/usr_ada`)
  expect(await user.json()).toMatchObject({ data: { id: 'usr_ada', firstName: 'Ada' } })
  const port = new URL(url).port
  const second = await runCommand({}, 'workforce', 'serve', '--port', port)
  expect([second.code, second.output]).toEqual([1, ''])
  expect(second.errors.trim().split('\n')).toHaveLength(1)
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
})
