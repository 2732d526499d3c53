import type { AuditEntry } from './access/audit-entry.ts'
import type { ErasedPerson } from './erasure.ts'
import type { LeaveClaim } from './leave.ts'
import type { Instant } from './world.ts'

/** What only this port tells about a person; an erasure removes it. */
export interface KeptOfPerson {
  readonly signIns: readonly { readonly createdAt: Instant; readonly endsAt: Instant }[]
  /** When somebody asked for a mail with a lost link. */
  readonly lostLinks: readonly Instant[]
  /** How many people have them as their manager. */
  readonly reports: number
  /** Checks with findings that name the person; a finding may name others, too. */
  readonly examinations: readonly {
    readonly examinedAt: Instant
    readonly checks: readonly string[]
  }[]
  /** Connections that are known to be, or to have been, the company's. */
  readonly connectionIds: readonly string[]
  /** What they did themselves, as a person or as staff with an address that nobody else has. */
  readonly acts: readonly AuditEntry[]
}

export interface ClaimOfPerson extends LeaveClaim {
  readonly connectionId: string
  /** Whether the leave has come for somebody else, too. */
  readonly isDisputed: boolean
}

export interface PersonDataStore {
  findKept(person: ErasedPerson): Promise<KeptOfPerson>
  listClaimsOf(person: ErasedPerson): Promise<readonly ClaimOfPerson[]>
}
