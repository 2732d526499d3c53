import { asAppError, cannot } from '../domain/errors.ts'
import { type DatabaseFault, translateError } from './translate-error.ts'

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
export function isBusy(error: unknown): boolean {
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
