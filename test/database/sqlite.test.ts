import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { sql } from 'kysely'
import { expect, onTestFinished, it } from 'vitest'

import { type Database, openDatabase } from '../../src/database/database.ts'
import { createSqliteDatabase } from '../support/databases.ts'

async function open(url: string): Promise<Database<unknown>> {
  const database = await openDatabase(url)
  onTestFinished(() => database.close())
  return database
}

async function pragma(database: Database<unknown>, name: string): Promise<unknown> {
  const { rows } = await sql<object>`pragma ${sql.raw(name)}`.execute(database.queries)
  return Object.values(rows[0] ?? {})[0]
}

function fileOf(url: string): string {
  return url.slice('file:'.length)
}

it('files and the folder that are made can be read by their owner only', async () => {
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

it('a file that is there keeps its mode', async () => {
  const url = createSqliteDatabase()
  await (await openDatabase(url)).close()
  chmodSync(fileOf(url), 0o640)
  await open(url)
  expect(statSync(fileOf(url)).mode & 0o777).toBe(0o640)
})

it('a written transaction is on the disk, references hold, other processes are waited for', async () => {
  const database = await open(createSqliteDatabase())
  expect(await pragma(database, 'journal_mode')).toBe('wal')
  expect(await pragma(database, 'synchronous')).toBe(2)
  expect(await pragma(database, 'foreign_keys')).toBe(1)
  expect(await pragma(database, 'busy_timeout')).toBe(5000)
})

it('a file: URL with slashes names the same file', async () => {
  const url = createSqliteDatabase()
  const first = await open(url)
  await sql`create table things (id integer)`.execute(first.queries)
  const second = await open(pathToFileURL(fileOf(url)).href)
  expect((await sql`select * from things`.execute(second.queries)).rows).toEqual([])
})

it('a relative path begins at the working directory', async () => {
  const url = createSqliteDatabase()
  await open(`file:${path.relative(process.cwd(), fileOf(url))}`)
  expect(statSync(fileOf(url)).isFile()).toBe(true)
})

it.each([
  ['a folder', (file: string) => mkdirSync(file, { recursive: true })],
  ['no database', (file: string) => writeText(file)],
  ['below a file', (file: string) => writeText(path.dirname(file))],
])('what is %s is unavailable', async (_, prepare) => {
  const url = createSqliteDatabase()
  prepare(fileOf(url))
  await expect(openDatabase(url)).rejects.toThrow(/^The database is not available \(.+\)\.$/)
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

it('a transaction that reads first may write although another process waits to write', async () => {
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
