import type { Instant } from '../domain/world.ts'

/** How often one request is sent at most. */
export const ATTEMPTS_MAX = 3
/** The longest wait that a caller is held for; where a longer one is asked for, the request fails at once. */
export const WAIT_MS_MAX = 2_000

/** Whatever the API asks for, after an hour we look again. */
const RETRY_AFTER_MS_MAX = 3_600_000

const BACKOFF_MS_BASE = 250

/** The wait after the given attempt (1 is the first) where none is asked for: full jitter, doubling, below `WAIT_MS_MAX`. */
export function backoffMs(attempt: number, random: () => number): number {
  return Math.floor(random() * Math.min(WAIT_MS_MAX, BACKOFF_MS_BASE * 2 ** attempt))
}

/** How long `Retry-After` asks to wait, in either form (RFC 9110 section 10.2.3), an hour at most; undefined where it says nothing readable. */
export function retryAfterMs(value: string, now: Instant): number | undefined {
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : httpDate(value) - now
  return Number.isNaN(ms) ? undefined : Math.min(RETRY_AFTER_MS_MAX, Math.max(0, ms))
}

/** NaN for anything but an HTTP-date that names its zone (RFC 9110 section 5.6.7). */
function httpDate(value: string): Instant {
  return /^[A-Z][a-z]+, .* GMT$/.test(value) ? Date.parse(value) : Number.NaN
}
