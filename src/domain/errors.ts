import { getSystemErrorMap } from 'node:util'

/** Everything that can go wrong in operation; a plain `Error` is a bug. */
export type ErrorCode =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'wrong_method'
  | 'gone'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media_type'
  | 'too_many_requests'
  | 'unavailable'
  | 'upstream_unavailable'
  | 'upstream_rejected'
  | 'upstream_not_found'
  | 'upstream_invalid'
  | 'upstream_misnamed'

/** One thing wrong with an input: where (RFC 6901 JSON Pointer) and what would be right. */
export interface InputFault {
  readonly pointer: string
  readonly detail: string
}

/** RFC 6901 section 3. */
export function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The most faults of one input that are told. */
export const faultsToldMax = 100
/** Limits of the told faults together, as JSON, and of each of their texts. */
const faultBytesMax = 48 * 1024
const pointerLengthMax = 500
const detailLengthMax = 1000

interface AppErrorOptions {
  readonly cause?: unknown
  readonly faults?: readonly InputFault[]
  /** How many faults there are beside `faults`. */
  readonly moreFaults?: number
  readonly retryAfterMs?: number
  readonly status?: number
}

/** An operating error: a code for programs, one sentence without secrets for people. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly faults: readonly InputFault[]
  readonly moreFaults: number
  readonly retryAfterMs: number | undefined
  readonly status: number | undefined

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    const { faults = [], moreFaults = 0, cause } = options
    const told = toldOf(faults)
    const more = faults.length - told.length + moreFaults
    const untold = ` ${more} more ${more === 1 ? 'fault is' : 'faults are'} not told.`
    super(`${message}${more === 0 ? '' : untold}`, cause === undefined ? undefined : { cause })
    this.code = code
    this.faults = told
    this.moreFaults = more
    this.retryAfterMs = options.retryAfterMs
    this.status = options.status
  }
}

function toldOf(faults: readonly InputFault[]): readonly InputFault[] {
  const told = faults.slice(0, faultsToldMax).map(({ pointer, detail }) => ({
    pointer: shortPointer(pointer),
    detail: detail.length > detailLengthMax ? `${detail.slice(0, detailLengthMax)}…` : detail,
  }))
  let bytes = 0
  const end = told.findIndex((fault) => {
    bytes += Buffer.byteLength(JSON.stringify(fault))
    return bytes > faultBytesMax
  })
  return end < 0 ? told : told.slice(0, end)
}

/** A very long pointer is cut to the place that contains the fault. */
function shortPointer(pointer: string): string {
  if (pointer.length <= pointerLengthMax) return pointer
  return pointer.slice(0, pointer.lastIndexOf('/', pointerLengthMax))
}

/** `upstream_misnamed`: a record of another id than the one that was asked for. */
export class Misnamed extends AppError {
  readonly calledId: string

  constructor(message: string, calledId: string) {
    super('upstream_misnamed', message)
    this.calledId = calledId
  }
}

/** `unavailable`: the database does not answer in time, or refuses to write. */
export class StoreUnavailable extends AppError {
  /** Whether it refuses every write until somebody makes room or allows writing. */
  readonly refuses: boolean

  constructor(message: string, cause?: unknown, refuses = false) {
    super('unavailable', message, { cause })
    this.refuses = refuses
  }
}

export function asAppError(error: unknown): AppError | undefined {
  return error instanceof AppError ? error : undefined
}

/** Rethrows anything else. */
export function asFailure(error: unknown): AppError {
  const known = asAppError(error)
  if (!known) throw error
  return known
}

/** The code of a fault of the system, of Node or of a package; empty if there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

export function cannotWrite(file: string, cause: unknown): AppError {
  return cannot(`The file ${file} cannot be written`, cause)
}

export function cannotRead(file: string, cause: unknown): AppError {
  const { message } = cannot(`The file ${file} cannot be read`, cause)
  return new AppError('invalid', message, { cause })
}

/** `unavailable`: the sentence with the reason that the system or SQLite gives. */
export function cannot(what: string, cause: unknown): AppError {
  const reason = reasonOf(cause)
  const because = reason === undefined ? '' : `: ${reason}`
  return new AppError('unavailable', `${what}${because}.`, { cause })
}

const systemMessages = new Map(getSystemErrorMap().values())

function reasonOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined
  if ('errstr' in cause) return String(cause.errstr)
  return systemMessages.get(codeOf(cause))
}
