/** From one place of a text to another, or from one number to another. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Millions of spans, in less memory than what lies in them takes. */
export class Spans {
  length = 0
  #bounds = new Uint32Array(64)

  add({ start, end }: Span): void {
    if (2 * this.length === this.#bounds.length) this.#grow()
    this.#bounds.set([start, end], 2 * this.length)
    this.length += 1
  }

  /** The one of that number. */
  at(index: number): Span {
    return { start: this.#bounds[2 * index] ?? 0, end: this.#bounds[2 * index + 1] ?? 0 }
  }

  /** Forgets all from that number on. */
  cut(length: number): void {
    this.length = length
  }

  #grow(): void {
    const larger = new Uint32Array(2 * this.#bounds.length)
    larger.set(this.#bounds)
    this.#bounds = larger
  }
}
