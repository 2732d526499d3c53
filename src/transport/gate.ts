import { asAppError } from '../domain/errors.ts'
import type { Clock, Log } from '../domain/world.ts'
import { createCircuitBreaker, type Health } from './circuit-breaker.ts'
import { createPause } from './pause.ts'
import { requestFault } from './request-fault.ts'

export interface Gate {
  /** `upstream_unavailable` with `retryAfterMs` while the API is left alone. */
  check(url: URL): void
  /** Checks, runs the operation and learns from its outcome. */
  pass<T>(url: URL, operation: () => Promise<T>): Promise<T>
  /** Leaves the API alone for as long as it has asked for. */
  pause(ms: number): void
}

/** Leaves the API alone where it has asked for that or has failed too often. */
export function createGate({ clock, log }: { clock: Clock; log: Log }): Gate {
  const pauses = createPause(clock)
  const breaker = createCircuitBreaker({
    clock,
    healthOf,
    onOpen: (openForMs) => log.warn({ openForMs }, 'upstream_circuit_opened'),
  })

  function check(url: URL): void {
    const retryAfterMs = Math.max(pauses.remainingMs(), breaker.refusedForMs())
    if (retryAfterMs === 0) return
    const seconds = Math.ceil(retryAfterMs / 1000)
    const says = `was not sent: after what it answered before, the API is left alone for another ${seconds} s`
    throw requestFault('upstream_unavailable', url, says, { retryAfterMs })
  }

  async function pass<T>(url: URL, operation: () => Promise<T>): Promise<T> {
    check(url)
    return breaker.run(operation)
  }

  function pause(ms: number): void {
    pauses.extend(ms)
    log.warn({ pauseMs: ms }, 'upstream_paused')
  }

  return { check, pass, pause }
}

/** An answer, even a refusal, shows that the API works; an operation that its caller gave up shows nothing. */
function healthOf(error: unknown): Health {
  const fault = asAppError(error)
  if (!fault) return 'unknown'
  return fault.code === 'upstream_unavailable' && fault.status !== 429 ? 'failing' : 'working'
}
