import { asAppError } from '../domain/errors.ts'
import type { Clock, Instant, Log } from '../domain/world.ts'
import { afterFailure, type Circuit, closed } from './circuit.ts'
import { longer, type Pause, pauseFrom, remainingMs } from './pause.ts'
import { requestFault } from './request-fault.ts'

/** For a 429 that does not say how long: doubled each time without a success in between. */
const unnamedPauseMs = { first: 60_000, max: 3_600_000 }

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
