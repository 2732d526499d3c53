import { asAppError } from '../domain/errors.ts'
import type { Clock, Instant, Log } from '../domain/world.ts'
import { requestFault } from './http.ts'

/** For a 429 that does not say how long: doubled each time without a success in between. */
const unnamedPauseMs = { first: 60_000, max: 3_600_000 }

/** Consecutive failures after which an operation is paused. */
const failuresMax = 20
/** Further failures that pause it again; more than one, since a single request may fail on its own. */
const furtherFailuresMax = 8
/** Doubled each time without a success in between. */
const openMs = { first: 1000, max: 60_000 }

/** A time in which nothing is sent. */
interface Pause {
  readonly until: Instant
  readonly ms: number
}

const over: Pause = { until: 0, ms: 0 }

/** What is known of one operation. */
interface OperationState {
  /** In a row. */
  failures: number
  /** How often it has been left alone for its failures, without a success in between. */
  openings: number
  afterFailures: Pause
  /** That it has asked for. */
  asked: Pause
  succeededAt: Instant | null
}

/** What is asked for, and as which of the API's operations. */
export interface Errand {
  readonly operation: string
  readonly url: URL
}

/** Leaves an operation alone that has asked for that or has failed too often, and the whole API where it has asked for that. */
export class Gate {
  readonly #clock: Clock
  readonly #log: Log
  readonly #states = new Map<string, OperationState>()
  #pauseOfAll = over
  #unnamedMs = unnamedPauseMs.first

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
    this.#clock = clock
    this.#log = log
  }

  /** `upstream_unavailable` with `retryAfterMs` while that operation, or the API as a whole, is left alone. */
  check({ operation, url }: Errand): void {
    const { afterFailures, asked } = this.#state(operation)
    const pauses = [this.#pauseOfAll, asked, afterFailures]
    const retryAfterMs = Math.max(...pauses.map((pause) => this.#remainingMs(pause)))
    if (retryAfterMs === 0) return
    const seconds = Math.ceil(retryAfterMs / 1000)
    const says = `was not sent: after what it answered before, the API is left alone for another ${seconds} s`
    throw requestFault('upstream_unavailable', url, says, { retryAfterMs })
  }

  /** Checks, makes the request and learns from how it ends. */
  async pass<T>(errand: Errand, request: () => Promise<T>): Promise<T> {
    this.check(errand)
    const state = this.#state(errand.operation)
    try {
      const result = await request()
      this.#unnamedMs = unnamedPauseMs.first
      Object.assign(state, working, { succeededAt: this.#clock.now() })
      return result
    } catch (error) {
      // An answer, even a refusal, shows that the operation works; a request that its caller gave up shows nothing.
      const fault = asAppError(error)
      const isFailure = fault?.code === 'upstream_unavailable' && fault.status !== 429
      if (isFailure) this.#noteFailure(errand.operation, state)
      else if (fault) Object.assign(state, working)
      throw error
    }
  }

  /** Leaves that operation alone for so long; no pause shortens another. */
  pause(operation: string, ms: number): void {
    const state = this.#state(operation)
    state.asked = this.#prolonged(state.asked, ms)
    this.#log.debug({ operation, pauseMs: ms }, 'upstream_paused')
  }

  /** Leaves the whole API alone for so long or, where that is not known, for longer each time; gives how long from now. */
  pauseAll(askedMs: number | undefined): number {
    const left = this.#remainingMs(this.#pauseOfAll)
    // Answers to requests that were under way when the pause began say nothing new.
    if (askedMs === undefined && left > 0) return left
    const ms = askedMs ?? this.#unnamedMs
    if (askedMs === undefined) this.#unnamedMs = Math.min(unnamedPauseMs.max, 2 * ms)
    this.#pauseOfAll = this.#prolonged(this.#pauseOfAll, ms)
    this.#log.debug({ pauseMs: ms }, 'upstream_paused')
    return ms
  }

  /** When an operation other than that one last succeeded; null where none has, as far as the clock has not gone back since. */
  lastSuccessBut(operation: string): Instant | null {
    const now = this.#clock.now()
    const times = [...this.#states]
      .filter(([name]) => name !== operation)
      .flatMap(([, { succeededAt }]) => succeededAt ?? [])
      .filter((at) => at <= now)
    return times.length === 0 ? null : Math.max(...times)
  }

  /** Requests that were under way when the operation was left alone do not prolong that. */
  #noteFailure(operation: string, state: OperationState): void {
    if (this.#remainingMs(state.afterFailures) > 0) return
    state.failures += 1
    if (state.failures < failuresMax) return
    const ms = Math.min(openMs.max, openMs.first * 2 ** state.openings)
    state.openings += 1
    state.failures = failuresMax - furtherFailuresMax
    state.afterFailures = { until: this.#clock.now() + ms, ms }
    this.#log.debug({ operation, openForMs: ms }, 'upstream_circuit_opened')
  }

  #prolonged(before: Pause, ms: number): Pause {
    return this.#remainingMs(before) > ms ? before : { until: this.#clock.now() + ms, ms }
  }

  /** None where more would be left than the pause was long, since then the clock has gone back. */
  #remainingMs({ until, ms }: Pause): number {
    const left = until - this.#clock.now()
    return left > ms ? 0 : Math.max(0, left)
  }

  #state(operation: string): OperationState {
    const state = this.#states.get(operation) ?? { ...working, asked: over, succeededAt: null }
    this.#states.set(operation, state)
    return state
  }
}

const working = { failures: 0, openings: 0, afterFailures: over } as const
