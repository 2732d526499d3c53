import type { Clock, Instant } from '../domain/world.ts'

/** Time left after the refresh budget to find and send the last good calendar. */
const restMs = 300

interface Waiting {
  readonly dueAt: Instant
  readonly giveUp: () => void
  /** Index in `#waiting`; -1 once settled. */
  place: number
}

/** Limits how long polls wait. All share one sleep of the clock, since most need only a millisecond. */
export class PollDeadline {
  readonly #clock: Clock
  readonly #withinMs: number
  /** Not a Set: V8 keeps former members of a set that changes with each request. */
  readonly #waiting: Waiting[] = []
  readonly #closing = new AbortController()
  #isWatched = false

  constructor(clock: Clock, refreshBudgetMs: number) {
    this.#clock = clock
    this.#withinMs = refreshBudgetMs + restMs
  }

  /** Calls `giveUp` once the poll that arrived at `cameAt` is late, unless it is settled before. */
  watch(cameAt: Instant, giveUp: () => void): Waiting {
    const place = this.#waiting.length
    const waiting = { dueAt: cameAt + this.#withinMs, giveUp, place }
    this.#waiting.push(waiting)
    if (!this.#isWatched) void this.#giveUpLate()
    return waiting
  }

  /** Returns whether it was still in time. */
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

  /**
   * Returns the result of the work; undefined if it is too late for a poll that arrived at `cameAt`. The work continues,
   * but the poll no longer waits.
   */
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

  /** Stops giving up polls. */
  close(): Promise<void> {
    this.#closing.abort(new Error('closing'))
    return Promise.resolve()
  }

  /** A later poll is due later, so none is due before the first of those waiting now. */
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
