/** A point in time: whole milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number

/** A calendar date without a time or zone, written `YYYY-MM-DD`; compares correctly as text. */
export type PlainDate = string

/** A field that the Read API may leave out or send as null. */
export type Maybe<T> = T | null | undefined
