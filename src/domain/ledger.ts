import type { Instant } from './world.ts'

/** What one link showed last, by event. */
export interface Ledger {
  /** Rises with every change: a write names the version that it is based on. */
  readonly version: number
  /** By the hash of the UID: seven bytes as 10 characters of base64url. */
  readonly entries: ReadonlyMap<string, LedgerEntry>
  /** Left out if a release before 0.3 wrote the ledger last, or the database was restored since. */
  readonly history?: SyncHistory | undefined
}

/** Replaces the ledger with that version. */
export interface NextLedger extends Pick<Ledger, 'version' | 'history'> {
  readonly entries: Iterable<NamedEntry>
}

export type NamedEntry = readonly [string, LedgerEntry]

export interface LedgerEntry {
  /** Of everything but the revision: seven bytes as 10 characters of base64url. */
  readonly contentHash: string
  readonly sequence: number
  /** In whole seconds, as RFC 5545 writes it. */
  readonly changedAt: Instant
  /** When the event was first missing from the calendar; null while it is shown. */
  readonly goneAt: Instant | null
  /** Last-Modified of the publication that last changed, showed or removed the event, or a later one. Left out without a history. */
  readonly publishedAt?: Instant | undefined
}

/** From which publications on the ledger can say what has changed (RFC 6578). */
export interface SyncHistory {
  /** Last-Modified of a publication: what earlier ones removed is forgotten. */
  readonly since: Instant
  /** Oldest first. The last is that of the link which wrote the ledger; the others are those of the links that it replaced. */
  readonly ranges: readonly PublishedRange[]
}

/** A link, by `syncName`, and Last-Modified of its first and last publication that the ledger knows. */
export type PublishedRange = readonly [link: string, first: Instant, last: Instant]

/** How long an event is remembered after the link showed it last, or the link or its feed ended. */
export const ledgerKeptMs = 400 * 86_400_000

/** Each link has a ledger of its own: the choices of one holder change no revision of another. */
export interface LedgerStore {
  /** Empty and of version 0 if none is kept. */
  findLedger(link: { readonly tokenHash: Uint8Array }): Promise<Ledger>
  /** False if the kept version is not `ledger.version` any more, or the link is gone. */
  saveLedger(link: { readonly tokenHash: Uint8Array }, ledger: NextLedger): Promise<boolean>
}

/** What a link served last: enough to know whether anything has changed. */
export interface Publication {
  readonly fingerprint: string
  /** With quotes and weakness mark (RFC 9110 section 8.8.3). */
  readonly etag: string
  readonly lastModified: Instant
}
