import { closeSync, mkdirSync, openSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'

import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Kysely,
  sql,
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
/** With what the names of files go on that lie beside a database: the write-ahead log, its index, copies from before migrations. */
const besides = ['-wal', '-shm', '.before-']

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
export function sqliteFile(url: string): string {
  return url.startsWith('file://') ? fileURLToPath(url) : path.resolve(url.slice('file:'.length))
}

/** The database at that address with what lies beside it, as far as it is there; nothing where it is no SQLite. */
export function sqliteFilesOf(url: string): readonly string[] {
  if (!url.startsWith('file:')) return []
  const file = sqliteFile(url)
  const [folder, name] = [path.dirname(file), path.basename(file)]
  const isOfIt = (other: string): boolean =>
    other === name || besides.some((it) => other.startsWith(name + it))
  return listFolder(folder)
    .filter(isOfIt)
    .toSorted()
    .map((it) => path.join(folder, it))
}

/** None where the folder cannot be listed. */
function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** SQLite gives the write-ahead log and its index the mode of the database file. */
function openFile(file: string): DatabaseSync {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs })
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = full')
  // What is deleted from a table is overwritten (an index may keep a key of it until the file is written anew).
  database.exec('pragma secure_delete = on')
  return database
}

/**
 * Writes the write-ahead log into the file and empties it, without waiting for anyone: whoever waits holds up everything
 * else that this process does. False where others read or write just now, and the log is left as it is.
 */
export function emptySqliteLog<Schema>(queries: Kysely<Schema>): Promise<boolean> {
  return queries.connection().execute(async (connection) => {
    await sql`pragma busy_timeout = 0`.execute(connection)
    const { rows } = await sql<{
      busy: number
    }>`pragma wal_checkpoint(truncate)`.execute(connection)
    await sql`pragma busy_timeout = ${sql.lit(busyTimeoutMs)}`.execute(connection)
    return rows[0]?.busy === 0
  })
}

/** Statements are prepared once, the least recently used are let go beyond `statementsMax`. */
function cachingDatabase(database: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  const prepare = (text: string): SqliteStatement => {
    const statement = statements.get(text) ?? translatingStatement(database.prepare(text))
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
