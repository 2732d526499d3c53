/* Files that a command cannot write or read are said in one sentence. */
import { truncateSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { describe, expect, inject, it } from 'vitest'

import { tableBytesMax } from '../../src/feeds/bulk/read-table.ts'
import { runCommand } from '../support/bridge/command-line.ts'
import { migratedSqliteDatabase } from '../support/database/databases.ts'

it.each([
  ['export', '--user', 'usr_ada'],
  ['workforce', 'sample'],
])('%s … to a missing folder is reported in one sentence', async (...words) => {
  const { code, output, errors } = await runCommand({}, ...words, '--output', '/no/folder/x')
  expect([code, output, errors]).toEqual([
    1,
    '',
    'The file /no/folder/x cannot be written: no such file or directory.\n',
  ])
})

describe('backup', () => {
  const database = (): string => migratedSqliteDatabase()
  const backUp = (url: string, file: string): ReturnType<typeof runCommand> =>
    runCommand({ DATABASE_URL: url, ADMIN_TOKEN: 'x'.repeat(20) }, 'backup', '--output', file)

  it('Refuses an existing file and leaves it unchanged', async () => {
    const url = database()
    const file = `${url.slice('file:'.length)}.backup`
    await writeFile(file, 'before')
    const { code, errors } = await backUp(url, file)
    expect([code, errors]).toEqual([
      1,
      `The file ${file} exists already, and no backup replaces one.\n`,
    ])
    expect(await readFile(file, 'utf8')).toBe('before')
  })

  it.each([
    ['a folder that is not there', database, '/no/x', 'The file /no/x cannot be written: no such'],
    ['no database', () => 'file:/no/bridge.sqlite', '/tmp/x', 'at /no/bridge.sqlite: there is no'],
    ['a folder', () => 'file:/tmp', '/tmp/x', 'There is no database at /tmp: it is a folder.'],
    ['a file without tables', emptyDatabase, '/tmp/x', '.sqlite: the file holds no tables.'],
    ['PostgreSQL', () => 'postgres://a:hidden@127.0.0.1:1/b', '/tmp/x', 'program: pg_dump'],
  ])('Reports %s in one sentence', async (_, url, file, sentence) => {
    const { code, errors } = await backUp(url(), file)
    expect([code, errors]).toEqual([1, expect.stringContaining(sentence)])
    expect(errors.split('\n')).toHaveLength(2)
  })

  it('Refuses standard output as its target', async () => {
    expect((await backUp(database(), '-')).code).toBe(2)
  })
})

/** As a mistyped address leaves one behind. */
function emptyDatabase(): string {
  const url = migratedSqliteDatabase()
  truncateSync(url.slice('file:'.length))
  return url
}

function sampleTo(file: string): ReturnType<typeof runCommand> {
  return runCommand({}, 'workforce', 'sample', '--output', file)
}

it('A written file is private to its owner, even if it was not before, and no other file remains', async () => {
  const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'files-'))
  const file = path.join(folder, 'loose.json')
  await writeFile(file, 'before')
  await chmod(file, 0o666)
  expect((await sampleTo(file)).code).toBe(0)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readFile(file, 'utf8')).toContain('usr_ada')
  expect(await readdir(folder)).toEqual(['loose.json'])
})

it('Nothing is written through a symbolic link, whatever its target, not even a backup', async () => {
  const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'files-'))
  const [file, link] = [path.join(folder, 'file'), path.join(folder, 'link')]
  const [nowhere, dangling] = [path.join(folder, 'nowhere'), path.join(folder, 'dangling')]
  await writeFile(file, 'before')
  await symlink(file, link)
  await symlink(nowhere, dangling)
  const calendar = ['export', '--user', 'usr_ada', '--output']
  for (const one of [link, dangling]) {
    const { code, output, errors } = await runCommand({}, ...calendar, one)
    expect([code, output, errors]).toEqual([
      1,
      '',
      `The file ${one} is a symbolic link, and links are not followed: name the file itself, or - for standard output.\n`,
    ])
    expect((await sampleTo(one)).code).toBe(1)
    const environment = { DATABASE_URL: migratedSqliteDatabase(), ADMIN_TOKEN: 'x'.repeat(20) }
    expect((await runCommand(environment, 'backup', '--output', one)).code).toBe(1)
  }
  expect(await readFile(file, 'utf8')).toBe('before')
  expect((await readdir(folder)).toSorted()).toEqual(['dangling', 'file', 'link'])
  const { code } = await runCommand({}, ...calendar, path.join(folder, 'ada.ics'))
  expect([code, (await stat(path.join(folder, 'ada.ics'))).mode & 0o777]).toEqual([0, 0o600])
})

it('A target that cannot be written completely stays as it was', async () => {
  const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'files-'))
  expect((await sampleTo(folder)).errors).toBe(
    `The file ${folder} cannot be written: illegal operation on a directory.\n`,
  )
  expect(await readdir(folder)).toEqual([])
  expect((await sampleTo('/dev/full')).errors).toBe(
    'The file /dev/full cannot be written: no space left on device.\n',
  )
  expect((await sampleTo('/dev/null')).code).toBe(0)
})

it.each([
  ['99999', '0 to 65535'],
  ['x', 'a whole number'],
])('%s is not a valid port', async (port, says) => {
  const { code, errors } = await runCommand({}, 'workforce', 'serve', '--port', port)
  expect([code, errors]).toEqual([2, expect.stringContaining(says)])
})

async function table(text: string, encoding: BufferEncoding): Promise<string> {
  const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'files-'))
  const file = path.join(folder, 'people.csv')
  await writeFile(file, text, encoding)
  return file
}

it('A table that is not UTF-8 is refused with advice on how to save it', async () => {
  const file = await table('userId,name\nusr_ada,Zoë\n', 'latin1')
  const { code, output, errors } = await runCommand({}, 'feed', 'create', '--from', file)
  expect([code, output]).toEqual([1, ''])
  expect(errors).toMatch(/^The file .* is not UTF-8: save it as CSV UTF-8\.\n$/)
})

it('Another file that is not UTF-8 is refused with advice on how to save it', async () => {
  const file = await table('{"name": "Zoë"}', 'latin1')
  const { code, output, errors } = await runCommand({}, 'workforce', 'import', file)
  expect([code, output]).toEqual([1, ''])
  expect(errors).toMatch(/^The file .* is not UTF-8; save it as UTF-8\.\n$/)
})

it('Unknown columns are named, but not the e-mail column', async () => {
  const file = await table('userId,Team,email\nusr_ada,Ada,\n', 'utf8')
  const { code, errors } = await runCommand({}, 'feed', 'create', '--from', file)
  expect([code, errors]).toEqual([0, expect.stringContaining('are ignored: Team.\n')])
})

it.each([
  ['/nowhere.csv', 'no such file or directory'],
  ['/', 'illegal operation on a directory'],
])('%s is not a readable table', async (file, reason) => {
  const { code, errors } = await runCommand({}, 'feed', 'create', '--from', file)
  expect([code, errors]).toEqual([1, `The file ${file} cannot be read: ${reason}.\n`])
})

it('A table larger than the API allows is refused by its size, even an endless one', async () => {
  const large = await table(`userId\n${'x'.repeat(tableBytesMax)}`, 'utf8')
  for (const words of [
    ['feed', 'create'],
    ['feed', 'revoke'],
  ]) {
    const { code, errors } = await runCommand({}, ...words, '--from', large)
    expect([code, errors]).toEqual([
      1,
      `The file ${large} is too large: at most 4194304 bytes; split it.\n`,
    ])
  }
  const { code, errors } = await runCommand({}, 'feed', 'create', '--from', '/dev/zero')
  expect([code, errors]).toEqual([1, expect.stringContaining('/dev/zero is too large')])
})

it('A table with more rows than the API allows is refused in one sentence', async () => {
  const long = await table(`userId\n${'usr_ada\n'.repeat(10_001)}`, 'utf8')
  for (const words of [
    ['feed', 'create'],
    ['feed', 'rotate'],
    ['feed', 'revoke'],
  ]) {
    const { code, errors } = await runCommand({}, ...words, '--from', long)
    expect([code, errors]).toEqual([
      1,
      'The table has more than 10000 rows, empty ones included: split it.\n',
    ])
  }
})

it('Thousands of wrong options are reported as a hundred and a count', async () => {
  const members = Array.from({ length: 5000 }, (_, index) => `"k${index}":1`).join(',')
  const words = ['feed', 'create', '--user', 'usr_ada', '--options', `{${members}}`]
  const environment = { DATABASE_URL: migratedSqliteDatabase() }
  const { code, errors } = await runCommand(environment, ...words)
  const lines = errors.trim().split('\n')
  expect([code, lines.at(-1)]).toEqual([2, 'The feed is not valid. 4900 more faults are not told.'])
  expect(lines.filter((line) => line.startsWith('--options (k'))).toHaveLength(100)
})
