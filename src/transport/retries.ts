import type { Clock, Instant } from '../domain/world.ts'
import type { HttpAnswer } from './http.ts'
import { isPassingFault } from './transport-faults.ts'

/** How often one request is sent at most. */
const attemptsMax = 3
/** The longest wait that a caller is held for; where a longer one is asked for, the request fails at once. */
export const waitMsMax = 2_000
/** Whatever the API asks for, after an hour we look again. */
const askedWaitMsMax = 3_600_000
const backoffMsBase = 250
const passingStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])

export interface RetryDeps {
  readonly clock: Clock
  /** From 0 to below 1. */
  readonly random: () => number
}

/** How one attempt ended. */
type Attempt = { readonly answer: HttpAnswer } | { readonly error: unknown }

/** Makes further attempts, until the signal ends it, while the fault may pass: one of the connection, 429, 502, 503 or 504. */
export function withRetries(
  exchange: () => Promise<HttpAnswer>,
  { clock, random }: RetryDeps,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  return attemptFrom(1)

  async function attemptFrom(count: number): Promise<HttpAnswer> {
    const attempt = await settle(exchange)
    const waitMs = count < attemptsMax ? waitAfter(attempt, count) : undefined
    if (waitMs === undefined) return resultOf(attempt)
    await clock.sleep(waitMs, signal)
    return attemptFrom(count + 1)
  }

  function waitAfter(attempt: Attempt, count: number): number | undefined {
    if (!mayPass(attempt)) return undefined
    const askedMs = 'answer' in attempt ? askedWaitMs(attempt.answer, clock.now()) : undefined
    if (askedMs === undefined) return backoffMs(count, random)
    return askedMs > waitMsMax ? undefined : askedMs
  }
}

async function settle(exchange: () => Promise<HttpAnswer>): Promise<Attempt> {
  try {
    return { answer: await exchange() }
  } catch (error) {
    return { error }
  }
}

function mayPass(attempt: Attempt): boolean {
  return 'error' in attempt
    ? isPassingFault(attempt.error)
    : passingStatuses.has(attempt.answer.status)
}

function resultOf(attempt: Attempt): HttpAnswer {
  if ('error' in attempt) throw attempt.error
  return attempt.answer
}

/** The wait after the given attempt (1 is the first) where none is asked for: full jitter, doubling, below `waitMsMax`. */
export function backoffMs(attempt: number, random: () => number): number {
  return Math.floor(random() * Math.min(waitMsMax, backoffMsBase * 2 ** attempt))
}

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
