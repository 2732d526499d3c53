import type { Generated } from 'kysely'

import type { AuditAction } from '../domain/access/audit-entry.ts'
import type { Role } from '../domain/access/staff.ts'
import type { ClientFamily } from '../domain/activity.ts'
import type { DepartureReason } from '../domain/departure.ts'
import type { Audience } from '../domain/feed-options.ts'
import type { Locale } from '../domain/feed.ts'
import type { LeaveProof, LeaveProofReason } from '../domain/leave.ts'
import type { Person } from '../domain/person.ts'
import type { Instant } from '../domain/world.ts'

/** The bridge's own tables; instants are milliseconds, truths 0 or 1, in both databases. */
export interface StoreTables extends AccessTables {
  /** `polled`: whether a calendar program has asked for it; no change of the feed sets it. */
  readonly feeds: FeedRow & { readonly polled: Generated<number> }
  readonly feed_users: FeedUserRow
  readonly links: LinkRow
  readonly activity: ActivityRow
  readonly creations: CreationRow
  readonly ledgers: LedgerRow
  readonly copies: CopyRow
  readonly copy_records: CopyRecordsRow
  readonly leave_owners: LeaveOwnerRow
  readonly proofs: ProofRow
  readonly departures: DepartureRow
  readonly people: PersonRow
  readonly erased_people: ErasedPersonRow
  readonly look_rounds: LookRoundRow
  readonly newcomers: NewcomerRow
  readonly trusted_credentials: TrustedCredentialRow
  readonly examinations: ExaminationRow
}

export interface FeedRow {
  readonly id: string
  readonly company_id: string
  /** JSON. */
  readonly user_ids: string
  readonly audience: Audience
  readonly name: string
  readonly timezone: string
  readonly locale: Locale
  /** JSON of what is set; all else takes its default. */
  readonly own_options: string
  readonly revision: number
  readonly leaves_shown: number
  /** JSON. */
  readonly shown: string
  readonly created_at: Instant
  readonly revoked_at: Instant | null
  readonly purged_at: Instant | null
  readonly closed_at: Instant | null
  readonly closed_because: string | null
}

/** Who is in which feed, to find feeds by user. */
interface FeedUserRow {
  readonly feed_id: string
  readonly user_id: string
}

export interface LinkRow {
  readonly token_hash: Uint8Array
  readonly feed_id: string
  readonly label: string
  readonly created_at: Instant
  readonly ends_at: Instant | null
  readonly ending_since: Instant | null
  readonly purged: number
  readonly awaits_poll: number
  /** JSON; null where its holder has chosen nothing. */
  readonly choices: string | null
  /** These three stand together or not at all. */
  readonly fingerprint: string | null
  readonly etag: string | null
  readonly last_modified: Instant | null
}

/** What requests with an Idempotency-Key have made. */
interface CreationRow {
  readonly key_hash: string
  readonly request_hash: string
  /** JSON. */
  readonly feed_ids: string
  readonly created_at: Instant
}

export interface LedgerRow {
  /** Of the link. */
  readonly token_hash: Uint8Array
  readonly version: number
  readonly entries: Uint8Array
}

/** Apart from the records, so that looking whether anything changed reads none. */
export interface CopyRow {
  readonly connection_id: string
  readonly key: string
  readonly content_hash: string
  readonly begun_at: Instant
  readonly fetched_at: Instant
  /** These two stand together or not at all. */
  readonly reach_past_days: number | null
  readonly reach_future_days: number | null
  readonly missing_since: Instant | null
  readonly with_reasons: number
  /** JSON. */
  readonly doubt: string | null
  /** JSON. */
  readonly held: string | null
  readonly emptied_at: Instant | null
}

interface CopyRecordsRow {
  readonly connection_id: string
  readonly key: string
  /** Compressed JSON. */
  readonly records: Uint8Array
}

export interface LeaveOwnerRow {
  readonly connection_id: string
  readonly leave_id: string
  readonly user_id: string
  /** Whether another user has claimed the leave too: 1 on the rows of all of them. */
  readonly contested: number
  readonly is_owner: number
  readonly since: Instant
  readonly absent_since: Instant | null
  readonly is_gone: number
}

export interface ProofRow {
  readonly connection_id: string
  readonly state: LeaveProof['state']
  readonly reason: LeaveProofReason | null
  readonly since: Instant
  readonly battery_at: Instant | null
  readonly tried_at: Instant | null
  readonly credential: string | null
}

interface ExaminationRow {
  readonly connection_id: string
  readonly company_id: string
  readonly ok: number
  /** JSON. */
  readonly findings: string
  readonly examined_at: Instant
}

export interface ActivityRow {
  readonly token_hash: Uint8Array
  readonly client: ClientFamily
  readonly first_polled_at: Instant
  readonly last_polled_at: Instant
  readonly last_status: number
  readonly polls: number
  readonly has_change_of: Instant | null
}

export interface DepartureRow {
  readonly company_id: string
  readonly user_id: string
  readonly because: DepartureReason
  readonly since: Instant
  readonly read_at: Instant
  readonly left_at: Instant | null
  readonly was_here: number
  readonly held_back: number
  readonly cleared: number
}

export interface PersonRow {
  readonly company_id: string
  readonly user_id: string
  /** The id as `foldedId` gives it, as `findableMail` does the address. */
  readonly folded_id: string
  /** From its end to its beginning. */
  readonly reversed_id: string
  readonly first_name: string | null
  readonly last_name: string | null
  readonly email: string | null
  readonly folded_email: string | null
  readonly manager_id: string | null
  readonly state: Person['state']
  readonly seen_at: Instant
  readonly read_at: Instant | null
  readonly due_at: Instant
  /** The identity when name and mail were last both said, as it is compared; until then that of the columns above counts. */
  readonly known_name: string | null
  readonly known_mail: string | null
}

export interface NewcomerRow {
  readonly company_id: string
  readonly user_id: string
  readonly since: Instant
  readonly read_at: Instant
  readonly confirmed_at: Instant | null
}

/** With which credential a connection has been read so far, and since when another one is in doubt. */
interface TrustedCredentialRow {
  readonly connection_id: string
  readonly credential: string
  readonly doubted_since: Instant | null
}

/** Who is not to be seen again, by a hash that names nobody. */
interface ErasedPersonRow {
  readonly mark: string
}

export interface LookRoundRow {
  readonly company_id: string
  readonly looked_at: Instant | null
  readonly due_at: Instant
  /** JSON. */
  readonly problems: string
  /** When a node last had the turn to read a person. */
  readonly read_at: Instant
  /** When a node last had the turn to ask everybody in feeds whether they are still there. */
  readonly called_at: Instant
}

/** The tables of who may do what, and who did. */
export interface AccessTables {
  readonly tokens: TokenRow
  readonly sessions: SessionRow
  readonly audit: AuditRow
  readonly lost_links: LostLinkRow
}

export interface TokenRow {
  readonly name: string
  readonly token_hash: Uint8Array
  readonly role: Role
  readonly company_id: string | null
  readonly created_at: Instant
  readonly last_used_at: Instant | null
}

export interface SessionRow {
  readonly cookie_hash: Uint8Array
  /** These two stand together or not at all, as do the next two. */
  readonly company_id: string | null
  readonly user_id: string | null
  readonly staff_actor: string | null
  readonly staff_role: Role | null
  readonly created_at: Instant
  readonly ends_at: Instant
}

export interface AuditRow {
  readonly id: string
  readonly at: Instant
  readonly actor: string
  readonly action: AuditAction
  readonly company_id: string | null
  readonly feed_id: string | null
  /** JSON. */
  readonly user_ids: string
  readonly label: string | null
}

/** Who has been mailed a link that was lost, and when. */
interface LostLinkRow {
  readonly company_id: string
  readonly user_id: string
  readonly asked_at: Instant
  readonly id: string
}
