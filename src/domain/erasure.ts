import type { AuditEvent } from './access/audit-entry.ts'
import type { CopyName } from './copy.ts'
import type { Feed } from './feed.ts'
import type { PersonInCompany } from './person.ts'

/** A person of one company who is to be erased. */
export interface ErasedPerson extends PersonInCompany {
  /** The keys of all copies of this person alone. */
  readonly copyKeys: readonly string[]
  /** Connections of other companies: what belongs to them stays. */
  readonly otherConnectionIds: readonly string[]
  /** Whether to erase them too from what they did as staff of all companies. */
  readonly isStaffAnywhere: boolean
}

export type NamedFeed = Pick<Feed, 'id' | 'name'>

/** What was erased with a person. */
export interface TakenAway {
  /** Feeds of that person alone. */
  readonly removed: readonly NamedFeed[]
  /** Feeds that go on without the person. */
  readonly changed: readonly NamedFeed[]
  /** Number of copies of the person alone. */
  readonly copies: number
}

export interface ErasureStore {
  /** The companies that know or have erased that id; `connectionIds` says which company's copies have these keys. */
  listCompaniesOf(
    userId: string,
    copyKeys: readonly string[],
    connectionIds: ReadonlyMap<string, string>,
  ): Promise<readonly string[]>
  /** Revoked and closed ones too. */
  listFeedsOf(person: ErasedPerson): Promise<readonly Feed[]>
  countCopies(person: ErasedPerson): Promise<number>
  /**
   * Removes everything kept by user and notes the audit event without naming the person: all or nothing. A mark that does
   * not name the person stays.
   */
  deletePerson(person: ErasedPerson, auditEvent?: AuditEvent): Promise<TakenAway>
  /** The company's connections with any of these copies, or a claim of the person. */
  listConnections(person: ErasedPerson): Promise<readonly string[]>
  /** The company's copies of tasks, which name people too. */
  listTaskCopies(person: ErasedPerson): Promise<readonly CopyName[]>
  /** Backups that the program has made. */
  listBackups(): readonly string[]
  /** Leaves no deleted bytes in the files of SQLite; `unavailable` while others use the database too much. */
  forgetDeleted(): Promise<void>
}
