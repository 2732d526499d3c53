import type { Instant } from './world.ts'

/** What a request with an Idempotency-Key has done; repeating it does nothing. */
export interface Creation {
  readonly keyHash: string
  /** No other request may use the key. */
  readonly requestHash: string
  readonly feedIds: readonly string[]
  readonly createdAt: Instant
}

export const creationKeptMs = 86_400_000
