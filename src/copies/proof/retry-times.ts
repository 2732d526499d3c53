import type { Instant } from '../../domain/world.ts'

const firstPauseMs = 600_000
const pauseMsMax = 86_400_000
const namesMax = 10_000

interface Retry {
  readonly at: Instant
  readonly pauseMs: number
}

/** When something that has not come right is tried again: after ten minutes, then after pauses that double up to a day. */
export class RetryTimes {
  readonly #retries = new Map<string, Retry>()

  /** Whether it is time; from then on the next pause runs. */
  takeTurn(name: string, now: Instant): boolean {
    const last = this.#retries.get(name)
    if (last && now >= last.at && now - last.at < last.pauseMs) return false
    if (this.#retries.size >= namesMax) this.#retries.clear()
    const pauseMs = last ? Math.min(2 * last.pauseMs, pauseMsMax) : firstPauseMs
    this.#retries.set(name, { at: now, pauseMs })
    return true
  }

  forget(name: string): void {
    this.#retries.delete(name)
  }
}
