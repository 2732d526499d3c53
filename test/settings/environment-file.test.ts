/* `.env`: one that is not there is fine, one that cannot be read is not. */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { expect, inject, it } from 'vitest'

import { readEnvironmentFile } from '../../src/settings/environment.ts'
import { runProgram } from '../support/bridge/program.ts'

it('.env is read like Node reads it, and a missing file counts as empty', () => {
  expect(readEnvironmentFile(() => Buffer.from('\uFEFFPORT=1 # one\nAUTH="a#b"\n'))).toEqual({
    PORT: '1',
    AUTH: 'a#b',
  })
  expect(readEnvironmentFile(failing('ENOENT'))).toEqual({})
})

it.each([
  ['EACCES', '.env cannot be read by this account (EACCES).'],
  ['EISDIR', '.env cannot be read by this account (EISDIR).'],
  ['EIO', '.env cannot be read by this account (EIO).'],
])('an unreadable .env (%s) gives one sentence', (code, sentence) => {
  expect(() => readEnvironmentFile(failing(code))).toThrow(sentence)
})

it('an unreadable .env or a misspelt name in it stops a command, but not the help', async () => {
  const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'env-'))
  await writeFile(path.join(folder, '.env'), 'PUBLIC_ULR=https://a.example\n')
  const misspelt = await runProgram(['feed', 'list'], { folder })
  expect([misspelt.code, misspelt.errors]).toEqual([
    1,
    'PUBLIC_ULR is not a setting; did you mean `PUBLIC_URL`?\n',
  ])
  const other = await mkdtemp(path.join(inject('temporaryFolder'), 'env-'))
  await mkdir(path.join(other, '.env'))
  const unread = await runProgram(['feed', 'list'], { folder: other })
  const said = '.env cannot be read by this account (EISDIR).\n'
  expect([unread.code, unread.errors]).toEqual([1, said])
  expect((await runProgram(['--help'], { folder: other })).code).toBe(0)
})

function failing(code: string): () => never {
  return () => {
    throw Object.assign(new Error('no'), { code })
  }
}
