import { asAppError } from '../domain/errors.ts'
import type { ReadApiMeasures } from '../domain/measures.ts'
import type { Clock, Instant, Log } from '../domain/world.ts'
import { requestFault } from './http.ts'

/** For a 429 without a readable wait; doubled each time without a success in between. */
const unnamedPauseMs = { first: 60_000, max: 3_600_000 }

/** Consecutive failures after which an operation is paused. */
const failuresMax = 20
/** Further failures until the next pause; more than one, since a single request may fail by itself. */
const furtherFailuresMax = 8
/** Pause after failures; doubled each time without a success in between. */
const openMs = { first: 1000, max: 60_000 }

interface Pause {
  readonly until: Instant
  readonly ms: number
}

const over: Pause = { until: 0, ms: 0 }

interface OperationState {
  /** Consecutive failures. */
  failures: number
  /** Pauses after failures since the last success. */
  openings: number
  afterFailures: Pause
  /** Requested by the API. */
  asked: Pause
  succeededAt: Instant | null
}

/** A request, and the API operation it belongs to. */
export interface Errand {
  readonly operation: string
  readonly url: URL
}

interface GateDeps {
  readonly clock: Clock
  readonly log: Log
  readonly measures?: Pick<ReadApiMeasures, 'countPause'> | undefined
}

/** Pauses an operation that requests it or fails too often, and the whole API if the API requests it. */
export class Gate {
  readonly #clock: Clock
  readonly #log: Log
  readonly #measures: GateDeps['measures']
  readonly #states = new Map<string, OperationState>()
  #pauseOfAll = over
  #unnamedMs = unnamedPauseMs.first

  constructor({ clock, log, measures }: GateDeps) {
    this.#clock = clock
    this.#log = log
    this.#measures = measures
  }

  /** Fails with `upstream_unavailable` and `retryAfterMs` while the operation or the whole API is paused. */
  check({ operation, url }: Errand): void {
    const { afterFailures, asked } = this.#state(operation)
    const pauses = [this.#pauseOfAll, asked, afterFailures]
    const retryAfterMs = Math.max(...pauses.map((pause) => this.#remainingMs(pause)))
    if (retryAfterMs === 0) return
    const seconds = Math.ceil(retryAfterMs / 1000)
    const says = `was not sent: after what it answered before, the API is left alone for another ${seconds} s`
    throw requestFault('upstream_unavailable', url, says, { retryAfterMs })
  }

  /** Runs the request unless there is a pause, and records how it ends. */
  async pass<T>(errand: Errand, request: () => Promise<T>): Promise<T> {
    this.check(errand)
    const state = this.#state(errand.operation)
    try {
      const result = await request()
      this.#unnamedMs = unnamedPauseMs.first
      Object.assign(state, working, { succeededAt: this.#clock.now() })
      return result
    } catch (error) {
      // A response, even a refusal, shows that the operation works. A request that its caller aborted shows nothing.
      const fault = asAppError(error)
      const isFailure = fault?.code === 'upstream_unavailable' && fault.status !== 429
      if (isFailure) this.#noteFailure(errand.operation, state)
      else if (fault) Object.assign(state, working)
      throw error
    }
  }

  /** Pauses the operation; never shortens a pause. */
  pause(operation: string, ms: number): void {
    const state = this.#state(operation)
    state.asked = this.#prolonged(state.asked, ms)
    this.#measures?.countPause('asked')
    this.#log.debug({ operation, pauseMs: ms }, 'upstream_paused')
  }

  /** Pauses the whole API, for longer each time if the API names no time. Returns the remaining pause. */
  pauseAll(askedMs: number | undefined): number {
    const left = this.#remainingMs(this.#pauseOfAll)
    // Responses to requests from before the pause say nothing new.
    if (askedMs === undefined && left > 0) return left
    const ms = askedMs ?? this.#unnamedMs
    if (askedMs === undefined) this.#unnamedMs = Math.min(unnamedPauseMs.max, 2 * ms)
    this.#pauseOfAll = this.#prolonged(this.#pauseOfAll, ms)
    this.#measures?.countPause('asked')
    this.#log.debug({ pauseMs: ms }, 'upstream_paused')
    return ms
  }

  /**
   * Returns when any other operation last succeeded; null if none did. Times after now are ignored, since the clock was set
   * back.
   */
  lastSuccessBut(operation: string): Instant | null {
    const now = this.#clock.now()
    const times = [...this.#states]
      .filter(([name]) => name !== operation)
      .flatMap(([, { succeededAt }]) => succeededAt ?? [])
      .filter((at) => at <= now)
    return times.length === 0 ? null : Math.max(...times)
  }

  /** Requests that were under way when the pause began do not prolong it. */
  #noteFailure(operation: string, state: OperationState): void {
    if (this.#remainingMs(state.afterFailures) > 0) return
    state.failures += 1
    if (state.failures < failuresMax) return
    const ms = Math.min(openMs.max, openMs.first * 2 ** state.openings)
    state.openings += 1
    state.failures = failuresMax - furtherFailuresMax
    state.afterFailures = { until: this.#clock.now() + ms, ms }
    this.#measures?.countPause('failures')
    this.#log.debug({ operation, openForMs: ms }, 'upstream_circuit_opened')
  }

  #prolonged(before: Pause, ms: number): Pause {
    return this.#remainingMs(before) > ms ? before : { until: this.#clock.now() + ms, ms }
  }

  /** Zero if more than the pause's length would be left, since then the clock was set back. */
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
