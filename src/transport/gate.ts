import { asAppError } from '../domain/errors.ts'
import type { Clock, Instant, Log } from '../domain/world.ts'
import { requestFault } from './http.ts'

/** For a 429 that does not say how long: doubled each time without a success in between. */
const unnamedPauseMs = { first: 60_000, max: 3_600_000 }

/** In a row, while all seemed well. */
const failuresMax = 20
/** In a row, after an opening. Not one: a single request may fail for reasons of its own. */
const furtherFailuresMax = 8
/** Doubled at each opening without a success in between. */
const openMs = { first: 1000, max: 60_000 }

/** What the ends of requests have said of an operation. */
interface Circuit {
  /** In a row. */
  readonly failures: number
  /** In a row, without a success in between. */
  readonly openings: number
  /** null while it has not been opened. */
  readonly open: Pause | null
}

const closed: Circuit = { failures: 0, openings: 0, open: null }

/**
 * The circuit after one more failure: twenty in a row open it for a second, eight more for twice as long, up to a minute.
 * Requests that were under way when it opened do not open it further.
 */
function afterFailure(circuit: Circuit, now: Instant): Circuit {
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

/** A time in which nothing is sent. */
interface Pause {
  readonly until: Instant
  readonly ms: number
}

function pauseFrom(now: Instant, ms: number): Pause {
  return { until: now + ms, ms }
}

/** How much of it is left; none where more would be left than it was long, since then the clock has gone back. */
function remainingMs({ until, ms }: Pause, now: Instant): number {
  const left = until - now
  return left > ms ? 0 : Math.max(0, left)
}

/** Of a pause under way, if there is one, and a new one, that which ends later. */
function longer(before: Pause | null, pause: Pause, now: Instant): Pause {
  return before && remainingMs(before, now) > remainingMs(pause, now) ? before : pause
}

/** What is asked for, and as which of the API's operations. */
export interface Errand {
  readonly operation: string
  readonly url: URL
}

interface GateDeps {
  readonly clock: Clock
  readonly log: Log
}

/** What is known of one operation. */
interface OperationState {
  readonly circuit: Circuit
  /** The pause that it has asked for; null while it has not. */
  readonly asked: Pause | null
  /** When it last succeeded. */
  readonly succeededAt: Instant | null
}

const unknown: OperationState = { circuit: closed, asked: null, succeededAt: null }

/** Leaves an operation alone that has asked for that or has failed too often, and the whole API where it has asked for that. */
export class Gate {
  readonly #deps: GateDeps
  readonly #states = new Map<string, OperationState>()
  /** Of the whole API. */
  #pause: Pause | null = null
  #unnamedMs = unnamedPauseMs.first

  constructor(deps: GateDeps) {
    this.#deps = deps
  }

  /** `upstream_unavailable` with `retryAfterMs` while that operation, or the API as a whole, is left alone. */
  check({ operation, url }: Errand): void {
    const { circuit, asked } = this.#state(operation)
    const pauses = [this.#pause, asked, circuit.open]
    const retryAfterMs = Math.max(...pauses.map((pause) => this.#remaining(pause)))
    if (retryAfterMs === 0) return
    const seconds = Math.ceil(retryAfterMs / 1000)
    const says = `was not sent: after what it answered before, the API is left alone for another ${seconds} s`
    throw requestFault('upstream_unavailable', url, says, { retryAfterMs })
  }

  /** Checks, makes the request and learns from how it ends. */
  async pass<T>(errand: Errand, request: () => Promise<T>): Promise<T> {
    this.check(errand)
    try {
      const result = await request()
      this.#noteSuccess(errand.operation)
      return result
    } catch (error) {
      this.#learn(errand.operation, healthOf(error))
      throw error
    }
  }

  /** Leaves that operation alone for so long; no pause shortens another. */
  pause(operation: string, ms: number): void {
    const state = this.#state(operation)
    this.#states.set(operation, { ...state, asked: this.#prolonged(state.asked, ms) })
    this.#deps.log.debug({ operation, pauseMs: ms }, 'upstream_paused')
  }

  /** Leaves the whole API alone for so long or, where that is not known, for longer each time; gives how long from now. */
  pauseAll(askedMs: number | undefined): number {
    const left = this.#remaining(this.#pause)
    // Answers to requests that were under way when the pause began say nothing new.
    if (askedMs === undefined && left > 0) return left
    const ms = askedMs ?? this.#nextUnnamedMs()
    this.#pause = this.#prolonged(this.#pause, ms)
    this.#deps.log.debug({ pauseMs: ms }, 'upstream_paused')
    return ms
  }

  /** When an operation other than that one last succeeded; null where none has, as far as the clock has not gone back since. */
  lastSuccessBut(operation: string): Instant | null {
    const now = this.#deps.clock.now()
    const times = [...this.#states]
      .filter(([name]) => name !== operation)
      .flatMap(([, { succeededAt }]) => succeededAt ?? [])
      .filter((at) => at <= now)
    return times.length === 0 ? null : Math.max(...times)
  }

  #noteSuccess(operation: string): void {
    this.#learn(operation, 'working')
    this.#unnamedMs = unnamedPauseMs.first
    const succeededAt = this.#deps.clock.now()
    this.#states.set(operation, { ...this.#state(operation), succeededAt })
  }

  #learn(operation: string, health: Health): void {
    if (health === 'unknown') return
    const state = this.#state(operation)
    const { circuit: before } = state
    const circuit = health === 'working' ? closed : afterFailure(before, this.#deps.clock.now())
    this.#states.set(operation, { ...state, circuit })
    if (circuit.openings <= before.openings) return
    this.#deps.log.debug({ operation, openForMs: circuit.open?.ms }, 'upstream_circuit_opened')
  }

  #nextUnnamedMs(): number {
    const ms = this.#unnamedMs
    this.#unnamedMs = Math.min(unnamedPauseMs.max, 2 * ms)
    return ms
  }

  #prolonged(before: Pause | null, ms: number): Pause {
    const now = this.#deps.clock.now()
    return longer(before, pauseFrom(now, ms), now)
  }

  #remaining(pause: Pause | null): number {
    return pause ? remainingMs(pause, this.#deps.clock.now()) : 0
  }

  #state(operation: string): OperationState {
    return this.#states.get(operation) ?? unknown
  }
}

type Health = 'working' | 'failing' | 'unknown'

/** An answer, even a refusal, shows that the operation works; a request that its caller gave up shows nothing. */
function healthOf(error: unknown): Health {
  const fault = asAppError(error)
  if (!fault) return 'unknown'
  return fault.code === 'upstream_unavailable' && fault.status !== 429 ? 'failing' : 'working'
}
