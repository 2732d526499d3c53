import type { Identity } from './identity.ts'
import type { PersonInCompany } from './person.ts'
import type { PersonReference } from './user.ts'
import type { Instant } from './world.ts'

/** That an id has been read with another name and another mail address than those it was known by. */
export interface Newcomer extends PersonInCompany {
  /** When that was read first. */
  readonly since: Instant
  /** When the id was last asked for. */
  readonly readAt: Instant
  /** When a second reading said the same: from then on it is taken for another person; null before. */
  readonly confirmedAt: Instant | null
}

/** Between the two readings that it takes. */
export const readAgainAfterMs = 60_000

/** Somebody by whom it can be told whether a Read API is that of the same company. */
export interface ComparablePerson {
  readonly userId: string
  readonly known: Identity
}

/** Somebody in an open feed who is known by name and mail. */
export interface KnownMember {
  readonly userId: string
  readonly name: string
  /** When the Read API last said something of them. */
  readonly readAt: Instant | null
}

/** Ids that may have become somebody else's, of each company; few, and most companies have none. */
export interface NewcomerStore {
  findNewcomer(companyId: string, userId: string): Promise<Newcomer | undefined>
  listNewcomers(companyId: string): Promise<readonly Newcomer[]>
  /** Notes the first reading, unless one is noted already. */
  addNewcomer(newcomer: Newcomer): Promise<void>
  /** Notes when the id was last asked for; false where another node has done so since `before`. */
  noteRead(newcomer: PersonInCompany, before: Instant, readAt: Instant): Promise<boolean>
  /** Notes that a second reading said the same; false where that was noted before, or it has been settled. */
  confirmNewcomer(newcomer: PersonInCompany, confirmedAt: Instant): Promise<boolean>
  /** Forgets it, since the known person has been read again; false where it is forgotten already. */
  forgetNewcomer(newcomer: PersonInCompany): Promise<boolean>
  /**
   * Forgets it and by what the person was known, so that the next reading says who they are, and ends their sign-ins; all at
   * once. False where none was noted.
   */
  settleNewcomer(newcomer: PersonInCompany): Promise<boolean>
  /** People known by name and mail, those in open feeds first, without those who may be somebody else; those who have left only where nobody else is known. At most so many. */
  listComparable(companyId: string, limit: number): Promise<readonly ComparablePerson[]>
  /** Those of the people who are in an open feed and known by name and mail. */
  listKnownMembers(companyId: string, userIds: readonly string[]): Promise<readonly KnownMember[]>
}

/** What whoever keeps records asks before anything new of a person is kept. */
export interface IdentityWatch {
  /** Those of the people, as a record names them, of whom only Get user can tell whether they are still who was known. */
  listDoubtful(
    companyId: string,
    people: readonly PersonReference[],
  ): Promise<readonly Pick<KnownMember, 'userId' | 'readAt'>[]>
  /** Those whose ids have been read as somebody else's. */
  listHeld(companyId: string): Promise<ReadonlySet<string>>
}
