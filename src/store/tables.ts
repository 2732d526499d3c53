import { CamelCasePlugin, type Generated, type Kysely, type KyselyPlugin } from 'kysely'

import type { Database } from '../database/database.ts'
import type { AuditEntry } from '../domain/access/audit-entry.ts'
import type { ApiToken, Role, Session } from '../domain/access/staff.ts'
import type { LinkPolls } from '../domain/activity.ts'
import type { TrustedCredential } from '../domain/connection.ts'
import type { CopyHead, CopyName } from '../domain/copy.ts'
import type { Creation } from '../domain/creation.ts'
import type { Departure } from '../domain/departure.ts'
import type { Examination } from '../domain/examination.ts'
import type { Feed, TeamDepth } from '../domain/feed.ts'
import type { LeaveClaim, LeaveProof } from '../domain/leave.ts'
import type { FeedLink } from '../domain/link.ts'
import type { LookRound, Newcomer, Person, PersonInCompany } from '../domain/person.ts'
import type { Instant } from '../domain/world.ts'

export type StoreDatabase = Database<StoreTables>
/** Queries of the database or of a transaction. */
export type Queries = Kysely<StoreTables>

/** Snake case in the database, camel case here. */
export const columnNames: KyselyPlugin[] = [new CamelCasePlugin()]

/** The row of an object: booleans as 0 or 1, lists and objects as JSON, instants in milliseconds. */
export type RowOf<T> = { readonly [K in keyof T]: Column<T[K]> }

type Column<V> = V extends boolean
  ? number
  : V extends string | number | Uint8Array | null
    ? V
    : string

interface OfConnection {
  readonly connectionId: string
}

export interface StoreTables {
  /** `polled`: whether a calendar program has requested it; not part of the feed itself. */
  readonly feeds: FeedRow & { readonly polled: Generated<number> }
  /** To find feeds by user. */
  readonly feedUsers: { readonly feedId: string; readonly userId: string }
  readonly companyDefaults: CompanyDefaultsRow
  readonly links: LinkRow
  readonly activity: LinkPolls
  /** Requests with an Idempotency-Key. */
  readonly creations: RowOf<Creation>
  readonly ledgers: LedgerRow
  readonly copies: CopyRow
  /** Separate from the copies, so that checking for changes reads no records. */
  readonly copyRecords: CopyName & { readonly records: Uint8Array }
  /** `contested`: 1 on all claims to a leave that several people claim. */
  readonly leaveOwners: ClaimRow & OfConnection & { readonly contested: number }
  readonly proofs: LeaveProof & OfConnection
  readonly departures: DepartureRow
  readonly people: PersonRow
  /** Hashes of erased people, who must not be added again. */
  readonly erasedPeople: { readonly mark: string }
  readonly lookRounds: LookRoundRow
  readonly newcomers: Newcomer
  /** The trusted credential of a connection, and since when another one is in doubt. */
  readonly trustedCredentials: TrustedCredential & OfConnection
  readonly examinations: RowOf<Examination> & OfConnection & { readonly examinedAt: Instant }
  readonly tokens: ApiToken
  readonly sessions: SessionRow
  readonly audit: AuditRow
  /** Mails of lost links. */
  readonly lostLinks: PersonInCompany & { readonly askedAt: Instant; readonly id: string }
}

type NotInRow = 'options' | 'defaults' | 'shownCollections' | 'isLocaleSet' | 'team'

export type FeedRow = RowOf<Omit<Feed, NotInRow>> & {
  readonly shown: string
  readonly localeSet: number
  /** Both or neither. */
  readonly teamManagerId: string | null
  readonly teamDepth: TeamDepth | null
}

/** `defaults`: JSON, with the revision. */
export interface CompanyDefaultsRow {
  readonly companyId: string
  readonly revision: number
  readonly defaults: string
}

export type LinkRow = RowOf<Omit<FeedLink, 'choices' | 'publication'>> & {
  /** null: no choices. */
  readonly choices: string | null
  /** All null without a publication. */
  readonly fingerprint: string | null
  readonly etag: string | null
  readonly lastModified: Instant | null
}

export interface LedgerRow {
  readonly tokenHash: Uint8Array
  readonly version: number
  readonly entries: Uint8Array
  /** Counts only with the ledger's version that it names, since a node of the release before does not update it. */
  readonly history: Uint8Array | null
}

export interface CopyRow extends Omit<
  CopyHead,
  'reach' | 'withReasons' | 'doubt' | 'held' | 'emptiedAt'
> {
  readonly connectionId: string
  /** Both or neither. */
  readonly reachPastDays: number | null
  readonly reachFutureDays: number | null
  readonly withReasons: number
  readonly doubt: string | null
  readonly held: string | null
  readonly emptiedAt: Instant | null
  readonly ofDraft: number
}

export type ClaimRow = RowOf<LeaveClaim>

export type DepartureRow = RowOf<Omit<Departure, 'isHeldBack' | 'isCleared'>> & {
  readonly heldBack: number
  readonly cleared: number
}

export interface PersonRow extends Omit<Person, 'known'>, PersonInCompany {
  /** Made by `foldedId`; the address by `findableMail`. */
  readonly foldedId: string
  readonly reversedId: string
  readonly foldedEmail: string | null
  /** Made by `sortNameOf`. */
  readonly sortName: string
  readonly dueAt: Instant
  /** The identity when name and mail were last both present; until then the columns above count. */
  readonly knownName: string | null
  readonly knownMail: string | null
}

export interface LookRoundRow extends RowOf<LookRound> {
  readonly companyId: string
  readonly dueAt: Instant
  readonly readAt: Instant
  readonly calledAt: Instant
}

export interface SessionRow extends Omit<Session, 'person' | 'staff' | 'staffToken'> {
  /** All null without a person. */
  readonly companyId: string | null
  readonly userId: string | null
  /** All null without staff. */
  readonly staffActor: string | null
  readonly staffRole: Role | null
  readonly staffToken: Uint8Array | null
}

export type AuditRow = RowOf<AuditEntry>
