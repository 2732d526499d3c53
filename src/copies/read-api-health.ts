import { type Collection, collectionKey } from '../domain/copy.ts'
import type { AppError } from '../domain/errors.ts'
import type { Clock, Instant, Log } from '../domain/world.ts'
import { kinds } from './kinds.ts'

/** So soon after it was back, further trouble is told only where it lasts. */
const restMs = 600_000
const lastingMs = 60_000
/** What has not been asked for in so many times of how long copies are fresh says nothing of now. */
const forgottenTimes = 4

/** What goes on from the first fault until all that failed has been answered again. */
interface Trouble {
  readonly since: Instant
  readonly isLogged: boolean
}

/** How a Read API answers those who refresh copies: the log hears of its going down once, and once of its being back. */
export class ReadApiHealth {
  readonly #deps
  /** What is asked for and not answered as it should be, and when it last was not. */
  readonly #failing = new Map<string, Instant>()
  #trouble: Trouble | null = null
  /** Whether anything has been answered since the last of what fails began to. */
  #isHeard = true
  #backAt: Instant | null = null

  constructor(deps: {
    readonly company: string
    readonly freshMs: number
    readonly clock: Clock
    readonly log: Log
  }) {
    this.#deps = deps
  }

  /** Whether it answers anything. */
  get isUp(): boolean {
    return this.#failing.size === 0 || this.#isHeard
  }

  /** That was answered, be it by a refusal that tells of one record only. */
  noteAnswer(collection: Collection): void {
    this.#isHeard = true
    if (!this.#trouble) return
    const now = this.#deps.clock.now()
    this.#failing.delete(operationOf(collection))
    for (const [name, lastAt] of this.#failing) {
      if (now - lastAt > forgottenTimes * this.#deps.freshMs) this.#failing.delete(name)
    }
    if (this.#failing.size > 0) return
    const { since, isLogged } = this.#trouble
    this.#trouble = null
    if (!isLogged) return
    this.#backAt = now
    const { company, log } = this.#deps
    log.info({ company, afterSeconds: Math.round((now - since) / 1000) }, 'read_api_back')
  }

  /** That was not answered, or not as the Read API should. */
  noteFault(collection: Collection, { code, message: reason }: AppError): void {
    const { company, clock, log } = this.#deps
    const now = clock.now()
    const operation = operationOf(collection)
    if (!this.#failing.has(operation)) this.#isHeard = false
    this.#failing.set(operation, now)
    this.#trouble ??= { since: now, isLogged: false }
    const { since, isLogged } = this.#trouble
    const isResting =
      this.#backAt !== null && since - this.#backAt < restMs && now - since < lastingMs
    if (isLogged || isResting) return
    this.#trouble = { since, isLogged: true }
    log.warn({ company, operation, code, reason }, 'read_api_down')
  }
}

/** Whoever it is of: what fails for one person fails for all, most likely. */
function operationOf(collection: Collection): string {
  return kinds[collection.kind].isPersonal ? collection.kind : collectionKey(collection)
}
