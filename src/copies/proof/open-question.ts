/** Something that has to be in order before anything is proven: whether it is now, by one request. */
type Question = (signal: AbortSignal) => Promise<boolean>

/** What spoke against the last proof, or was missing for it, and whose answers were thrown away meanwhile. */
export class OpenQuestion {
  isOpen = false
  #question: Question | undefined
  readonly #waiting = new Set<string>()

  /** Leaves it open for that person; the latest question counts. */
  open(userId: string, question: Question): void {
    this.isOpen = true
    this.#question = question
    this.#waiting.add(userId)
  }

  isWaiting(userId: string): boolean {
    return this.#waiting.has(userId)
  }

  /** Whether it is in order by now; asks, and closes it where it is. */
  async isSettled(signal: AbortSignal): Promise<boolean> {
    const question = this.#question
    if (question && !(await question(signal))) return false
    if (this.#question === question) this.close()
    return true
  }

  close(): void {
    this.isOpen = false
    this.#question = undefined
    this.#waiting.clear()
  }
}
