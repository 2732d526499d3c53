import type { Instant } from '../domain/world.ts'

/** A time in which nothing is sent. */
export interface Pause {
  readonly until: Instant
  readonly ms: number
}

export function pauseFrom(now: Instant, ms: number): Pause {
  return { until: now + ms, ms }
}

/** How much of it is left; none where more would be left than it was long, since then the clock has gone back. */
export function remainingMs({ until, ms }: Pause, now: Instant): number {
  const left = until - now
  return left > ms ? 0 : Math.max(0, left)
}

/** Of a pause under way, if there is one, and a new one, that which ends later. */
export function longer(before: Pause | null, pause: Pause, now: Instant): Pause {
  return before && remainingMs(before, now) > remainingMs(pause, now) ? before : pause
}
