import type { Clock, Instant } from '../domain/world.ts'

/** What is left, once the budget is over, to find and send the last good calendar: half a second in all. */
const restMs = 300

/** A poll that waits for its answer. */
interface Waiting {
  readonly dueAt: Instant
  readonly giveUp: () => void
  /** Its index among those that wait; -1 once it is settled. */
  place: number
}

/** When polls are answered at the latest. All share one sleep of the clock: most are answered in a millisecond. */
export class PollDeadline {
  readonly #clock: Clock
  readonly #withinMs: number
  /** No set: V8 keeps what has been in a set that changes with each request. */
  readonly #waiting: Waiting[] = []
  readonly #closing = new AbortController()
  #isWatched = false

  constructor(clock: Clock, refreshBudgetMs: number) {
    this.#clock = clock
    this.#withinMs = refreshBudgetMs + restMs
  }

  /** Gives up a poll that came then once it is late, unless it is settled before. */
  watch(cameAt: Instant, giveUp: () => void): Waiting {
    const place = this.#waiting.length
    const waiting = { dueAt: cameAt + this.#withinMs, giveUp, place }
    this.#waiting.push(waiting)
    if (!this.#isWatched) void this.#giveUpLate()
    return waiting
  }

  /** Whether that came in time. */
  settle(waiting: Waiting): boolean {
    const { place } = waiting
    const last = place < 0 ? undefined : this.#waiting.pop()
    if (!last) return false
    if (last !== waiting) {
      this.#waiting[place] = last
      last.place = place
    }
    waiting.place = -1
    return true
  }

  /** The result of the work; undefined if that is late for a poll that came then: it continues, but the poll does not wait. */
  async within<T>(cameAt: Instant, work: Promise<T>): Promise<T | undefined> {
    const late = Promise.withResolvers<undefined>()
    const waiting = this.watch(cameAt, () => late.resolve(undefined))
    try {
      return await Promise.race([work, late.promise])
    } finally {
      this.settle(waiting)
    }
  }

  isOver(cameAt: Instant): boolean {
    return this.#clock.now() >= cameAt + this.#withinMs
  }

  /** Gives up no poll any more. */
  close(): Promise<void> {
    this.#closing.abort(new Error('closing'))
    return Promise.resolve()
  }

  /** A later poll is due later, so none is due before the first of those that wait now. */
  async #giveUpLate(): Promise<void> {
    const { signal } = this.#closing
    this.#isWatched = true
    while (this.#waiting.length > 0 && !signal.aborted) {
      const dueAt = Math.min(...this.#waiting.map((waiting) => waiting.dueAt))
      const ms = Math.min(Math.max(dueAt - this.#clock.now(), 0), this.#withinMs)
      await this.#clock.sleep(ms, signal).catch(() => undefined)
      const now = this.#clock.now()
      // The clock may have been set back meanwhile.
      const late = this.#waiting.filter((it) => it.dueAt <= now || it.dueAt > now + this.#withinMs)
      for (const waiting of late) {
        this.settle(waiting)
        waiting.giveUp()
      }
    }
    this.#isWatched = false
  }
}
