import { AppError, StoreUnavailable, asAppError, cannot } from '../domain/errors.ts'

/** What a driver's error means, and the driver's word for it. */
export interface DatabaseFault {
  readonly code: 'conflict' | 'unavailable'
  readonly reason: string
  /** In words, where every other write is refused, too. */
  readonly refusal?: string | undefined
}

const sentences: Record<DatabaseFault['code'], string> = {
  conflict: 'What the database holds stands against this',
  unavailable: 'The database is not available',
}

/** The driver's error as an `AppError`, with it as the cause; unknown errors are bugs and pass through. */
export function translateError(error: unknown, fault: DatabaseFault | undefined): unknown {
  if (!fault) return error
  const { code, reason, refusal } = fault
  const why = refusal === undefined ? ` (${reason})` : `: ${refusal}`
  const sentence = `${sentences[code]}${why}.`
  return code === 'unavailable'
    ? new StoreUnavailable(sentence, error, refusal !== undefined)
    : new AppError(code, sentence, { cause: error })
}

/** Names the file where the database is not available: for operators, who know their disks. */
export async function namingFile<T>(file: string | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const fault = asAppError(error)
    if (file === null || fault?.code !== 'unavailable') throw error
    throw cannot(`The database ${file} cannot be used`, fault.cause)
  }
}

/** On a full disk a small write may still find room between two that do not. */
const restMs = 10_000

/** What came of the last write, as far as that tells of the next: a lock and a lost connection do not. */
export class LastWrite {
  #fault: StoreUnavailable | null = null
  #at = performance.now()
  #tell: (fault: StoreUnavailable | null) => void = () => undefined

  /** Why the database refuses writes; null where it takes them. */
  get fault(): StoreUnavailable | null {
    return this.#fault
  }

  /** How long ago that was. */
  get ageMs(): number {
    return performance.now() - this.#at
  }

  /** Tells when the database begins to refuse writes, and, with null, once it takes them again. */
  watch(tell: (fault: StoreUnavailable | null) => void): void {
    this.#tell = tell
  }

  /** Something has been written: that ends a refusal only once there has been none for a while. */
  noteDone(): void {
    if (this.#fault === null || this.ageMs > restMs) this.noteTaken()
  }

  /** Something has been written that takes as much room as most writes. */
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
