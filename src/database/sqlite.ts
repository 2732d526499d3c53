import { closeSync, openSync } from 'node:fs'
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
import { makeFolder } from './make-folder.ts'
import { SharedCommitDriver } from './shared-commit.ts'
import { onceFree, SqliteConnection, translating } from './sqlite-connection.ts'
import { sqliteFile } from './sqlite-files.ts'

/** Opens the file of `file:…`, created with mode 0600 if missing; fails with `unavailable` if that fails. */
export async function openSqlite(url: string): Promise<Driven> {
  const file = sqliteFile(url)
  const database = translating(() => openFile(file))
  await onceFree(() => translating(() => setUp(database)))
  // A separate reader waits for no transaction, and sees none that is still open.
  const reader = translating(() => new DatabaseSync(file, { readOnly: true, timeout: 0 }))
  return { ...driven(database, reader), closeReads: async () => reader.close() }
}

/** Opens a database in memory only; closing it deletes it. */
export function openMemory(): Driven {
  const database = new DatabaseSync(':memory:')
  // Not in temporary files either.
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
    // Transactions serialize themselves: each begins with SQLite's only write lock.
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

/** Kysely makes all queries wait for each other if the adapter supports only one connection. */
class SeveralConnections extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** SQLite gives the write-ahead log and its index the mode of the database file. */
function openFile(file: string): DatabaseSync {
  makeFolder(path.dirname(file))
  closeSync(openSync(file, 'a', 0o600))
  return new DatabaseSync(file, { timeout: 0 })
}

function setUp(database: DatabaseSync): void {
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = full')
  // Overwrites what is deleted from a table; an index may keep a key of it until the file is rewritten.
  database.exec('pragma secure_delete = on')
}

/** Pause between two attempts to empty the log. */
const pauseMs = 50

/** Writes the write-ahead log into the file and empties it; false if others read or wrote all that time. */
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
