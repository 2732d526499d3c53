import type { Instant } from '../domain/world.ts'
import type { HttpAnswer } from './http.ts'

/** Whatever the API asks for, after an hour we look again. */
const askedWaitMsMax = 3_600_000

/** How long a 429 or 503 asks to be left alone (RFC 9110 section 10.2.3), an hour at most; undefined where it says nothing readable. */
export function askedWaitMs({ status, headers }: HttpAnswer, now: Instant): number | undefined {
  const value = headers['retry-after']
  if ((status !== 429 && status !== 503) || typeof value !== 'string') return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : httpDate(value) - now
  return Number.isNaN(ms) ? undefined : Math.min(askedWaitMsMax, Math.max(0, ms))
}

/** NaN for anything but an HTTP-date that names its zone (RFC 9110 section 5.6.7). */
function httpDate(value: string): Instant {
  return /^[A-Z][a-z]+, .* GMT$/.test(value) ? Date.parse(value) : Number.NaN
}
