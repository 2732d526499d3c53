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
