/** A point in time: whole milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number

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
