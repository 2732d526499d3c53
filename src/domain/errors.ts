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

/** Of the faults of one input so many are told. */
export const faultsToldMax = 100
/** So long are they together, as JSON, and each of their texts. */
const faultBytesMax = 48 * 1024
const pointerLengthMax = 500
const detailLengthMax = 1000

interface AppErrorOptions {
  readonly cause?: unknown
  /** Only the first `faultsToldMax` are told; the message says how many more there are. */
  readonly faults?: readonly InputFault[]
  /** How many more faults there are that nobody has put into words. */
  readonly moreFaults?: number
  readonly retryAfterMs?: number
  readonly status?: number
}

/** An operating error: a code for programs, one sentence without secrets for people. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly faults: readonly InputFault[]
  /** How many more there are. */
  readonly moreFaults: number
  /** How long to wait before trying again, where known. */
  readonly retryAfterMs: number | undefined
  /** The status that the Read API answered with, where it answered. */
  readonly status: number | undefined

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    const { faults = [], moreFaults = 0 } = options
    const told = toldOf(faults)
    const more = faults.length - told.length + moreFaults
    const untold = `${more} more ${more === 1 ? 'fault is' : 'faults are'} not told.`
    const said = more === 0 ? message : `${message} ${untold}`
    super(said, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.faults = told
    this.moreFaults = more
    this.retryAfterMs = options.retryAfterMs
    this.status = options.status
  }
}

/** The first faults, as many as are told. */
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

/** A very long one points at what holds the place instead. */
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

/** `unavailable`: the database does not answer, not in time, or does not take what is written. */
export class StoreUnavailable extends AppError {
  /** Whether whatever else is written is refused, too, until somebody makes room or lets it be written. */
  readonly refuses: boolean

  constructor(message: string, cause?: unknown, refuses = false) {
    super('unavailable', message, { cause })
    this.refuses = refuses
  }
}

/** The operating error that `error` is, or undefined for anything else. */
export function asAppError(error: unknown): AppError | undefined {
  return error instanceof AppError ? error : undefined
}

/** What a system's codes of errors mean for a file that is to be written. */
const fileReasons = new Map([
  ['ENOENT', 'there is no such folder'],
  ['ENOTDIR', 'there is no such folder'],
  ['EISDIR', 'it is a folder'],
  ['EEXIST', 'a file has the name of its folder'],
  ['EACCES', 'that is not allowed'],
  ['EPERM', 'that is not allowed'],
  ['EROFS', 'nothing can be written there'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk is full'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['EPIPE', 'its reader has gone'],
])

/** `unavailable`: what to say of a file that could not be written, by the system's error. */
export function cannotWrite(file: string, cause: unknown): AppError {
  return cannot(`The file ${file} cannot be written`, cause)
}

/** `invalid`: what to say of a file that could not be read. */
export function cannotRead(file: string, cause: unknown): AppError {
  const isAbsent = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
  const { message } = cannot(`The file ${file} cannot be read`, cause)
  const said = isAbsent ? `The file ${file} cannot be read: there is none.` : message
  return new AppError('invalid', said, { cause })
}

/** `unavailable`: that, and why, by the system's error or by SQLite's. */
export function cannot(what: string, cause: unknown): AppError {
  const reason = reasonOf(cause)
  return new AppError('unavailable', reason === undefined ? `${what}.` : `${what}: ${reason}.`, {
    cause,
  })
}

function reasonOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined
  if ('errstr' in cause) return String(cause.errstr)
  return 'code' in cause ? fileReasons.get(String(cause.code)) : undefined
}
