import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

import { sql } from 'kysely'
import { expect, onTestFinished, it } from 'vitest'

import { type Database, openDatabase } from '../../src/database/database.ts'
import { migrate, type SchemaQueries } from '../../src/database/migrate.ts'
import { bytesOf } from '../support/bridge/search-database.ts'
import { createSqliteDatabase } from '../support/database/databases.ts'
import { open } from '../support/database/open.ts'

async function pragma(database: Database<unknown>, name: string): Promise<unknown> {
  const { rows } = await sql<object>`pragma ${sql.raw(name)}`.execute(database.queries)
  return Object.values(rows[0] ?? {})[0]
}

function fileOf(url: string): string {
  return url.slice('file:'.length)
}

it('created files and folders are readable by their owner only', async () => {
  const url = createSqliteDatabase()
  const database = await open(url)
  await sql`create table things (id integer)`.execute(database.queries)
  const folder = path.dirname(fileOf(url))
  const modes = readdirSync(folder).map((name) => [
    name,
    statSync(path.join(folder, name)).mode & 0o777,
  ])
  expect(Object.fromEntries(modes)).toEqual({
    'bridge.sqlite': 0o600,
    'bridge.sqlite-shm': 0o600,
    'bridge.sqlite-wal': 0o600,
  })
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

it('a failed transaction reports its cause, even if SQLite has already rolled it back', async () => {
  const database = await open(createSqliteDatabase())
  const failing = database.queries.transaction().execute(async (transaction) => {
    await sql`rollback`.execute(transaction)
    throw new Error('the disk is full')
  })
  await expect(failing).rejects.toThrow('the disk is full')
  expect((await sql`select 1 as one`.execute(database.queries)).rows).toEqual([{ one: 1 }])
})

it('continuing after a statement without room writes nothing and gets the reason', async () => {
  const database = await open(createSqliteDatabase())
  await sql`create table things (text text)`.execute(database.queries)
  await sql`pragma max_page_count = 20`.execute(database.queries)
  const write = (queries: SchemaQueries, text: string): Promise<unknown> =>
    sql`insert into things values (${text})`.execute(queries)
  const lost = database.queries.transaction().execute(async (transaction) => {
    await write(transaction, 'before')
    await write(transaction, 'large'.repeat(50_000)).catch(() => undefined)
    await write(transaction, 'after')
  })
  const later = write(database.queries, 'later')
  await expect(lost).rejects.toMatchObject({ code: 'unavailable' })
  await later
  const { rows } = await sql`select text from things`.execute(database.queries)
  expect(rows).toEqual([{ text: 'later' }])
})

it('a full disk is reported with file and reason when the tables are created', async () => {
  const database = await open(createSqliteDatabase())
  await sql`pragma max_page_count = 1`.execute(database.queries)
  const history = { table: 'steps', migrations: [] }
  await expect(migrate(database, history)).rejects.toThrow(
    `The database ${database.file} cannot be used: database or disk is full.`,
  )
})

it('an existing file keeps its mode', async () => {
  const url = createSqliteDatabase()
  await (await openDatabase(url)).close()
  chmodSync(fileOf(url), 0o640)
  await open(url)
  expect(statSync(fileOf(url)).mode & 0o777).toBe(0o640)
})

it('a committed transaction is on disk, references hold, and SQLite itself does not wait', async () => {
  const database = await open(createSqliteDatabase())
  expect(await pragma(database, 'journal_mode')).toBe('wal')
  expect(await pragma(database, 'synchronous')).toBe(2)
  expect(await pragma(database, 'foreign_keys')).toBe(1)
  expect(await pragma(database, 'busy_timeout')).toBe(0)
})

it('no byte of deleted or changed data remains in the file or its log', async () => {
  const url = createSqliteDatabase()
  const database = await open(url)
  const { queries } = database
  await sql`create table things (id integer primary key, text text)`.execute(queries)
  const text = (id: number, word: string): string => `${word} ${id} `.padEnd((id * 37) % 3000, '.')
  for (let id = 1; id <= 400; id += 1) {
    await sql`insert into things values (${id}, ${text(id, 'first')})`.execute(queries)
    if (id % 3 > 0) continue
    await sql`update things set text = ${text(id, 'second')} where id = ${id / 3}`.execute(queries)
    await sql`delete from things where id = ${id / 2}`.execute(queries)
  }
  expect(await database.emptyLog(0)).toBe(true)
  const { rows } = await sql<{ text: string }>`select text from things`.execute(queries)
  const standing = rows.map((row) => /\w+ \d+/.exec(row.text)?.[0])
  const bytes = await bytesOf(url)
  const found = new Set(bytes.match(/(?:first|second) \d+/g))
  expect(found).toEqual(new Set(standing))
})

it('emptying the log gives up at once while others read', async () => {
  const url = createSqliteDatabase()
  const database = await open(url)
  await sql`create table things (id integer)`.execute(database.queries)
  const reader = new DatabaseSync(fileOf(url))
  onTestFinished(() => reader.close())
  reader.exec('begin')
  reader.prepare('select * from things').all()
  await sql`insert into things values (1)`.execute(database.queries)
  expect(await database.emptyLog(0)).toBe(false)
  reader.exec('commit')
  expect(await database.emptyLog(0)).toBe(true)
  expect(statSync(`${fileOf(url)}-wal`).size).toBe(0)
})

it('a file: URL with slashes names the same file', async () => {
  const url = createSqliteDatabase()
  const first = await open(url)
  await sql`create table things (id integer)`.execute(first.queries)
  const second = await open(pathToFileURL(fileOf(url)).href)
  expect((await sql`select * from things`.execute(second.queries)).rows).toEqual([])
})

it('a relative path starts at the working directory', async () => {
  const url = createSqliteDatabase()
  await open(`file:${path.relative(process.cwd(), fileOf(url))}`)
  expect(statSync(fileOf(url)).isFile()).toBe(true)
})

it.each([
  ['a folder', (file: string) => mkdirSync(file, { recursive: true })],
  ['no database', (file: string) => writeText(file)],
  ['below a file', (file: string) => writeText(path.dirname(file))],
])('a path that is %s is unavailable', async (_, prepare) => {
  const url = createSqliteDatabase()
  prepare(fileOf(url))
  await expect(openDatabase(url)).rejects.toThrow(/^The database .+ cannot be used: .+\.$/)
})

function writeText(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(
    file,
    'This text is longer than the head of an SQLite file, whose hundred bytes say what it is. '.repeat(
      9,
    ),
  )
}

it('a transaction that reads first may write while another process waits to write', async () => {
  const url = createSqliteDatabase()
  const database = await open(url)
  await sql`create table things (id integer)`.execute(database.queries)
  await database.queries.transaction().execute(async (transaction) => {
    await sql`select * from things`.execute(transaction)
    expect(() => writeElsewhere(fileOf(url))).toThrow('database is locked')
    await sql`insert into things values (1)`.execute(transaction)
  })
  writeElsewhere(fileOf(url))
  expect((await sql`select * from things`.execute(database.queries)).rows).toHaveLength(2)
})

function writeElsewhere(file: string): void {
  const program = `
    const { DatabaseSync } = require('node:sqlite')
    new DatabaseSync(${JSON.stringify(file)}).exec('insert into things values (2)')`
  execFileSync(process.execPath, ['-e', program], { stdio: 'pipe' })
}

it('simultaneous writes are committed together, and each resolves once on disk', async () => {
  const url = createSqliteDatabase()
  const { queries } = await open(url)
  await sql`create table things (id integer primary key)`.execute(queries)
  const ids = Array.from({ length: 20 }, (_, index) => index)
  const elsewhere = new DatabaseSync(fileOf(url))
  onTestFinished(() => elsewhere.close())
  const seen = await Promise.all(
    ids.map(async (id) => {
      const insert = sql`insert into things values (${id})`
      await (id % 2 === 0
        ? insert.execute(queries)
        : queries.transaction().execute((transaction) => insert.execute(transaction)))
      return elsewhere.prepare('select count(*) as count from things').get()?.['count']
    }),
  )
  expect(seen).toEqual(ids.map(() => ids.length))
})

it('a failing write among them does not fail the others', async () => {
  const { queries } = await open(createSqliteDatabase())
  await sql`create table things (id integer primary key)`.execute(queries)
  const insert = (id: number) => sql`insert into things values (${id})`
  const results = await Promise.allSettled([
    insert(1).execute(queries),
    insert(1).execute(queries),
    queries.transaction().execute(async (transaction) => {
      await insert(2).execute(transaction)
      throw new Error('thought better of it')
    }),
    queries.transaction().execute((transaction) => insert(3).execute(transaction)),
  ])
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'fulfilled',
  ])
  expect((await sql`select id from things`.execute(queries)).rows).toEqual([{ id: 1 }, { id: 3 }])
})

it('all writers learn when their commit fails, and later ones write again', async () => {
  const { queries } = await open(createSqliteDatabase())
  await sql`create table things (id integer primary key,
    of integer references things (id) deferrable initially deferred)`.execute(queries)
  const insert = (id: number, of: number | null) => sql`insert into things values (${id}, ${of})`
  const results = await Promise.allSettled([
    insert(1, null).execute(queries),
    queries.transaction().execute((transaction) => insert(2, 7).execute(transaction)),
  ])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await insert(3, null).execute(queries)
  expect((await sql`select id from things`.execute(queries)).rows).toEqual([{ id: 3 }])
})

it('a writer that failed because of lost data learns that it was lost', async () => {
  const database = await open(createSqliteDatabase())
  await sql`create table things (text text primary key)`.execute(database.queries)
  await sql`pragma max_page_count = 20`.execute(database.queries)
  const insert = (text: string) =>
    sql`insert into things values (${text})`.execute(database.queries)
  const results = await Promise.allSettled(['one', 'one', 'large'.repeat(50_000)].map(insert))
  const unavailable = { status: 'rejected', reason: { code: 'unavailable' } }
  expect(results).toMatchObject([unavailable, unavailable, unavailable])
})

it('readers wait for no transaction and see nothing of it', async () => {
  const { queries } = await open(createSqliteDatabase())
  await sql`create table things (id integer primary key)`.execute(queries)
  await queries.transaction().execute(async (transaction) => {
    await sql`insert into things values (1)`.execute(transaction)
    expect((await sql`select id from things`.execute(queries)).rows).toEqual([])
    expect((await sql`select id from things`.execute(transaction)).rows).toEqual([{ id: 1 }])
  })
  expect((await sql`select id from things`.execute(queries)).rows).toEqual([{ id: 1 }])
})

it('while another process writes, this one keeps working and writes afterwards', async () => {
  const url = createSqliteDatabase()
  const { queries } = await open(url)
  await sql`create table things (id integer)`.execute(queries)
  const elsewhere = new DatabaseSync(fileOf(url))
  onTestFinished(() => elsewhere.close())
  elsewhere.exec('begin immediate')
  const writing = sql`insert into things values (1)`.execute(queries)
  await new Promise((resolve) => setTimeout(resolve, 1))
  expect((await sql`select * from things`.execute(queries)).rows).toEqual([])
  elsewhere.exec('commit')
  await writing
  expect((await sql`select * from things`.execute(queries)).rows).toEqual([{ id: 1 }])
})
