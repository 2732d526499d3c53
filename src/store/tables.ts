import { CamelCasePlugin, type Generated, type Kysely, type KyselyPlugin } from 'kysely'

import type { Database } from '../database/database.ts'
import type { AuditEntry } from '../domain/access/audit-entry.ts'
import type { ApiToken, Role, Session } from '../domain/access/staff.ts'
import type { LinkPolls } from '../domain/activity.ts'
import type { TrustedCredential } from '../domain/connection.ts'
import type { CopyHead, CopyName } from '../domain/copy.ts'
import type { Departure } from '../domain/departure.ts'
import type { Examination } from '../domain/examination.ts'
import type { Creation } from '../domain/feed-store.ts'
import type { Feed } from '../domain/feed.ts'
import type { LeaveClaim, LeaveProof } from '../domain/leave.ts'
import type { FeedLink } from '../domain/link.ts'
import type { LookRound, Newcomer, Person, PersonInCompany } from '../domain/person.ts'
import type { Instant } from '../domain/world.ts'

export type StoreDatabase = Database<StoreTables>
/** Also those of a transaction. */
export type Queries = Kysely<StoreTables>

/** Tables and columns are written with underscores in the database, and as the nouns' members here. */
export const columnNames: KyselyPlugin[] = [new CamelCasePlugin()]

/** A noun as a row holds it: booleans as 0 or 1, lists and objects as JSON; instants are milliseconds. */
export type RowOf<T> = { readonly [K in keyof T]: Column<T[K]> }

type Column<V> = V extends boolean
  ? number
  : V extends string | number | Uint8Array | null
    ? V
    : string

interface OfConnection {
  readonly connectionId: string
}

/** The bridge's own tables. */
export interface StoreTables {
  /** `polled`: whether a calendar program has asked for it; no change of the feed sets it. */
  readonly feeds: FeedRow & { readonly polled: Generated<number> }
  /** Who is in which feed, to find feeds by user. */
  readonly feedUsers: { readonly feedId: string; readonly userId: string }
  readonly links: LinkRow
  readonly activity: LinkPolls
  /** What requests with an Idempotency-Key have made. */
  readonly creations: RowOf<Creation>
  readonly ledgers: LedgerRow
  readonly copies: CopyRow
  /** Apart from the copies, so that looking whether anything changed reads none. */
  readonly copyRecords: CopyName & { readonly records: Uint8Array }
  /** `contested`: whether another user has claimed the leave too, 1 on the rows of all of them. */
  readonly leaveOwners: ClaimRow & OfConnection & { readonly contested: number }
  readonly proofs: LeaveProof & OfConnection
  readonly departures: DepartureRow
  readonly people: PersonRow
  /** Who is not to be seen again, by a hash that does not name them. */
  readonly erasedPeople: { readonly mark: string }
  readonly lookRounds: LookRoundRow
  readonly newcomers: Newcomer
  /** With which credential a connection has been read so far, and since when another one is in doubt. */
  readonly trustedCredentials: TrustedCredential & OfConnection
  readonly examinations: RowOf<Examination> & OfConnection & { readonly examinedAt: Instant }
  readonly tokens: ApiToken
  readonly sessions: SessionRow
  readonly audit: AuditRow
  /** Who has been mailed a link that was lost, and when. */
  readonly lostLinks: PersonInCompany & { readonly askedAt: Instant; readonly id: string }
}

export type FeedRow = RowOf<Omit<Feed, 'options' | 'shownCollections'>> & {
  readonly shown: string
}

export type LinkRow = RowOf<Omit<FeedLink, 'choices' | 'publication'>> & {
  /** null where its holder has chosen nothing. */
  readonly choices: string | null
  /** The publication, or none of it. */
  readonly fingerprint: string | null
  readonly etag: string | null
  readonly lastModified: Instant | null
}

export interface LedgerRow {
  /** Of the link. */
  readonly tokenHash: Uint8Array
  readonly version: number
  readonly entries: Uint8Array
}

export interface CopyRow extends Omit<
  CopyHead,
  'reach' | 'withReasons' | 'doubt' | 'held' | 'emptiedAt'
> {
  readonly connectionId: string
  /** Both or none. */
  readonly reachPastDays: number | null
  readonly reachFutureDays: number | null
  readonly withReasons: number
  readonly doubt: string | null
  readonly held: string | null
  readonly emptiedAt: Instant | null
}

export type ClaimRow = RowOf<LeaveClaim>

export type DepartureRow = RowOf<Omit<Departure, 'isHeldBack' | 'isCleared'>> & {
  readonly heldBack: number
  readonly cleared: number
}

export interface PersonRow extends Omit<Person, 'known'>, PersonInCompany {
  /** The id as `foldedId` gives it, as `findableMail` does the address. */
  readonly foldedId: string
  /** From its end to its beginning. */
  readonly reversedId: string
  readonly foldedEmail: string | null
  readonly dueAt: Instant
  /** The identity when name and mail were last both said; until then that of the columns above counts. */
  readonly knownName: string | null
  readonly knownMail: string | null
}

export interface LookRoundRow extends RowOf<LookRound> {
  readonly companyId: string
  readonly dueAt: Instant
  /** When a node last had the turn to read a person. */
  readonly readAt: Instant
  /** When a node last had the turn to ask everybody in feeds whether they are still there. */
  readonly calledAt: Instant
}

export interface SessionRow extends Omit<Session, 'person' | 'staff'> {
  /** The person, or none of it. */
  readonly companyId: string | null
  readonly userId: string | null
  /** The staff, or none of it. */
  readonly staffActor: string | null
  readonly staffRole: Role | null
}

export type AuditRow = RowOf<AuditEntry>
