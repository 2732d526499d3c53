import type { Instant } from '../domain/instant.ts'
import type { Clock } from '../domain/ports.ts'

/** What an outcome says of the API: it works, it fails, or neither. */
export type Health = 'working' | 'failing' | 'unknown'

export interface CircuitBreaker {
  /** How long requests are refused from now; 0 where they may be sent. */
  refusedForMs(): number
  /** Resolves when the operation that is to show whether the API works again has ended; undefined where none is under way. */
  probe(): Promise<void> | undefined
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

const FAILURES_MAX = 20
const OPEN_MS_FIRST = 1000
const OPEN_MS_MAX = 60_000

const CLOSED: State = { failures: 0, openings: 0, openUntil: -Infinity }

/**
 * After twenty failures in a row requests are refused for a second; then one is let through to see, and others wait
 * for what it shows. Its success closes the circuit, its failure opens it for twice as long, up to a minute.
 */
export function createCircuitBreaker({
  clock,
  healthOf,
  onOpen,
}: CircuitBreakerDeps): CircuitBreaker {
  let state = CLOSED
  let probe: Promise<void> | undefined

  function refusedForMs(): number {
    return Math.max(0, state.openUntil - clock.now())
  }

  async function run<T>(operation: () => Promise<T>): Promise<T> {
    if (state.failures < FAILURES_MAX) return learn(operation, afterFailure)
    const { promise, resolve } = Promise.withResolvers<undefined>()
    probe = promise
    try {
      return await learn(operation, opened)
    } finally {
      probe = undefined
      resolve(undefined)
    }
  }

  async function learn<T>(operation: () => Promise<T>, fail: typeof afterFailure): Promise<T> {
    try {
      const result = await operation()
      state = CLOSED
      return result
    } catch (error) {
      const health = healthOf(error)
      if (health === 'working') state = CLOSED
      else if (health === 'failing') enter(fail(state, clock.now()))
      throw error
    }
  }

  function enter(next: State): void {
    if (next.openings > state.openings) onOpen(next.openUntil - clock.now())
    state = next
  }

  return { refusedForMs, probe: () => probe, run }
}

/** Operations that were under way when the circuit opened do not open it further. */
function afterFailure(state: State, now: Instant): State {
  const failures = state.failures + 1
  return failures === FAILURES_MAX ? opened(state, now) : { ...state, failures }
}

function opened({ openings }: State, now: Instant): State {
  const openForMs = Math.min(OPEN_MS_MAX, OPEN_MS_FIRST * 2 ** openings)
  return { failures: FAILURES_MAX, openings: openings + 1, openUntil: now + openForMs }
}
