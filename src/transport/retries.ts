import type { Clock } from '../domain/world.ts'
import type { HttpAnswer } from './http.ts'
import { ATTEMPTS_MAX, backoffMs, retryAfterMs, WAIT_MS_MAX } from './retry-timing.ts'
import { isPassingFault } from './transport-faults.ts'

export interface RetryDeps {
  readonly clock: Clock
  readonly random: () => number
}

type Outcome = { readonly answer: HttpAnswer } | { readonly error: unknown }

const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Makes further attempts, until the signal ends it, while the outcome may pass: a fault of the connection, 429, 502, 503 or 504. */
export function withRetries(
  attempt: () => Promise<HttpAnswer>,
  { clock, random }: RetryDeps,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  return attemptFrom(1)

  async function attemptFrom(count: number): Promise<HttpAnswer> {
    const outcome = await settle(attempt)
    const waitMs = count < ATTEMPTS_MAX ? waitOf(outcome, count) : undefined
    if (waitMs === undefined) return resultOf(outcome)
    await clock.sleep(waitMs, signal)
    return attemptFrom(count + 1)
  }

  function waitOf(outcome: Outcome, count: number): number | undefined {
    if (!mayPass(outcome)) return undefined
    const askedMs = 'answer' in outcome ? askedWaitMs(outcome.answer, clock) : undefined
    if (askedMs === undefined) return backoffMs(count, random)
    return askedMs > WAIT_MS_MAX ? undefined : askedMs
  }
}

/** How long a 429 or 503 asks to be left alone; undefined where it does not say. */
export function askedWaitMs({ status, headers }: HttpAnswer, clock: Clock): number | undefined {
  const value = headers['retry-after']
  if ((status !== 429 && status !== 503) || typeof value !== 'string') return undefined
  return retryAfterMs(value, clock.now())
}

async function settle(attempt: () => Promise<HttpAnswer>): Promise<Outcome> {
  try {
    return { answer: await attempt() }
  } catch (error) {
    return { error }
  }
}

function mayPass(outcome: Outcome): boolean {
  return 'error' in outcome
    ? isPassingFault(outcome.error)
    : PASSING_STATUSES.has(outcome.answer.status)
}

function resultOf(outcome: Outcome): HttpAnswer {
  if ('error' in outcome) throw outcome.error
  return outcome.answer
}
