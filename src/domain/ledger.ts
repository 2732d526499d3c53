import type { Instant } from './instant.ts'

/** What one feed showed last, by event. */
export interface Ledger {
  /** Rises with every change: a write names the version that it was made from. */
  readonly version: number
  /** By the hash of the UID: seven bytes as 10 characters of base64url. */
  readonly entries: ReadonlyMap<string, LedgerEntry>
}

export interface LedgerEntry {
  /** Of everything the event says but its revision: seven bytes as 10 characters of base64url. */
  readonly contentHash: string
  readonly sequence: number
  /** In whole seconds, as RFC 5545 writes it. */
  readonly changedAt: Instant
  /** When the event was first missing from the feed; null while it is shown. */
  readonly goneAt: Instant | null
}
