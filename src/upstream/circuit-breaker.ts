import type { Instant } from '../domain/instant.ts'
import type { Clock } from '../domain/ports.ts'

/** What an outcome says of the API: it works, it fails, or neither. */
export type Health = 'working' | 'failing' | 'unknown'

export interface CircuitBreaker {
  /** How long requests are refused from now; 0 where one may be sent. */
  refusedForMs(): number
  /** Runs the operation and learns from its outcome; refuses nothing itself. */
  run<T>(operation: () => Promise<T>): Promise<T>
}

export interface CircuitBreakerDeps {
  readonly clock: Clock
  readonly healthOf: (error: unknown) => Health
  readonly onOpen: (openForMs: number) => void
}

const FAILURES_MAX = 5
const OPEN_MS_FIRST = 10_000
const OPEN_MS_MAX = 300_000
const PROBE_MS = 1_000

/**
 * After five failures in a row requests are refused for 10 seconds; then one is let through to see. Its
 * success closes the circuit, its failure opens it for twice as long, up to five minutes.
 */
export function createCircuitBreaker(deps: CircuitBreakerDeps): CircuitBreaker {
  let failures = 0
  let openings = 0
  let openUntil: Instant = -Infinity
  let probing = false

  function refusedForMs(): number {
    if (failures < FAILURES_MAX) return 0
    const remainingMs = Math.max(0, openUntil - deps.clock.now())
    return probing ? Math.max(remainingMs, PROBE_MS) : remainingMs
  }

  async function run<T>(operation: () => Promise<T>): Promise<T> {
    const isProbe = failures >= FAILURES_MAX
    if (isProbe) probing = true
    try {
      const result = await operation()
      note('working', isProbe)
      return result
    } catch (error) {
      note(deps.healthOf(error), isProbe)
      throw error
    } finally {
      if (isProbe) probing = false
    }
  }

  function note(health: Health, isProbe: boolean): void {
    if (health === 'working') close()
    else if (health === 'failing') fail(isProbe)
  }

  function close(): void {
    failures = 0
    openings = 0
  }

  function fail(isProbe: boolean): void {
    failures += 1
    // Requests that were under way when the circuit opened do not open it further.
    if (isProbe || failures === FAILURES_MAX) open()
  }

  function open(): void {
    const openForMs = Math.min(OPEN_MS_MAX, OPEN_MS_FIRST * 2 ** openings)
    openUntil = deps.clock.now() + openForMs
    openings += 1
    deps.onOpen(openForMs)
  }

  return { refusedForMs, run }
}
