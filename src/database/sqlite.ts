import { closeSync, mkdirSync, openSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

import {
  type Dialect,
  type Kysely,
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

import type { Driven } from './driver.ts'
import { LastWrite } from './faults.ts'
import { SharedCommitDriver } from './shared-commit.ts'
import { onceFree, SqliteConnection, translating } from './sqlite-connection.ts'
import { sqliteFile } from './sqlite-files.ts'

/** The file that `file:…` names, made where missing with mode 0600; `unavailable` where that fails. */
export async function openSqlite(url: string): Promise<Driven> {
  const file = sqliteFile(url)
  const database = translating(() => openFile(file))
  await onceFree(() => translating(() => setUp(database)))
  // Who only reads waits for no transaction, and sees none that is under way.
  const reader = translating(() => new DatabaseSync(file, { readOnly: true, timeout: 0 }))
  return { ...driven(database, reader), closeReads: async () => reader.close() }
}

/** A database that is in memory alone, and gone when it is closed. */
export function openMemory(): Driven {
  const database = new DatabaseSync(':memory:')
  // Nor in temporary files.
  database.exec('pragma temp_store = memory')
  return driven(database, database)
}

function driven(database: DatabaseSync, reading: DatabaseSync): Driven {
  const lastWrite = new LastWrite()
  const reader = new SqliteConnection(reading)
  const writer = new SqliteConnection(database)
  return {
    dialect: dialectOf(() => new SharedCommitDriver(writer, reader, lastWrite)),
    lastWrite,
    prepare: (text) => {
      const read = reader.prepare(text)
      return (values) => onceFree(() => read(values))
    },
    closeReads: async () => undefined,
    // Transactions take turns by themselves: each begins with the one lock that there is.
    takeTurn: () => Promise.resolve(),
    shareTurn: () => Promise.resolve(),
  }
}

function dialectOf(createDriver: Dialect['createDriver']): Dialect {
  return {
    createDriver,
    createAdapter: () => new SeveralConnections(),
    createIntrospector: (queries) => new SqliteIntrospector(queries),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** Kysely has everyone wait for everyone else where there is but one connection. */
class SeveralConnections extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** SQLite gives the write-ahead log and its index the mode of the database file. */
function openFile(file: string): DatabaseSync {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
  return new DatabaseSync(file, { timeout: 0 })
}

function setUp(database: DatabaseSync): void {
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = full')
  // What is deleted from a table is overwritten (an index may keep a key of it until the file is written again).
  database.exec('pragma secure_delete = on')
}

/** Between two attempts to empty the log. */
const pauseMs = 50

/** Writes the write-ahead log into the file and empties it; false if others kept reading or writing. */
export async function emptySqliteLog<Schema>(
  queries: Kysely<Schema>,
  forMs: number,
): Promise<boolean> {
  const until = performance.now() + forMs
  for (;;) {
    const emptying = sql<{ busy: number }>`pragma wal_checkpoint(truncate)`
    const { rows } = await emptying.execute(queries)
    if (rows[0]?.busy === 0) return true
    if (performance.now() >= until) return false
    await pause(pauseMs)
  }
}
