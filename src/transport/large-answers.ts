import PQueue from 'p-queue'

/** Has answers of more than a megabyte read one at a time, so that several together need no more memory than one; smaller ones pass. */
export class LargeAnswers {
  readonly #turns = new PQueue({ concurrency: 1 })

  /** The work in its turn; fails as it does, or with the signal's reason where that ends the waiting. */
  async take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#turns.add(work, { signal })
  }
}
