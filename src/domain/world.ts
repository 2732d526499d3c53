import { addAbortListener } from 'node:events'

/** A point in time: whole milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number

/** What is later than that by the clock here was written by a clock that runs ahead: nodes' clocks differ by less. */
export const clockSkewMs = 60_000

/** A field that the Read API may leave out or send as null. */
export type Maybe<T> = T | null | undefined

/** The world's time, so that tests can set it. */
export interface Clock {
  now(): Instant
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Where the program says what happens: one word for the event, data without secrets. */
export interface Log {
  debug(data: object, event: string): void
  info(data: object, event: string): void
  warn(data: object, event: string): void
  error(data: object, event: string): void
}

/** What is done again and again, and how long after one time the next comes. */
export interface RepeatedWork {
  /** In the log, where it fails. */
  readonly name: string
  readonly everyMs: number
  readonly work: (signal: AbortSignal) => Promise<unknown>
}

/**
 * Does the work now and again after every pause; a time that fails is logged and holds back no other. Gives what ends it:
 * a promise that the last one has come to its end.
 */
export function repeat(
  { name, everyMs, work }: RepeatedWork,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): () => Promise<void> {
  const ending = new AbortController()
  const { signal } = ending
  async function goOn(): Promise<void> {
    while (!signal.aborted) {
      await work(signal).catch((error: unknown) => {
        if (!signal.aborted) log.error({ work: name, error }, 'work_failed')
      })
      await clock.sleep(everyMs, signal).catch(() => undefined)
    }
  }
  const rounds = goOn()
  return async () => {
    ending.abort(new Error('closing'))
    await rounds
  }
}

/** Work that is repeated from `start` on until `close`, each by its own pause. */
export class Repeated {
  readonly #works: readonly RepeatedWork[]
  readonly #deps: { readonly clock: Clock; readonly log: Log }
  #ends: readonly (() => Promise<void>)[] = []

  constructor(
    deps: { readonly clock: Clock; readonly log: Log },
    ...works: readonly RepeatedWork[]
  ) {
    this.#deps = deps
    this.#works = works
  }

  start(): void {
    if (this.#ends.length === 0) this.#ends = this.#works.map((work) => repeat(work, this.#deps))
  }

  async close(): Promise<void> {
    await Promise.all(this.#ends.map((end) => end()))
  }
}

/** For so many times as long as a work took all others have the processor; not for longer than that: what takes longer mostly waits for others. */
const restsPerWork = 4
const restMsMax = 10_000

/**
 * What is done for one company after another beside the answers: for one at a time, however many there are, and with a rest
 * after each, so that it takes neither the memory of several nor much of the processor.
 */
export class SpareTime {
  readonly #clock: Clock
  #last: Promise<unknown> = Promise.resolve()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The work in its turn; fails as it does, or with the signal's reason where that ends the waiting. */
  async use<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const used = Promise.withResolvers<number>()
    const before = this.#last
    this.#last = Promise.all([before, used.promise.then((ms) => this.#rest(ms, signal))])
    let begunAt: Instant | undefined
    try {
      await unlessAborted(before, signal)
      begunAt = this.#clock.now()
      return await work()
    } finally {
      used.resolve(begunAt === undefined ? 0 : this.#clock.now() - begunAt)
    }
  }

  async #rest(workMs: number, signal: AbortSignal): Promise<void> {
    const ms = Math.min(restsPerWork * workMs, restMsMax)
    if (ms > 0) await this.#clock.sleep(ms, signal).catch(() => undefined)
  }
}

/** Waits for the promise; fails with the signal's reason if that comes first. */
async function unlessAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  using _ = addAbortListener(signal, () => aborted.reject(signal.reason))
  await Promise.race([promise, aborted.promise])
}
