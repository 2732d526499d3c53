import type { Instant } from '../domain/world.ts'
import { type Pause, pauseFrom, remainingMs } from './pause.ts'

/** In a row, while all seemed well. */
const failuresMax = 20
/** In a row, after an opening. Not one: a single request may fail for reasons of its own. */
const furtherFailuresMax = 8
/** Doubled at each opening without a success in between. */
const openMs = { first: 1000, max: 60_000 }

/** What the ends of requests have said of an operation. */
export interface Circuit {
  /** In a row. */
  readonly failures: number
  /** In a row, without a success in between. */
  readonly openings: number
  /** null while it has not been opened. */
  readonly open: Pause | null
}

export const closed: Circuit = { failures: 0, openings: 0, open: null }

/**
 * The circuit after one more failure: twenty in a row open it for a second, eight more for twice as long, up to a minute.
 * Requests that were under way when it opened do not open it further.
 */
export function afterFailure(circuit: Circuit, now: Instant): Circuit {
  const failures = circuit.failures + 1
  if (circuit.open && remainingMs(circuit.open, now) > 0) return circuit
  return failures < failuresMax ? { ...circuit, failures } : opened(circuit, now)
}

function opened({ openings }: Circuit, now: Instant): Circuit {
  const ms = Math.min(openMs.max, openMs.first * 2 ** openings)
  return {
    failures: failuresMax - furtherFailuresMax,
    openings: openings + 1,
    open: pauseFrom(now, ms),
  }
}
