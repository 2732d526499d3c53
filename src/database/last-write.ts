import { StoreUnavailable } from '../domain/errors.ts'

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
