/** Work that waits for other work: so much goes on side by side, what comes later in the order in which it came. */
export class Turns {
  readonly #waiting: (() => void)[] = []
  #running = 0
  #atOnce: number

  constructor(atOnce = 1) {
    this.#atOnce = atOnce
  }

  /** From now on; what is under way goes on. */
  allow(atOnce: number): void {
    this.#atOnce = atOnce
    this.#begin()
  }

  /** The work in its turn; fails as it does. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      this.#waiting.push(begin)
      this.#begin()
    })
    try {
      return await work()
    } finally {
      this.#running -= 1
      this.#begin()
    }
  }

  #begin(): void {
    while (this.#running < this.#atOnce) {
      const begin = this.#waiting.shift()
      if (!begin) return
      this.#running += 1
      begin()
    }
  }
}
