import type { Instant, Clock } from '../domain/world.ts'

/** What an outcome says of the API: it works, it fails, or neither. */
export type Health = 'working' | 'failing' | 'unknown'

export interface CircuitBreaker {
  /** How long requests are refused from now; 0 where they may be sent. */
  refusedForMs(): number
  /** Runs the operation and learns from its outcome; refuses nothing itself. */
  run<T>(operation: () => Promise<T>): Promise<T>
}

export interface CircuitBreakerDeps {
  readonly clock: Clock
  readonly healthOf: (error: unknown) => Health
  readonly onOpen: (openForMs: number) => void
}

interface State {
  /** In a row. */
  readonly failures: number
  /** In a row, without a success in between. */
  readonly openings: number
  readonly openUntil: Instant
}

const failuresMax = 20
/**
 * Failures in a row that open the circuit again. Not one: where a single operation fails, the others must find out that
 * they work.
 */
const probes = 8
const openMsFirst = 1000
const openMsMax = 60_000

const closed: State = { failures: 0, openings: 0, openUntil: -Infinity }

/**
 * After twenty failures in a row requests are refused for a second; then they are let through again. A success closes the
 * circuit, eight more failures in a row open it for twice as long, up to a minute.
 */
export function createCircuitBreaker({
  clock,
  healthOf,
  onOpen,
}: CircuitBreakerDeps): CircuitBreaker {
  let state = closed

  async function run<T>(operation: () => Promise<T>): Promise<T> {
    try {
      const result = await operation()
      state = closed
      return result
    } catch (error) {
      const health = healthOf(error)
      if (health === 'working') state = closed
      else if (health === 'failing') enter(afterFailure(state, clock.now()))
      throw error
    }
  }

  function enter(next: State): void {
    if (next.openings > state.openings) onOpen(next.openUntil - clock.now())
    state = next
  }

  return { refusedForMs: () => Math.max(0, state.openUntil - clock.now()), run }
}

/** Operations that were under way when the circuit opened do not open it further. */
function afterFailure(state: State, now: Instant): State {
  const failures = state.failures + 1
  if (now < state.openUntil) return state
  return failures < failuresMax ? { ...state, failures } : opened(state, now)
}

function opened({ openings }: State, now: Instant): State {
  const openForMs = Math.min(openMsMax, openMsFirst * 2 ** openings)
  return { failures: failuresMax - probes, openings: openings + 1, openUntil: now + openForMs }
}
