import type { AuditEvent } from './access/audit-entry.ts'
import type { CopyName } from './copy.ts'
import type { Feed } from './feed.ts'
import type { PersonInCompany } from './person.ts'

/** A person of one company who is to be erased. */
export interface ErasedPerson extends PersonInCompany {
  /** The keys of all copies that are of this person alone. */
  readonly copyKeys: readonly string[]
  /** What belongs to these, the connections of the other companies, stays. */
  readonly otherConnectionIds: readonly string[]
  /**
   * Whether also what they did as staff of all companies is told without them, wherever it was done: who says by which address
   * somebody is staff may be one company alone.
   */
  readonly isStaffAnywhere: boolean
}

/** A feed by what it is known by to people. */
export type NamedFeed = Pick<Feed, 'id' | 'name'>

/** What was taken away with a person. */
export interface TakenAway {
  /** Feeds of that person alone. */
  readonly removed: readonly NamedFeed[]
  /** Feeds of others too, which go on without the person. */
  readonly changed: readonly NamedFeed[]
  /** How many copies were of the person alone. */
  readonly copies: number
}

/** Takes a person out of everything that is kept. */
export interface ErasureStore {
  /**
   * The companies that know somebody of that id, or have erased one, in order; `connectionIds`, by company, says whose copies
   * with one of these keys are.
   */
  listCompaniesOf(
    userId: string,
    copyKeys: readonly string[],
    connectionIds: ReadonlyMap<string, string>,
  ): Promise<readonly string[]>
  /** Every feed with that person, revoked and closed ones as well. */
  listFeedsOf(person: ErasedPerson): Promise<readonly Feed[]>
  /** How many copies are of the person alone. */
  countCopies(person: ErasedPerson): Promise<number>
  /**
   * Removes the person's feeds, these copies, claims and all else that is kept by user, and notes the audit event without saying to
   * whom it was done: all of it or nothing. A mark that does not name the person stays for the company.
   */
  deletePerson(person: ErasedPerson, auditEvent?: AuditEvent): Promise<TakenAway>
  /** The connections, other companies' not among them, in which any of these copies or a claim of the person's is kept. */
  listConnections(person: ErasedPerson): Promise<readonly string[]>
  /** Every copy of a project's tasks, other companies' not among them: they name people too. */
  listTaskCopies(person: ErasedPerson): Promise<readonly CopyName[]>
  /** Backups of the database that the program has made of itself. */
  listBackups(): readonly string[]
  /**
   * Leaves no deleted bytes in the database's files, where that is the program's to do: PostgreSQL does it by itself in time.
   * `unavailable` while others use the database too much.
   */
  forgetDeleted(): Promise<void>
}
