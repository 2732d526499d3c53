import type { Instant } from './instant.ts'

/** What a request with an Idempotency-Key has made, so that the same request again makes nothing. */
export interface Creation {
  /** Hash of the key. */
  readonly keyHash: string
  /** Hash of what was asked for: another request must not use the key. */
  readonly requestHash: string
  /** In the order of the request. */
  readonly feedIds: readonly string[]
  readonly createdAt: Instant
}

/** For how long a key is known. */
export const creationKeptMs = 86_400_000
