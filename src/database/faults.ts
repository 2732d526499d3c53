import { setTimeout as pause } from 'node:timers/promises'

import { AppError, StoreUnavailable, asAppError, cannot } from '../domain/errors.ts'

/** What a driver's error means, and the driver's word for it; undefined for a bug. */
export interface DatabaseFault {
  readonly code: 'conflict' | 'unavailable'
  readonly reason: string
  /** In words, where whatever else is written is refused, too. */
  readonly refusal?: string | undefined
}

const sentences: Record<DatabaseFault['code'], string> = {
  conflict: 'What the database holds stands against this',
  unavailable: 'The database is not available',
}

/** The operating error that a driver's is, the driver's as its cause; a bug is given back as it is. */
export function translateError(
  error: unknown,
  faultOf: (error: unknown) => DatabaseFault | undefined,
): unknown {
  const fault = faultOf(error)
  if (!fault) return error
  const { reason, refusal } = fault
  const sentence = `${sentences[fault.code]}${refusal === undefined ? ` (${reason})` : `: ${refusal}`}.`
  if (fault.code === 'unavailable') {
    return new StoreUnavailable(sentence, error, refusal !== undefined)
  }
  return new AppError(fault.code, sentence, { cause: error })
}

/** Result codes (https://sqlite.org/rescode.html): busy, locked, read-only, I/O error, corrupt, full, cannot open, no database. */
const busyCode = 5
const unavailableCodes = new Set([busyCode, 6, 8, 10, 11, 13, 14, 26])
/** Of these, what stands against every write, in words. */
const refusals = new Map([
  [8, 'it can only be read'],
  [10, 'its disk cannot be read or written'],
  [13, 'its disk is full'],
])
/** Extended result codes: a primary key, a unique index or a row id that exists, a foreign key that does not. */
const conflictCodes = new Set([1555, 2067, 2579, 787])

/** Fails, where the database is not available, with the file that is its and why: for who starts the program and knows its disks. */
export async function namingFile<T>(file: string | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const fault = asAppError(error)
    if (file === null || fault?.code !== 'unavailable') throw error
    throw cannot(`The database ${file} cannot be used`, fault.cause)
  }
}

/** Whether another connection writes just now. */
function isBusy(error: unknown): boolean {
  const cause = asAppError(error)?.cause
  return cause instanceof Error && 'errcode' in cause && Number(cause.errcode) % 256 === busyCode
}

/** What an error of SQLite's means for the program. */
export function asDatabaseError(error: unknown): unknown {
  return translateError(error, sqliteFault)
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
  const primary = code % 256
  if (!unavailableCodes.has(primary)) return undefined
  return { code: 'unavailable', reason, refusal: refusals.get(primary) }
}

/** For so long a lock of another process is waited for. */
export const patienceMs = 5000
/** Between two looks whether the lock is gone: the longer it has been held, the longer. */
const pauseMs = { least: 2, most: 50 }

interface Patience {
  /** From when it counts; left out where that is now. */
  readonly since?: number
  /** Ends it. */
  readonly signal?: AbortSignal
}

/**
 * Does the work again and again while another process has what it needs locked, for as long as patience lasts;
 * fails as the last time. SQLite itself would hold up the whole program while it waits.
 */
export async function onceFree<T>(
  work: () => T | Promise<T>,
  { since = performance.now(), signal }: Patience = {},
): Promise<T> {
  for (let ms = pauseMs.least; ; ms = Math.min(2 * ms, pauseMs.most)) {
    try {
      return await work()
    } catch (error) {
      const isOver = signal?.aborted === true || performance.now() >= since + patienceMs
      if (isOver || !isBusy(error)) throw error
    }
    await pause(ms)
  }
}

/** On a full disk a small write may still find room between two that do not. */
const restMs = 10_000

/** Told when a database begins to refuse what is written, and, with null, once it takes it again. */
type Tell = (fault: StoreUnavailable | null) => void

/** What came of the last write, as far as that tells of the next: a lock and a lost connection do not. */
export class LastWrite {
  #fault: StoreUnavailable | null = null
  #at = performance.now()
  #tell: Tell | undefined

  /** Why the database refuses what is written; null where it takes it. */
  get fault(): StoreUnavailable | null {
    return this.#fault
  }

  /** How long ago that was. */
  get ageMs(): number {
    return performance.now() - this.#at
  }

  /** There is one who is told. */
  watch(tell: Tell): void {
    this.#tell = tell
  }

  /** Something has been written: that ends a refusal only once there has been none for a while. */
  noteDone(): void {
    if (this.#fault === null || this.ageMs > restMs) this.noteTaken()
  }

  /** Something has been written that takes as much room as most that is. */
  noteTaken(): void {
    this.#note(null)
  }

  noteFault(error: unknown): void {
    if (error instanceof StoreUnavailable && error.refuses) this.#note(error)
  }

  #note(fault: StoreUnavailable | null): void {
    const isChange = (fault === null) !== (this.#fault === null)
    this.#fault = fault
    this.#at = performance.now()
    if (isChange) this.#tell?.(fault)
  }
}
