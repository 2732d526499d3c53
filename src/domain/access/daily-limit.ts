import { AppError } from '../errors.ts'
import type { Instant } from '../world.ts'

const dayMs = 86_400_000

/** Since when what is done now counts as of one day. */
export function dayBefore(now: Instant): Instant {
  return now - dayMs
}

/** `too_many_requests`, with the time until there may be one more, where as many as there may be were within the last day. */
export function refuseTooMany(most: number, times: readonly Instant[], now: Instant): void {
  const recent = times.filter((at) => at > dayBefore(now))
  if (recent.length < most) return
  const retryAfterMs = Math.max(1000, Math.min(...recent) + dayMs - now)
  const message = 'This was done too often within a day; wait until tomorrow.'
  throw new AppError('too_many_requests', message, { retryAfterMs })
}
