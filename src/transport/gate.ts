import { asAppError } from '../domain/errors.ts'
import type { Clock, Instant, Log } from '../domain/world.ts'
import { requestFault } from './request-fault.ts'

/** In a row, while all seemed well. */
const failuresMax = 20
/** In a row, after an opening. Not one: where a single operation fails, the others must find out that they work. */
const furtherFailuresMax = 8
/** Doubled at each opening without a success in between. */
const openMs = { first: 1000, max: 60_000 }

export interface Gate {
  /** `upstream_unavailable` with `retryAfterMs` while the API is left alone. */
  check(url: URL): void
  /** Checks, runs the operation and learns from how it ends. */
  pass<T>(url: URL, operation: () => Promise<T>): Promise<T>
  /** Leaves the API alone for as long as it has asked for; never shortens a pause. */
  pause(ms: number): void
}

/** What the ends of operations have said of the API. */
interface Circuit {
  /** In a row. */
  readonly failures: number
  /** In a row, without a success in between. */
  readonly openings: number
  readonly openUntil: Instant
}

const closed: Circuit = { failures: 0, openings: 0, openUntil: -Infinity }

/**
 * Leaves the API alone where it has asked for that or has failed too often: after twenty failures in a row requests are
 * refused for a second, then they are let through again. A success closes the circuit, eight more failures in a row open
 * it for twice as long, up to a minute.
 */
export function createGate({ clock, log }: { clock: Clock; log: Log }): Gate {
  let circuit = closed
  let pausedUntil: Instant = -Infinity

  function check(url: URL): void {
    const retryAfterMs = Math.max(pausedUntil, circuit.openUntil) - clock.now()
    if (retryAfterMs <= 0) return
    const seconds = Math.ceil(retryAfterMs / 1000)
    const says = `was not sent: after what it answered before, the API is left alone for another ${seconds} s`
    throw requestFault('upstream_unavailable', url, says, { retryAfterMs })
  }

  async function pass<T>(url: URL, operation: () => Promise<T>): Promise<T> {
    check(url)
    try {
      const result = await operation()
      circuit = closed
      return result
    } catch (error) {
      learn(healthOf(error))
      throw error
    }
  }

  function learn(health: Health): void {
    const before = circuit
    if (health === 'working') circuit = closed
    if (health === 'failing') circuit = afterFailure(circuit, clock.now())
    if (circuit.openings <= before.openings) return
    log.warn({ openForMs: circuit.openUntil - clock.now() }, 'upstream_circuit_opened')
  }

  function pause(ms: number): void {
    pausedUntil = Math.max(pausedUntil, clock.now() + ms)
    log.warn({ pauseMs: ms }, 'upstream_paused')
  }

  return { check, pass, pause }
}

type Health = 'working' | 'failing' | 'unknown'

/** An answer, even a refusal, shows that the API works; an operation that its caller gave up shows nothing. */
function healthOf(error: unknown): Health {
  const fault = asAppError(error)
  if (!fault) return 'unknown'
  return fault.code === 'upstream_unavailable' && fault.status !== 429 ? 'failing' : 'working'
}

/** Operations that were under way when the circuit opened do not open it further. */
function afterFailure(circuit: Circuit, now: Instant): Circuit {
  const failures = circuit.failures + 1
  if (now < circuit.openUntil) return circuit
  return failures < failuresMax ? { ...circuit, failures } : opened(circuit, now)
}

function opened({ openings }: Circuit, now: Instant): Circuit {
  const openForMs = Math.min(openMs.max, openMs.first * 2 ** openings)
  return {
    failures: failuresMax - furtherFailuresMax,
    openings: openings + 1,
    openUntil: now + openForMs,
  }
}
