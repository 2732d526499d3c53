import type { AuditEvent } from './access/audit-entry.ts'
import type { CopyName } from './copy.ts'
import type { Feed } from './feed.ts'
import type { PersonInCompany } from './person.ts'

export interface ErasedPerson extends PersonInCompany {
  readonly copyKeys: readonly string[]
  /** Connections of other companies: what belongs to them stays. */
  readonly otherConnectionIds: readonly string[]
  /** Whether to erase them too from what they did as staff of all companies. */
  readonly isStaffAnywhere: boolean
}

export type NamedFeed = Pick<Feed, 'id' | 'name'>

export interface TakenAway {
  readonly removed: readonly NamedFeed[]
  readonly changed: readonly NamedFeed[]
  readonly copies: number
}

export interface ErasureStore {
  /** The companies that know or have erased that id; `connectionIds` says which company's copies have these keys. */
  listCompaniesOf(
    userId: string,
    copyKeys: readonly string[],
    connectionIds: ReadonlyMap<string, string>,
  ): Promise<readonly string[]>
  listFeedsOf(person: ErasedPerson): Promise<readonly Feed[]>
  countCopies(person: ErasedPerson): Promise<number>
  /**
   * Removes everything kept by user and notes the audit event without naming the person: all or nothing. A mark that does
   * not name the person stays.
   */
  deletePerson(person: ErasedPerson, auditEvent?: AuditEvent): Promise<TakenAway>
  /** The company's connections with any of these copies, or a claim of the person. */
  listConnections(person: ErasedPerson): Promise<readonly string[]>
  listTaskCopies(person: ErasedPerson): Promise<readonly CopyName[]>
  listBackups(): readonly string[]
  /** Leaves no deleted bytes in the files of SQLite; `unavailable` while others use the database too much. */
  forgetDeleted(): Promise<void>
}
