import type { Instant } from '../domain/instant.ts'
import type { Clock } from '../domain/ports.ts'

/** What an outcome says of the API: it works, it fails, or neither. */
export type Health = 'working' | 'failing' | 'unknown'

export interface CircuitBreaker {
  /** How long requests are refused from now; 0 where they may be sent. */
  refusedForMs(): number
  /** Resolves as soon as no request is under way that will show whether the API works again. */
  probed(): Promise<void>
  /** Runs the operation and learns from its outcome; refuses nothing itself. */
  run<T>(operation: () => Promise<T>): Promise<T>
}

export interface CircuitBreakerDeps {
  readonly clock: Clock
  readonly healthOf: (error: unknown) => Health
  readonly onOpen: (openForMs: number) => void
}

const FAILURES_MAX = 20
const OPEN_MS_FIRST = 1000
const OPEN_MS_MAX = 60_000

/**
 * After twenty failures in a row requests are refused for a second; then one is let through to see, and others wait
 * for what it shows. Its success closes the circuit, its failure opens it for twice as long, up to a minute.
 */
export function createCircuitBreaker(deps: CircuitBreakerDeps): CircuitBreaker {
  let failures = 0
  let openings = 0
  let openUntil: Instant = -Infinity
  let probe: Promise<void> | null = null

  function refusedForMs(): number {
    if (failures < FAILURES_MAX) return 0
    return Math.max(0, openUntil - deps.clock.now())
  }

  async function probed(): Promise<void> {
    await probe
  }

  async function run<T>(operation: () => Promise<T>): Promise<T> {
    if (failures < FAILURES_MAX) return learn(operation, false)
    const { promise, resolve } = Promise.withResolvers<void>()
    probe = promise
    try {
      return await learn(operation, true)
    } finally {
      probe = null
      resolve()
    }
  }

  async function learn<T>(operation: () => Promise<T>, isProbe: boolean): Promise<T> {
    try {
      const result = await operation()
      note('working', isProbe)
      return result
    } catch (error) {
      note(deps.healthOf(error), isProbe)
      throw error
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

  return { refusedForMs, probed, run }
}
