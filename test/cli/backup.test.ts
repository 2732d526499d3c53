/* Backups in a folder: which remain, and that a copy counts only if it is whole. */
import { copyFile, mkdtemp, mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { expect, inject, it as bareIt } from 'vitest'

import { runCommand } from '../support/bridge/command-line.ts'
import { damageIndex } from '../support/database/damaged.ts'
import { migratedSqliteDatabase } from '../support/database/databases.ts'

const [oldest, older, old] = [1, 2, 3].map((day) => `bridge-2026-01-0${day}T02-00-00Z.sqlite`)
/** Names that only look alike. */
const others = [`${oldest}.gz`, 'bridge-2026-01-01.sqlite', 'bridge.sqlite']

const it = bareIt
  .extend('folder', async () => {
    const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'backups-'))
    for (const name of [oldest!, older!, old!, ...others]) {
      await writeFile(path.join(folder, name), name)
    }
    await mkdir(path.join(folder, 'bridge-2026-01-01T01-00-00Z.sqlite'))
    return folder
  })
  .extend('databaseUrl', () => migratedSqliteDatabase())

const backUp = (databaseUrl: string, ...words: readonly string[]): ReturnType<typeof runCommand> =>
  runCommand({ DATABASE_URL: databaseUrl }, 'backup', ...words, '--json')

it('keeps the newest of its own backups and every other file', async ({ folder, databaseUrl }) => {
  const before = await readdir(folder)
  const first = await backUp(databaseUrl, '--directory', folder)
  const made = JSON.parse(first.output) as { output: string; bytes: number; removed: string[] }
  const { mode, size } = await stat(made.output)
  expect([mode & 0o777, made.bytes, made.removed]).toEqual([0o600, size, []])
  const name = path.basename(made.output)
  expect(name).toMatch(/^bridge-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.sqlite$/)
  expect(new Set(await readdir(folder))).toEqual(new Set([...before, name]))

  const future = 'bridge-2999-01-01T00-00-00Z.sqlite'
  await writeFile(path.join(folder, future), future)
  const second = await backUp(databaseUrl, '--directory', path.join(folder, 'new'), '--keep', '1')
  expect([second.code, (await stat(path.join(folder, 'new'))).mode & 0o777]).toEqual([0, 0o700])
  // Backups of one second would have one name.
  await rm(made.output)
  const third = await backUp(databaseUrl, '--directory', folder, '--keep', '2')
  const { removed, output } = JSON.parse(third.output) as typeof made
  expect(removed.map((file) => path.basename(file))).toEqual([oldest, older, old])
  const remaining = before.filter((one) => ![oldest, older, old].includes(one))
  expect(new Set(await readdir(folder))).toEqual(
    new Set([...remaining, 'new', future, path.basename(output)]),
  )
})

it('removes what a backup that was killed more than a day ago has left', async ({
  folder,
  databaseUrl,
}) => {
  const [killed, journal, running, foreign] = [
    `${old}.0123456789ab.partial`,
    `${old}.0123456789ab.partial-journal`,
    `${old}.ba9876543210.partial`,
    'other.sqlite.0123456789ab.partial',
  ]
  for (const name of [killed, journal, running, foreign]) {
    await writeFile(path.join(folder, name), name)
    const writtenAt = Date.now() / 1000 - (name === running ? 86_000 : 87_000)
    await utimes(path.join(folder, name), writtenAt, writtenAt)
  }
  const { code } = await backUp(databaseUrl, '--directory', folder)
  expect(code).toBe(0)
  const left = (await readdir(folder)).filter((name) => name.includes('.partial'))
  expect(left.toSorted()).toEqual([running, foreign])
})

it('a backup that is used in its place stays', async ({ folder, databaseUrl }) => {
  const used = path.join(folder, oldest!)
  await copyFile(databaseUrl.slice('file:'.length), used)
  const { code } = await backUp(`file:${used}`, '--directory', folder, '--keep', '1')
  expect(code).toBe(0)
  expect(await readdir(folder)).toContain(oldest)
  expect(await readdir(folder)).not.toContain(older)
})

it('a copy that is not whole is removed, and all older ones remain', async ({
  folder,
  databaseUrl,
}) => {
  const file = databaseUrl.slice('file:'.length)
  damageIndex(file)
  const before = await readdir(folder)
  for (const target of [
    ['--directory', folder, '--keep', '1'],
    ['--output', path.join(folder, 'one')],
  ]) {
    const { code, output, errors } = await backUp(databaseUrl, ...target)
    expect([code, output]).toEqual([1, ''])
    expect(errors).toContain(`Nothing was kept: the copy of ${file} is damaged (`)
  }
  expect(await readdir(folder)).toEqual(before)
})

it('a database of another program, or of a newer one, is not backed up as one of this', async ({
  folder,
  databaseUrl,
}) => {
  const file = databaseUrl.slice('file:'.length)
  const database = new DatabaseSync(file)
  const said = async (): Promise<string> =>
    (await backUp(databaseUrl, '--directory', folder)).errors
  database.exec(`insert into bridge_migrations values (9999, 'of tomorrow')`)
  expect(await said()).toContain('was written by a newer version of the program.')
  database.exec(`delete from bridge_migrations where version = 9999;
    update bridge_migrations set name = 'other' where version = 2`)
  expect(await said()).toContain('was written by another program.')
  database.exec('drop table bridge_migrations')
  expect(await said()).toContain('is no database of this program.')
  database.close()
})

it.each([
  [[], 'Give --output FILE or --directory FOLDER.'],
  [['--output', 'x', '--keep', '2'], '--keep needs --directory.'],
  [['--directory', 'x', '--keep', '0'], 'It must be 1 or more.'],
  [['--directory', 'x', '--output', 'y'], "cannot be used with option '--directory"],
])('%j is wrong usage', async (words, sentence) => {
  const { code, errors } = await runCommand({}, 'backup', ...words)
  expect([code, errors]).toEqual([2, expect.stringContaining(sentence)])
})
