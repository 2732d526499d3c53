import type { Instant } from './world.ts'

/** What a request with an Idempotency-Key has made: repeated, it makes nothing. */
export interface Creation {
  readonly keyHash: string
  /** Another request must not use the key. */
  readonly requestHash: string
  readonly feedIds: readonly string[]
  readonly createdAt: Instant
}

export const creationKeptMs = 86_400_000
