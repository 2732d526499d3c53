interface Waiting {
  readonly count: number
  readonly begin: () => void
}

/** Limits how many things are asked for at once; the others wait, first come, first served. */
export class AskedAtOnce {
  #free: number
  readonly #waiting: Waiting[] = []

  constructor(most: number) {
    this.#free = most
  }

  /** Asks for so many, never more than there may be, once there is room for all of them. */
  async during<T>(count: number, ask: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      this.#waiting.push({ count, begin })
      this.#fill()
    })
    try {
      return await ask()
    } finally {
      this.#free += count
      this.#fill()
    }
  }

  #fill(): void {
    for (let next = this.#waiting[0]; next && next.count <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#free -= next.count
      next.begin()
    }
  }
}
