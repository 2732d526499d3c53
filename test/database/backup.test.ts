import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { sql } from 'kysely'
import { describe, expect, onTestFinished, it } from 'vitest'

import { type Database, openDatabase } from '../../src/database/database.ts'
import { migrate, type Migration } from '../../src/database/migrate.ts'
import { backUpSqlite } from '../../src/database/sqlite-files.ts'
import { createSqliteDatabase } from '../support/database/databases.ts'
import { open } from '../support/database/open.ts'

/** A database of 3,000 pages and more, and its file. */
async function openLarge(): Promise<{ database: Database<unknown>; file: string }> {
  const url = createSqliteDatabase()
  const database = await open(url)
  await sql`create table things (id integer primary key, bytes blob)`.execute(database.queries)
  await sql`insert into things with recursive numbers (n) as
    (select 1 union all select n + 1 from numbers where n < 3000)
    select n, zeroblob(4000) from numbers`.execute(database.queries)
  return { database, file: url.slice('file:'.length) }
}

function countThings(file: string): unknown {
  const database = new DatabaseSync(file, { readOnly: true })
  const [row] = database.prepare('select count(*) as things from things').all()
  database.close()
  return row?.['things']
}

describe('backup', () => {
  it('is a snapshot of one instant, readable by its owner only, with progress', async () => {
    const { file } = await openLarge()
    const other = new DatabaseSync(file)
    onTestFinished(() => other.close())
    const told: number[] = []
    const onPages = (count: number, total: number): void => {
      told.push(count / total)
      other.exec('insert into things (bytes) values (zeroblob(9000))')
    }
    await backUpSqlite(file, `${file}.backup`, { onPages })
    expect(told.length).toBeGreaterThan(2)
    expect(told).toEqual(told.toSorted((a, b) => a - b))
    expect(countThings(`${file}.backup`)).toBe(3000)
    expect(statSync(`${file}.backup`).mode & 0o777).toBe(0o600)
  })

  it('an aborted backup leaves no file', async () => {
    const { file } = await openLarge()
    const ending = new AbortController()
    const onPages = (): void => ending.abort(new Error('enough'))
    const { signal } = ending
    const backup = backUpSqlite(file, `${file}.backup`, { onPages, signal })
    await expect(backup).rejects.toThrow('enough')
    expect(readdirSync(path.dirname(file)).filter((name) => /back|part/.test(name))).toEqual([])
  })

  it('a backup of a file that is not a database reports that', async () => {
    const file = createSqliteDatabase().slice('file:'.length)
    await openDatabase(`file:${file}`).then((database) => database.close())
    writeFileSync(file, 'no database '.repeat(999))
    await expect(backUpSqlite(file, `${file}.backup`)).rejects.toThrow('file is not a database')
    expect(existsSync(`${file}.backup`)).toBe(false)
  })
})

describe('backup before a migration', () => {
  const add = (name: string): Migration => ({
    name,
    up: async ({ schema }) => schema.createTable(name).addColumn('id', 'integer').execute(),
  })
  const history = (...names: string[]): Parameters<typeof migrate>[1] => ({
    table: 'history',
    migrations: names.map(add),
  })

  it('a file with content is backed up, once per version', async () => {
    const url = createSqliteDatabase()
    const database = await open(url)
    const file = url.slice('file:'.length)
    const told: string[] = []
    const tell = (backup: string): void => void told.push(backup)
    await migrate(database, history('one'), tell)
    await migrate(database, history('one'), tell)
    expect(told).toEqual([])
    await migrate(database, history('one', 'two', 'three'), tell)
    expect(told).toEqual([`${file}.before-3`])
    expect(database.listBackups()).toEqual(told)
    expect(statSync(told[0]!).mode & 0o777).toBe(0o600)
    const backup = new DatabaseSync(told[0]!, { readOnly: true })
    onTestFinished(() => backup.close())
    expect(backup.prepare('select name from history').all()).toEqual([{ name: 'one' }])
  })

  it('an existing backup is kept, since it is of an older state', async () => {
    const url = createSqliteDatabase()
    const database = await open(url)
    const backup = `${url.slice('file:'.length)}.before-2`
    await migrate(database, history('one'))
    writeFileSync(backup, 'older')
    await migrate(database, history('one', 'two'))
    expect(readFileSync(backup, 'utf8')).toBe('older')
  })

  it('a failed backup prevents the migration', async () => {
    const url = createSqliteDatabase()
    const database = await open(url)
    await migrate(database, history('one'))
    const unwritable = { ...database, backUpBefore: () => Promise.reject(new Error('full')) }
    await expect(migrate(unwritable, history('one', 'two'))).rejects.toThrow('full')
    const { rows } = await sql`select name from history`.execute(database.queries)
    expect(rows).toEqual([{ name: 'one' }])
  })

  it('old backups are removed', async () => {
    const url = createSqliteDatabase()
    const database = await open(url)
    const [old, young] = [2, 3].map((version) => `${url.slice('file:'.length)}.before-${version}`)
    for (const file of [old!, young!]) writeFileSync(file, '')
    utimesSync(old!, 1000, 1000)
    database.dropBackups(2_000_000)
    expect(database.listBackups()).toEqual([young])
  })
})
