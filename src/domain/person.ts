import type { PersonState } from './departure.ts'
import type { PersonReference, User } from './user.ts'
import type { Instant } from './world.ts'

/** Someone whom the bridge has seen of a company, as the Read API told of them last. */
export interface Person {
  readonly userId: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string | null
  readonly managerId: string | null
  /** `unread` until the Read API has been asked for the person by itself; `misnamed` where it calls them by another id. */
  readonly state: PersonState | 'misnamed' | 'unread'
  /** When a record or a feed named them last. */
  readonly seenAt: Instant
  /** When the Read API last said something of them. */
  readonly readAt: Instant | null
  /** By what they are known again. */
  readonly known: Identity
}

/** By whom two companies' people of the same id are told apart. */
export interface PersonInCompany {
  readonly companyId: string
  readonly userId: string
}

/** What was read of one person. */
export interface PersonReading {
  readonly userId: string
  readonly state: PersonState | 'misnamed'
  /** Where there is a record: what it does not say, the person does not have. */
  readonly user?: User | undefined
  /** By what they are known from now on; that of the record where nothing was known. */
  readonly known?: Identity | undefined
  readonly readAt: Instant
}

/** Where people are looked for, and why they could not be. */
export interface SightingProblem {
  /** `timesheets`, `tasks of prj_1`. */
  readonly source: string
  /** As a sentence. */
  readonly reason: string
}

/** When a read person is to be asked for next, and as of when. */
export interface ReadingPlan {
  readonly now: Instant
  /** At that instant those who are taken now are to be taken again, unless something is read of them. */
  readonly againAt: Instant
  /** What is planned for later than this was planned by a clock that ran ahead. */
  readonly latest: Instant
}

/** The people of each company, one entry each. Nothing is kept of those who were erased, until a feed has them again. */
export interface PeopleStore {
  findPerson(companyId: string, userId: string): Promise<Person | undefined>
  /** In the order of their ids, those who have left as well. */
  listPeople(companyId: string): Promise<readonly Person[]>
  /** Keeps what was read of someone who is known or in a feed; where there is a record the person is asked for next at `dueAt`. */
  keepReading(companyId: string, reading: PersonReading, dueAt: Instant): Promise<void>
  /** Notes that they were seen; a name fills one that is not known. */
  seePeople(companyId: string, people: readonly PersonReference[], seenAt: Instant): Promise<void>
  /** Notes that the members of unrevoked feeds were seen, erased ones as well. */
  seeMembers(companyId: string, seenAt: Instant): Promise<void>
  /** Notes that the managers of active people were seen. */
  seeManagers(companyId: string, seenAt: Instant): Promise<void>
  /** Drops those who were last seen before that instant. */
  dropUnseen(companyId: string, seenBefore: Instant): Promise<void>
  /** Takes the person who has been due longest: each for one node alone. Undefined where nobody is due. */
  takePersonToRead(companyId: string, plan: ReadingPlan): Promise<string | undefined>
  /** Whether there is anybody to take. */
  isAnyoneDue(companyId: string, plan: ReadingPlan): Promise<boolean>
  /** How many are due. */
  countDue(companyId: string, now: Instant): Promise<number>
}

/** Looking for a company's people, over all nodes. */
export interface LookRound {
  /** When the last one ended; null before the first. */
  readonly lookedAt: Instant | null
  /** What it could not see. */
  readonly problems: readonly SightingProblem[]
}

/** Which node looks for a company's people, and which one reads of them. */
export interface LookRoundStore {
  findRound(companyId: string): Promise<LookRound>
  /** Takes the round if it is due, until `againAt` for this node alone; false where it is not. */
  takeRound(companyId: string, plan: ReadingPlan): Promise<boolean>
  /** Notes what a round that ended at `now` could not see; the next is due at `dueAt`. */
  endRound(
    companyId: string,
    problems: readonly SightingProblem[],
    at: { readonly now: Instant; readonly dueAt: Instant },
  ): Promise<void>
  /** Whether nobody has had the turn to read a person in that time; then it is this node's. */
  takeReadingTurn(companyId: string, now: Instant, everyMs: number): Promise<boolean>
  /** The same for asking everybody in feeds whether they are still there. */
  takeRollCallTurn(companyId: string, now: Instant, everyMs: number): Promise<boolean>
}

/** Whom the bridge has seen of a company, whether they have a feed or not. */
export interface KnownPeople extends Omit<PeopleFinder, 'listInState'> {
  /** Waits until the people directory has been filled for the first time, or cannot be for now. Never fails for what the Read API does. */
  untilSeen(companyId: string, signal: AbortSignal): Promise<void>
  /** Those of the ids by which the Read API calls nobody, though it answers for them with somebody of another id. */
  listMisnamed(companyId: string, userIds: readonly string[]): Promise<readonly string[]>
}

/** Someone of whom a mail address is known. */
export interface PersonByMail extends PersonInCompany {
  readonly state: Person['state']
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string
  /** Whether they are believed to have left. */
  readonly hasLeft: boolean
}

/** Finds known people by their ids; an id by which the Read API calls nobody is no person's. */
export interface PeopleFinder {
  /** How many there are, those who have left not counted. */
  countPeople(companyId: string): Promise<number>
  /** The next ones after that id in the order of their ids, beginning again at the end; nobody twice, and those who have left are not among them. */
  listPeopleAfter(companyId: string, userId: string, limit: number): Promise<readonly string[]>
  /** Which of these ids are those of known people, departed ones too. */
  findPeople(companyId: string, userIds: readonly string[]): Promise<readonly string[]>
  /** Those of the ids that nobody has been read by yet, or by which the Read API calls nobody. */
  listInState(
    companyId: string,
    userIds: readonly string[],
    state: 'unread' | 'misnamed',
  ): Promise<readonly string[]>
  /**
   * Known people whose ids a careless filter might take for this one: the same but for case, accents, spaces around it, zeros
   * that lead a number or the last digits of a long one, or the one the beginning or the end of the other. At most `limit`.
   */
  listAlike(companyId: string, userId: string, limit: number): Promise<readonly string[]>
}

/** Finds people, of all companies, by what a sign-in tells of them. */
export interface PeopleByMail {
  /** Those whose address is that one but for the case of its letters A to Z; nobody whose id may be somebody else's by now. */
  findByMail(email: string): Promise<readonly PersonByMail[]>
  /** Those who are called by that id; `unread` where it may be somebody else's by now. */
  findById(userId: string): Promise<readonly Omit<PersonByMail, 'email'>[]>
}

type Found = Pick<PersonByMail, 'companyId' | 'state' | 'hasLeft'>

/** Whether somebody who was found works there. */
export function isActive({ state, hasLeft }: Found): boolean {
  return state === 'active' && !hasLeft
}

/** Of each company its only active person; none of a company where several are. */
export function onlyActiveOfEach<T extends Found>(found: readonly T[]): readonly T[] {
  const companies = Map.groupBy(found.filter(isActive), ({ companyId }) => companyId)
  return [...companies.values()].flatMap((people) => (people.length === 1 ? people : []))
}

/**
 * By which two addresses are the same. Only A to Z have another case here: by Unicode's rules the Kelvin sign is a `k`, and
 * anyone who may register such an address would be somebody else.
 */
export function foldedMail(email: string): string {
  return email.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

const findableLengthMax = 320

/** By which people of that address are found; null where nobody has so long a one, which no index holds. */
export function findableMail(email: string): string | null {
  const folded = foldedMail(email)
  return folded.length > findableLengthMax ? null : folded
}

const foldedLengthMax = 256

/**
 * The id as a careless program compares it: without case, accents and spaces around it, its numbers as floating-point numbers
 * hold them, which know neither leading zeros nor all of seventeen digits.
 */
export function foldedId(id: string): string {
  const letters = id.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase().toLowerCase()
  const folded = letters.trim().replaceAll(/\d+/g, (digits) => String(Number(digits)))
  return folded.slice(0, foldedLengthMax)
}

/** By what a person is known again, in a form that can be compared; empty where it is not said. */
export interface Identity {
  readonly name: string
  readonly mail: string
}

const unsaid: Identity = { name: '', mail: '' }

/** What a record says of who somebody is. */
export function identityOf({ email, ...person }: Omit<User, 'id'>): Identity {
  return { name: foldedName(person), mail: (email ?? '').normalize('NFKC').trim().toLowerCase() }
}

/** Whether both are said: of all others nobody can tell whether they are somebody else. */
export function isComplete({ name, mail }: Identity): boolean {
  return name !== '' && mail !== ''
}

/**
 * Whether the record is of the one who was known: what is missing on either side says nothing, unless the last record still
 * said it. A newcomer's account often has no address yet.
 */
export function compareIdentity(
  known: Identity,
  read: Identity,
  last: Identity = unsaid,
): 'same' | 'another' | 'unsaid' {
  if (!isComplete(known)) return 'same'
  if (isRecognised(known, read)) return 'same'
  if (isComplete(read)) return 'another'
  const hasLostMail = read.name !== '' && last.mail !== ''
  const hasLostName = read.mail !== '' && last.name !== ''
  return hasLostMail || hasLostName ? 'another' : 'unsaid'
}

/** A record without an address may merely say less of the name, too, than one before. */
function isRecognised({ name, mail }: Identity, read: Identity): boolean {
  if (mail === read.mail || isSameName(name, read.name)) return true
  return read.mail === '' && hasAllWords(name, read.name)
}

/**
 * By what a person is known once that is read of them and is nobody else's. Who was not known in full becomes known by two
 * readings in a row if they say otherwise than what was known: one alone may be a mistake.
 */
export function knownAfter(known: Identity, read: Identity, last: Identity): Identity {
  if (!isComplete(read)) return known
  return isComplete(known) || agree(known, read) || agree(last, read) ? read : known
}

/** Whether the record says all that was said, and not otherwise. */
function agree({ name, mail }: Identity, read: Identity): boolean {
  return (name === '' || isSameName(name, read.name)) && (mail === '' || mail === read.mail)
}

/**
 * Whether both names are said, and neither has a word that contradicts the other: a middle name may be left out. One word
 * alone is not enough for that: many are called Anna.
 */
export function isSameName(one: string, other: string): boolean {
  if (one === other) return one !== ''
  return (
    [one, other].every((name) => name.includes(' ')) &&
    (hasAllWords(one, other) || hasAllWords(other, one))
  )
}

/** Whether that name is said, and every word of it stands in the one that is known. */
function hasAllWords(known: string, name: string): boolean {
  return name !== '' && new Set(name.split(' ')).isSubsetOf(new Set(known.split(' ')))
}

/** The words of a name whatever their order, without case and accents. */
export function foldedName({
  firstName,
  lastName,
}: Pick<PersonReference, 'firstName' | 'lastName'>): string {
  const letters = `${firstName ?? ''} ${lastName ?? ''}`.normalize('NFKD')
  const plain = letters
    .replaceAll(/[\u0300-\u036F]/g, '')
    .toUpperCase()
    .toLowerCase()
  const words = plain.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '')
  return words.toSorted().join(' ')
}

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

/** What anyone who keeps records asks before anything new of a person is kept. */
export interface IdentityWatch {
  /** Those of the people, as a record names them, of whom only Get user can tell whether they are still who was known. */
  listDoubtful(
    companyId: string,
    people: readonly PersonReference[],
  ): Promise<readonly Pick<KnownMember, 'userId' | 'readAt'>[]>
  /** Those whose ids have been read as somebody else's. */
  listHeld(companyId: string): Promise<ReadonlySet<string>>
}
