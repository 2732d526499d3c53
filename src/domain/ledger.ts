import type { Instant } from './world.ts'

/** What one link showed last, by event. */
export interface Ledger {
  /** Rises with every change: a write names the version that it was made from. */
  readonly version: number
  /** By the hash of the UID: seven bytes as 10 characters of base64url. */
  readonly entries: ReadonlyMap<string, LedgerEntry>
}

/** What it shows now, in place of the ledger of that version. */
export interface NextLedger extends Pick<Ledger, 'version'> {
  readonly entries: Iterable<NamedEntry>
}

/** With the hash of its UID. */
export type NamedEntry = readonly [string, LedgerEntry]

export interface LedgerEntry {
  /** Of everything the event says but its revision: seven bytes as 10 characters of base64url. */
  readonly contentHash: string
  readonly sequence: number
  /** In whole seconds, as RFC 5545 writes it. */
  readonly changedAt: Instant
  /** When the event was first missing from the calendar; null while it is shown. */
  readonly goneAt: Instant | null
}

/** For how long an event is remembered that the link no longer shows, and all of a link that has ended or whose feed is closed. */
export const ledgerKeptMs = 400 * 86_400_000

type LinkHash = { readonly tokenHash: Uint8Array }

/** What each link showed last, event by event: what the holder of one chooses moves no revision of another. */
export interface LedgerStore {
  /** The link's ledger and its version; an empty one of version 0 where none is kept. */
  findLedger(link: LinkHash): Promise<Ledger>
  /** Keeps the ledger with the next version, if the kept one is still of `ledger.version` and the link is there; false otherwise. */
  saveLedger(link: LinkHash, ledger: NextLedger): Promise<boolean>
}

/** What a link served last: enough to answer "has anything changed?" without rendering. */
export interface Publication {
  readonly fingerprint: string
  /** The entity tag with its quotes and weakness mark (RFC 9110 section 8.8.3). */
  readonly etag: string
  readonly lastModified: Instant
}
