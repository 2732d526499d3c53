import type { AuditAction } from '../../domain/access/audit-entry.ts'
import type { Role } from '../../domain/access/staff.ts'
import type { Instant } from '../../domain/world.ts'

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
