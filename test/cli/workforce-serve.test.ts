/* The Read API by itself, as a process. */
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'

import { expect, inject, it } from 'vitest'

import { runCommand } from '../support/command-line.ts'
import { spawnProgram } from '../support/program.ts'

it('workforce serve says its base URL, answers with the sample company, refuses a port in use, and ends when it is told to', async () => {
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
