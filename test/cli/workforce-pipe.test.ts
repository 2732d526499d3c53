/* A company that goes from one process to the next by standard output and input. */
import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

import { expect, inject, it } from 'vitest'

const main = path.resolve(import.meta.dirname, '../../src/main.ts')

it('import reads what sample writes', async () => {
  const cwd = await mkdtemp(path.join(inject('temporaryFolder'), 'pipe-'))
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const bridge = `"${process.execPath}" "${main}" workforce`
  const database = '--database file:./workforce.sqlite'
  const { stdout } = await promisify(execFile)(
    '/bin/sh',
    ['-c', `${bridge} sample --users 40 | ${bridge} import - --company acme --json ${database}`],
    { cwd, env: { PATH, NODE_COMPILE_CACHE } },
  )
  expect(JSON.parse(stdout)).toMatchObject({ companyId: 'acme', changed: true, users: 40 })
})
