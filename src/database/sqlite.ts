import { closeSync, mkdirSync, openSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'

import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  SqliteDialect,
  type SqliteDatabase,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'

import type { Turns } from './database.ts'
import { type DatabaseFault, translateError } from './translate-error.ts'

const statementsMax = 200
const busyTimeoutMs = 5000

/** Result codes (https://sqlite.org/rescode.html): busy, locked, read-only, I/O error, corrupt, full, cannot open, no database. */
const unavailableCodes = new Set([5, 6, 8, 10, 11, 13, 14, 26])
/** Extended result codes: a primary key, a unique index or a row id that exists, a foreign key that does not. */
const conflictCodes = new Set([1555, 2067, 2579, 787])

/** A dialect on the file that `file:…` names, made where missing with mode 0600; `unavailable` where that fails. */
export function openSqliteDialect(url: string): SqliteDialect {
  return translating(() => {
    const database = openFile(sqliteFile(url))
    return new ImmediateSqliteDialect({ database: cachingDatabase(database) })
  })
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
    throw translateError(error, sqliteFault)
  }
}

function sqliteFault(error: unknown): DatabaseFault | undefined {
  if (!(error instanceof Error)) return undefined
  if ('syscall' in error && 'code' in error)
    return { code: 'unavailable', reason: String(error.code) }
  if (!('errcode' in error && 'errstr' in error)) return undefined
  return resultFault(Number(error.errcode), String(error.errstr))
}

function resultFault(code: number, reason: string): DatabaseFault | undefined {
  if (conflictCodes.has(code)) return { code: 'conflict', reason }
  return unavailableCodes.has(code % 256) ? { code: 'unavailable', reason } : undefined
}

/** The file that a `file:` address names. */
function sqliteFile(url: string): string {
  return url.startsWith('file://') ? fileURLToPath(url) : path.resolve(url.slice('file:'.length))
}

/** SQLite gives the write-ahead log and its index the mode of the database file. */
function openFile(file: string): DatabaseSync {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs })
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = full')
  return database
}

/** Statements are prepared once, the least recently used are let go beyond `statementsMax`. */
function cachingDatabase(database: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  const prepare = (sql: string): SqliteStatement => {
    const statement = statements.get(sql) ?? translatingStatement(database.prepare(sql))
    statements.delete(sql)
    statements.set(sql, statement)
    if (statements.size > statementsMax) statements.delete(String(statements.keys().next().value))
    return statement
  }
  return {
    prepare: (sql) => translating(() => prepare(sql)),
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

/**
 * A transaction that begins deferred and writes after it has read fails at once when another process wrote in between,
 * whatever the timeout; one that begins immediate waits its turn.
 */
class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

class ImmediateSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig

  constructor(config: SqliteDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): Driver {
    return new ImmediateSqliteDriver(this.#config)
  }
}
