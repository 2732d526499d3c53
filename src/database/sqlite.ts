import { closeSync, mkdirSync, openSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

import {
  type DialectAdapter,
  type Driver,
  type Kysely,
  sql,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'

import type { Driven, Turns } from './driver.ts'
import { LastWrite, onceFree, asDatabaseError } from './faults.ts'
import { SharedCommitDriver, type TwoDrivers } from './shared-commit.ts'
import { sqliteFile } from './sqlite-files.ts'

const statementsMax = 200
/** Longer ones name many rows, seldom as many again, and take memory by their length. */
const keptLengthMax = 4000
/** Between two attempts to empty the log. */
const pauseMs = 50

/** The file that `file:…` names, made where missing with mode 0600; `unavailable` where that fails. */
export async function openSqlite(url: string): Promise<Driven> {
  const file = sqliteFile(url)
  const database = translating(() => openFile(file))
  await onceFree(() => translating(() => setUp(database)))
  // Prepared reads wait for no transaction, and see none that is under way.
  const reader = translating(() => new DatabaseSync(file, { readOnly: true, timeout: 0 }))
  return { ...driven(database, reader), closeReads: async () => reader.close() }
}

/** A database that is in memory alone, and gone when it is closed. */
export function openMemory(): Driven {
  const database = new DatabaseSync(':memory:')
  // Not in files beside it either.
  database.exec('pragma temp_store = memory')
  return driven(database, database)
}

function driven(database: DatabaseSync, reader: DatabaseSync): Driven {
  const lastWrite = new LastWrite()
  return {
    dialect: new TwoConnectionsDialect(database, reader, lastWrite),
    lastWrite,
    runText: (text) => {
      let statement: PreparedStatement | undefined
      return (values) =>
        onceFree(() => translating(() => (statement ??= reader.prepare(text)).all(...values)))
    },
    closeReads: async () => undefined,
  }
}

/** Transactions take turns by themselves: each begins with the one lock that there is. */
export const sqliteTurns: Turns = {
  takeTurn: () => Promise.resolve(),
  shareTurn: () => Promise.resolve(),
}

function translating<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asDatabaseError(error)
  }
}

/** SQLite gives the write-ahead log and its index the mode of the database file. It never waits itself: see `onceFree`. */
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

/** Writes the write-ahead log into the file and empties it; false where others read or write all the while, and the log is left as it is. */
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

/** Statements are prepared once, but for long ones; the least recently used are let go beyond `statementsMax`. */
function cachingDatabase(database: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  const prepare = (text: string): SqliteStatement => {
    const statement = statements.get(text) ?? translatingStatement(database.prepare(text))
    if (text.length > keptLengthMax) return statement
    statements.delete(text)
    statements.set(text, statement)
    if (statements.size > statementsMax) statements.delete(String(statements.keys().next().value))
    return statement
  }
  return {
    prepare: (text) => translating(() => prepare(text)),
    close: () => database.close(),
  }
}

function translatingStatement(statement: PreparedStatement): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (values) => translating(() => statement.all(...values)),
    run: (values) => translating(() => statement.run(...values)),
    iterate: (values) => statement.iterate(...values),
  }
}

/** The part of a node:sqlite statement that kysely needs; values of kinds that SQLite does not know it refuses itself. */
interface PreparedStatement {
  columns(): readonly unknown[]
  all(...values: readonly unknown[]): unknown[]
  run(...values: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  iterate(...values: readonly unknown[]): IterableIterator<unknown>
}

/** A dialect of two connections where kysely's has one. */
class TwoConnectionsDialect extends SqliteDialect {
  readonly #drivers: TwoDrivers

  constructor(writer: DatabaseSync, reader: DatabaseSync, lastWrite: LastWrite) {
    const config = { database: cachingDatabase(writer) }
    super(config)
    this.#drivers = {
      writing: new SqliteDriver(config),
      reading: new SqliteDriver({ database: cachingDatabase(reader) }),
      isInTransaction: () => writer.isTransaction,
      lastWrite,
    }
  }

  override createDriver(): Driver {
    return new SharedCommitDriver(this.#drivers)
  }

  override createAdapter(): DialectAdapter {
    return new SeveralConnections()
  }
}

/** Kysely has everyone wait for everyone else where there is but one connection. */
class SeveralConnections extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}
