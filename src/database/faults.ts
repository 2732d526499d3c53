import { AppError, StoreUnavailable, asAppError, cannot, codeOf } from '../domain/errors.ts'

export interface DatabaseFault {
  readonly code: 'conflict' | 'unavailable'
  readonly reason: string
  /** Why every other write is refused too, in words. */
  readonly refusal?: string | undefined
}

const sentences: Record<DatabaseFault['code'], string> = {
  conflict: 'This conflicts with what is in the database',
  unavailable: 'The database is not available',
}

/** Wraps the driver's error in an `AppError`; unknown errors are bugs and pass through. */
export function translateError(error: unknown, fault: DatabaseFault | undefined): unknown {
  if (!fault) return error
  const { code, reason, refusal } = fault
  const why = refusal === undefined ? ` (${reason})` : `: ${refusal}`
  const sentence = `${sentences[code]}${why}.`
  return code === 'unavailable'
    ? new StoreUnavailable(sentence, error, refusal !== undefined)
    : new AppError(code, sentence, { cause: error })
}

const unwritable = 'this account must be able to write it and its folder'
/** What to do about a file that cannot be used, by the system's code or SQLite's (https://sqlite.org/rescode.html). */
const remedies = new Map([
  ['EACCES', unwritable],
  ['EPERM', unwritable],
  ['EROFS', unwritable],
  ['8', unwritable],
  ['14', unwritable],
  ['EISDIR', 'name a file in that folder'],
  ['11', 'restore a backup'],
  ['26', 'restore a backup, or name another file'],
])

/** Adds the file name to `unavailable` errors, for operators, and what to do about them. */
export async function namingFile<T>(file: string | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const fault = asAppError(error)
    if (file === null || fault?.code !== 'unavailable') throw error
    const { message } = cannot(`The database ${file} cannot be used`, fault.cause)
    const remedy = remedies.get(String(sqliteCode(fault.cause) ?? codeOf(fault.cause)))
    const end = remedy === undefined ? '.' : `; ${remedy}.`
    throw new AppError('unavailable', message.replace(/\.$/, end), { cause: fault.cause })
  }
}

/** SQLite's code (https://sqlite.org/rescode.html) without its extension; undefined for other errors. */
export function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) % 256 : undefined
}

/** On a full disk, a small write may succeed between two that fail. */
const restMs = 10_000

/** The result of the last write, as far as it predicts the next: locks and lost connections do not. */
export class LastWrite {
  #fault: StoreUnavailable | null = null
  #at = performance.now()
  #tell: (fault: StoreUnavailable | null) => void = () => undefined

  /** Why writes are refused; null if they are not. */
  get fault(): StoreUnavailable | null {
    return this.#fault
  }

  get ageMs(): number {
    return performance.now() - this.#at
  }

  /** Notifies when writes start being refused, and with null when they are accepted again. */
  watch(tell: (fault: StoreUnavailable | null) => void): void {
    this.#tell = tell
  }

  /** Notes a successful write; ends a refusal only after a while without one. */
  noteDone(): void {
    if (this.#fault === null || this.ageMs > restMs) this.noteTaken()
  }

  /** Notes a successful write of typical size. */
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
    if (isChange) this.#tell(fault)
  }
}
