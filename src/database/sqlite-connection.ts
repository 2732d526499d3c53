import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

import type { QueryResult } from 'kysely'

import { asAppError } from '../domain/errors.ts'
import { sqliteCode, translateError } from './faults.ts'
import { rowsOf } from './prepared-read.ts'

const statementsMax = 200
/** Longer statements name many rows, are rarely repeated, and take memory by their length. */
const keptLengthMax = 4000

/** The used part of a node:sqlite statement. */
interface Statement {
  columns(): readonly unknown[]
  all(...values: readonly unknown[]): unknown[]
  run(...values: readonly unknown[]): { changes: number | bigint }
}

interface KeptStatement {
  readonly statement: Statement
  readonly hasRows: boolean
}

/** A connection with a cache of prepared statements, which translates errors. It never waits: see `onceFree`. */
export class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, KeptStatement>()

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  get isInTransaction(): boolean {
    return this.#database.isTransaction
  }

  run<R>(text: string, values: readonly unknown[] = []): QueryResult<R> {
    return translating(() => {
      const { statement, hasRows } = this.#statement(text)
      if (hasRows) return { rows: rowsOf<R>(statement.all(...values)) }
      return { numAffectedRows: BigInt(statement.run(...values).changes), rows: [] }
    })
  }

  /** Prepares a text permanently; returns a function that reads its rows. */
  prepare(text: string): (values: readonly unknown[]) => unknown[] {
    let statement: Statement | undefined
    return (values) =>
      translating(() => (statement ??= this.#database.prepare(text)).all(...values))
  }

  close(): void {
    this.#database.close()
  }

  /** Evicts the least recently used beyond `statementsMax`. */
  #statement(text: string): KeptStatement {
    const kept = this.#statements.get(text) ?? keep(this.#database.prepare(text))
    if (text.length > keptLengthMax) return kept
    this.#statements.delete(text)
    this.#statements.set(text, kept)
    const [oldest = ''] = this.#statements.keys()
    if (this.#statements.size > statementsMax) this.#statements.delete(oldest)
    return kept
  }
}

function keep(statement: Statement): KeptStatement {
  return { statement, hasRows: statement.columns().length > 0 }
}

/** Result codes (https://sqlite.org/rescode.html): busy, locked, read-only, I/O error, corrupt, full, cannot open, no database. */
export const busyCode = 5
const unavailableCodes = new Set([busyCode, 6, 8, 10, 11, 13, 14, 26])
/** Codes that refuse every write, in words. */
const refusals = new Map([
  [8, 'it can only be read'],
  [10, 'its disk cannot be read or written'],
  [13, 'its disk is full'],
])
/** Extended result codes: an existing primary key, unique index or row id, or a missing foreign key. */
const conflictCodes = new Set([1555, 2067, 2579, 787])

/** Runs the work and translates errors of SQLite and the file system. */
export function translating<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asDatabaseError(error)
  }
}

export function asDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if ('syscall' in error && 'code' in error) {
    return translateError(error, { code: 'unavailable', reason: String(error.code) })
  }
  if (!('errcode' in error && 'errstr' in error)) return error
  const [code, reason] = [Number(error.errcode), String(error.errstr)]
  if (conflictCodes.has(code)) return translateError(error, { code: 'conflict', reason })
  const primary = code % 256
  if (!unavailableCodes.has(primary)) return error
  const refusal = refusals.get(primary)
  return translateError(error, { code: 'unavailable', reason, refusal })
}

/** How long to wait for a lock of another process. */
export const patienceMs = 5000
/** Pause between two attempts; it grows while the lock lasts. */
const pauseMs = { least: 2, most: 50 }

interface Patience {
  /** Start of the wait. */
  readonly since?: number
  /** Ends the wait. */
  readonly signal?: AbortSignal
}

/**
 * Repeats the work while another process has a lock that it needs, until patience ends; then fails with the last error.
 * SQLite's own waiting would block the whole program.
 */
export async function onceFree<T>(
  work: () => T,
  { since = performance.now(), signal }: Patience = {},
): Promise<T> {
  for (let ms = pauseMs.least; ; ms = Math.min(2 * ms, pauseMs.most)) {
    try {
      return work()
    } catch (error) {
      const isOver = signal?.aborted === true || performance.now() >= since + patienceMs
      if (isOver || !isBusy(error)) throw error
    }
    await pause(ms)
  }
}

/** Whether another connection is writing now. */
function isBusy(error: unknown): boolean {
  return sqliteCode(asAppError(error)?.cause) === busyCode
}
