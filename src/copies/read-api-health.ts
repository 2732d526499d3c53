import { type Collection, collectionKey } from '../domain/copy.ts'
import type { AppError } from '../domain/errors.ts'
import type { Clock, Instant, Log } from '../domain/world.ts'
import { kinds } from './kinds.ts'

/** For this long after a recovery, further trouble is logged only if it lasts. */
const restMs = 600_000
const lastingMs = 60_000
/** An operation not requested for this many freshness periods says nothing about now. */
const forgottenTimes = 4

type HealthDeps = { readonly freshMs: number; readonly clock: Clock; readonly log: Log }

/** Tracks whether a Read API responds. Logs once that it is down, and once that it is back. */
export class ReadApiHealth {
  readonly #deps: HealthDeps
  readonly #company: string
  readonly #failing = new Map<string, Instant>()
  /** From the first fault until everything that failed has succeeded again. */
  #trouble: { readonly since: Instant; readonly isLogged: boolean } | null = null
  #backAt: Instant = -Infinity
  /** Whether anything has succeeded since the last operation began to fail. */
  #isHeard = true

  constructor(company: string, deps: HealthDeps) {
    this.#company = company
    this.#deps = deps
  }

  get isUp(): boolean {
    return this.#failing.size === 0 || this.#isHeard
  }

  get downSince(): Instant | null {
    return this.isUp ? null : (this.#trouble?.since ?? null)
  }

  /** Records an answer, or a refusal that concerns one record only. */
  noteAnswer(collection: Collection): void {
    this.#isHeard = true
    if (!this.#trouble) return
    const { clock, log, freshMs } = this.#deps
    const now = clock.now()
    this.#failing.delete(operationOf(collection))
    for (const [name, lastAt] of this.#failing) {
      if (now - lastAt > forgottenTimes * freshMs) this.#failing.delete(name)
    }
    if (this.#failing.size > 0) return
    const { since, isLogged } = this.#trouble
    this.#trouble = null
    if (!isLogged) return
    this.#backAt = now
    const afterSeconds = Math.round((now - since) / 1000)
    log.info({ company: this.#company, afterSeconds }, 'read_api_back')
  }

  /** Records that there was no answer, or an invalid one. */
  noteFault(collection: Collection, { code, message: reason }: AppError): void {
    const now = this.#deps.clock.now()
    const operation = operationOf(collection)
    if (!this.#failing.has(operation)) this.#isHeard = false
    this.#failing.set(operation, now)
    this.#trouble ??= { since: now, isLogged: false }
    const { since, isLogged } = this.#trouble
    if (isLogged || (since - this.#backAt < restMs && now - since < lastingMs)) return
    this.#trouble = { since, isLogged: true }
    this.#deps.log.warn({ company: this.#company, operation, code, reason }, 'read_api_down')
  }
}

/** What fails for one person most likely fails for all. */
function operationOf(collection: Collection): string {
  return kinds[collection.kind].isPersonal ? collection.kind : collectionKey(collection)
}
