import { addAbortListener } from 'node:events'

/** Whole milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number

/** What is further in the future was written by a clock that ran ahead: nodes' clocks differ by less. */
export const clockSkewMs = 60_000

/** A field that the Read API may leave out or send as null. */
export type Maybe<T> = T | null | undefined

export interface Clock {
  now(): Instant
  /** Rejects with the signal's reason if it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** One word for the event, data without secrets. */
export interface Log {
  debug(data: object, event: string): void
  info(data: object, event: string): void
  warn(data: object, event: string): void
  error(data: object, event: string): void
}

interface RepeatedWork {
  readonly name: string
  readonly everyMs: number
  readonly work: (signal: AbortSignal) => Promise<unknown>
}

interface RepeatDeps {
  readonly clock: Clock
  readonly log: Log
}

/** Does each work now and again after every pause; a failure is logged. */
export class Repeated {
  readonly #deps: RepeatDeps
  readonly #works: readonly RepeatedWork[]
  readonly #ending = new AbortController()
  #rounds: readonly Promise<void>[] = []

  constructor(deps: RepeatDeps, ...works: readonly RepeatedWork[]) {
    this.#deps = deps
    this.#works = works
  }

  start(): void {
    if (this.#rounds.length === 0) this.#rounds = this.#works.map((work) => this.#goOn(work))
  }

  /** Waits for the last of each. */
  async close(): Promise<void> {
    this.#ending.abort(new Error('closing'))
    await Promise.all(this.#rounds)
  }

  async #goOn({ name, everyMs, work }: RepeatedWork): Promise<void> {
    const { clock, log } = this.#deps
    const { signal } = this.#ending
    while (!signal.aborted) {
      await work(signal).catch((error: unknown) => {
        if (!signal.aborted) log.error({ work: name, error }, 'work_failed')
      })
      await clock.sleep(everyMs, signal).catch(() => undefined)
    }
  }
}

/** How many times as long as the work others have the processor; what takes very long mostly waits anyway. */
const restsPerWork = 4
const restMsMax = 10_000

/** Work for one company after another, with a rest after each, so that it takes little memory and processor time. */
export class SpareTime {
  readonly #clock: Clock
  #last: Promise<unknown> = Promise.resolve()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Does the work in its turn; fails as it does, or with the signal's reason if that ends the waiting. */
  async use<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const used = Promise.withResolvers<unknown>()
    const before = this.#last
    this.#last = Promise.all([before, used.promise])
    let begunAt: Instant | undefined
    try {
      await unlessAborted(before, signal)
      begunAt = this.#clock.now()
      return await work()
    } finally {
      const workMs = begunAt === undefined ? 0 : this.#clock.now() - begunAt
      const restMs = Math.min(restsPerWork * workMs, restMsMax)
      used.resolve(restMs > 0 && this.#clock.sleep(restMs, signal).catch(() => undefined))
    }
  }
}

export async function unlessAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  using _ = addAbortListener(signal, () => aborted.reject(signal.reason))
  await Promise.race([promise, aborted.promise])
}

export const minuteMs = 60_000
export const hourMs = 3_600_000
export const dayMs = 86_400_000
