import type { Clock, Instant } from '../domain/world.ts'

/** What is left to find the last good calendar, and to send it, once the budget is over: half a second in all. */
const restMs = 300

/** A poll that waits for its answer. */
interface Waiting {
  readonly dueAt: Instant
  readonly giveUp: () => void
  /** Among those that wait; -1 once it is settled. */
  place: number
}

/** When polls are answered at the latest. One sleep of the clock is for all that wait: most are answered in a millisecond. */
export class PollDeadline {
  readonly #clock: Clock
  readonly #withinMs: number
  /** No set: of one that changes with each request V8 keeps for long what has been in it. */
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

  /** What that comes to; undefined where it is late for a poll that came then: it goes on, but nobody waits for it. */
  async within<T>(cameAt: Instant, work: Promise<T>): Promise<T | undefined> {
    const late = Promise.withResolvers<undefined>()
    const waiting = this.watch(cameAt, () => late.resolve(undefined))
    try {
      return await Promise.race([work, late.promise])
    } finally {
      this.settle(waiting)
    }
  }

  /** Whether it is late for a poll that came then. */
  isOver(cameAt: Instant): boolean {
    return this.#clock.now() >= cameAt + this.#withinMs
  }

  /** Lets nobody be given up any more. */
  close(): Promise<void> {
    this.#closing.abort(new Error('closing'))
    return Promise.resolve()
  }

  /** Whoever comes later is due later: there is nobody to be given up before the first of those that wait now. */
  async #giveUpLate(): Promise<void> {
    const { signal } = this.#closing
    this.#isWatched = true
    while (this.#waiting.length > 0 && !signal.aborted) {
      const dueAt = Math.min(...this.#waiting.map((waiting) => waiting.dueAt))
      const ms = dueAt - this.#clock.now()
      await this.#clock
        .sleep(Math.min(Math.max(ms, 0), this.#withinMs), signal)
        .catch(() => undefined)
      const now = this.#clock.now()
      // A clock may be set back meanwhile.
      const late = this.#waiting.filter((it) => it.dueAt <= now || it.dueAt > now + this.#withinMs)
      for (const waiting of late) {
        this.settle(waiting)
        waiting.giveUp()
      }
    }
    this.#isWatched = false
  }
}
