import type { PersonState } from './departure.ts'
import { displayName, type PersonReference, type User } from './user.ts'
import type { Instant } from './world.ts'

/** Two companies may have different people under the same id. */
export interface PersonInCompany {
  readonly companyId: string
  readonly userId: string
}

export interface Person {
  readonly userId: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string | null
  readonly managerId: string | null
  /** Since when readings no longer name a manager; `managerId` is then the last known one. */
  readonly managerMissingSince: Instant | null
  /** `unread` until Get user has been asked; `misnamed` where it answers with another id. */
  readonly state: PersonState | 'misnamed' | 'unread'
  readonly seenAt: Instant
  readonly readAt: Instant | null
  readonly known: Identity
}

export interface PersonReading {
  readonly userId: string
  readonly state: PersonState | 'misnamed'
  /** What the record does not say, the person does not have. */
  readonly user?: User | undefined
  /** Left out: that of the record, where nothing was known. */
  readonly known?: Identity | undefined
  readonly readAt: Instant
}

type OfManager = Pick<Person, 'managerId' | 'managerMissingSince'>

/** Somebody with a record that has named no manager since then. */
export interface WithoutManager {
  readonly userId: string
  /** The last known one. */
  readonly managerId: string
  readonly since: Instant
  /** How many report to that manager, or did until lately. */
  readonly reporting: number
}

/** Everybody in a company without a manager. */
export interface LostManagers {
  readonly people: readonly WithoutManager[]
  /** How many report to somebody, or did until lately; counted no further than fifty times as many, and not for nobody. */
  readonly reporting: number
}

export interface ManagerChange {
  readonly userId: string
  readonly before: OfManager
  readonly after: OfManager
  /** Before this change, and after every earlier one. */
  readonly lost: LostManagers
}

export interface SightingProblem {
  /** `timesheets`, `tasks of prj_1`. */
  readonly source: string
  readonly reason: string
}

export interface ReadingPlan {
  readonly now: Instant
  /** What is taken now may be taken again then, unless it is done before. */
  readonly againAt: Instant
  /** Anything planned for later was planned by a clock that ran ahead. */
  readonly latest: Instant
}

/** The people of each company. Erased people come back only with a feed. */
export interface PeopleStore {
  findPerson(companyId: string, userId: string): Promise<Person | undefined>
  listPeople(companyId: string): Promise<readonly Person[]>
  /**
   * Stores a reading of someone who is known or in a feed; they are read again at `dueAt`. An active person without a record
   * stays due. A manager who is missing is kept for a week. Returns the manager before and after.
   */
  keepReading(
    companyId: string,
    reading: PersonReading,
    dueAt: Instant,
  ): Promise<ManagerChange | undefined>
  /** A name that is seen fills in a missing one. */
  seePeople(companyId: string, people: readonly PersonReference[], seenAt: Instant): Promise<void>
  /** Marks the members of unrevoked feeds as seen, erased ones too. */
  seeMembers(companyId: string, seenAt: Instant): Promise<void>
  seeManagers(companyId: string, seenAt: Instant): Promise<void>
  dropUnseen(companyId: string, seenBefore: Instant): Promise<void>
  /** Takes the person who has been due longest, each for one node only. */
  takePersonToRead(companyId: string, plan: ReadingPlan): Promise<string | undefined>
  isAnyoneDue(companyId: string, plan: ReadingPlan): Promise<boolean>
  countDue(companyId: string, now: Instant): Promise<number>
}

export interface LookRound {
  readonly lookedAt: Instant | null
  readonly problems: readonly SightingProblem[]
}

/** Decides which node searches for a company's people and reads them. */
export interface LookRoundStore {
  findRound(companyId: string): Promise<LookRound>
  /** Takes the round for this node if it is due, until `againAt`. */
  takeRound(companyId: string, plan: ReadingPlan): Promise<boolean>
  endRound(
    companyId: string,
    problems: readonly SightingProblem[],
    at: { readonly now: Instant; readonly dueAt: Instant },
  ): Promise<void>
  /** True if no node has read a person within `everyMs`; then it is this node's turn. */
  takeReadingTurn(companyId: string, now: Instant, everyMs: number): Promise<boolean>
  /** The same for asking whether everybody in feeds is still there. */
  takeRollCallTurn(companyId: string, now: Instant, everyMs: number): Promise<boolean>
}

export interface KnownPeople extends Omit<PeopleFinder, 'listInState'> {
  /** Waits until the directory has been filled once, or cannot be filled now. Never fails because of the Read API. */
  untilSeen(companyId: string, signal: AbortSignal): Promise<void>
  listMisnamed(companyId: string, userIds: readonly string[]): Promise<readonly string[]>
}

export interface PersonByMail extends PersonInCompany {
  readonly state: Person['state']
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string
  readonly hasLeft: boolean
}

/** Finds known people by id. Misnamed ids are not people. */
export interface PeopleFinder {
  countPeople(companyId: string): Promise<number>
  /** The next ones after that id, starting over at the end, without those who have left. */
  listPeopleAfter(companyId: string, userId: string, limit: number): Promise<readonly string[]>
  /** Which of these ids are known, including those who have left. */
  findPeople(companyId: string, userIds: readonly string[]): Promise<readonly string[]>
  listInState(
    companyId: string,
    userIds: readonly string[],
    state: 'unread' | 'misnamed',
  ): Promise<readonly string[]>
  /** Known ids that a careless filter might confuse with this one: equal by `foldedId`, or one the beginning or end of the other. */
  listAlike(companyId: string, userId: string, limit: number): Promise<readonly string[]>
}

export interface PeopleByMail {
  /** Equal but for the case of A to Z; without people with an id that may be somebody else's by now. */
  findByMail(email: string): Promise<readonly PersonByMail[]>
  /** `unread` where the id may be somebody else's by now. */
  findById(userId: string): Promise<readonly Omit<PersonByMail, 'email'>[]>
}

type Found = Omit<PersonByMail, 'email'>

export function isActive({ state, hasLeft }: Found): boolean {
  return state === 'active' && !hasLeft
}

export function onlyActiveOfEach<T extends Found>(found: readonly T[]): readonly T[] {
  const companies = Map.groupBy(found.filter(isActive), ({ companyId }) => companyId)
  return [...companies.values()].flatMap((people) => (people.length === 1 ? people : []))
}

/** Folds A to Z only: by Unicode's rules the Kelvin sign is a `k`, and such an address is somebody else's. */
export function foldedMail(email: string): string {
  return email.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

const findableLengthMax = 320

/** The address as an index holds it; null where it is too long for one. */
export function findableMail(email: string): string | null {
  const folded = foldedMail(email)
  return folded.length > findableLengthMax ? null : folded
}

const foldedLengthMax = 256

/** The id as a careless program compares it: without case, accents and spaces, and with numbers as floating point. */
export function foldedId(id: string): string {
  const letters = id.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase().toLowerCase()
  const folded = letters.trim().replaceAll(/\d+/g, (digits) => String(Number(digits)))
  return folded.slice(0, foldedLengthMax)
}

/** By what a person is recognised, in a form that can be compared; empty where it is unknown. */
export interface Identity {
  readonly name: string
  readonly mail: string
}

export function identityOf({ email, ...person }: Omit<User, 'id'>): Identity {
  return { name: foldedName(person), mail: (email ?? '').normalize('NFKC').trim().toLowerCase() }
}

/** Only with both can anybody be told apart from somebody else. */
export function isComplete({ name, mail }: Identity): boolean {
  return name !== '' && mail !== ''
}

/** Whether the record is about the known person. A missing field says nothing, unless the last record still had it. */
export function compareIdentity(
  known: Identity,
  read: Identity,
  last: Identity = { name: '', mail: '' },
): 'same' | 'another' | 'unsaid' {
  if (!isComplete(known) || isRecognised(known, read)) return 'same'
  if (isComplete(read)) return 'another'
  const hasLostMail = read.name !== '' && last.mail !== ''
  const hasLostName = read.mail !== '' && last.name !== ''
  return hasLostMail || hasLostName ? 'another' : 'unsaid'
}

/** A record without an address may also say less of the name than one before. */
function isRecognised({ name, mail }: Identity, read: Identity): boolean {
  if (mail === read.mail || isSameName(name, read.name)) return true
  return read.mail === '' && hasAllWords(name, read.name)
}

/** The identity after a reading. An incomplete one is replaced only after two equal readings: one may be a mistake. */
export function knownAfter(known: Identity, read: Identity, last: Identity): Identity {
  if (!isComplete(read)) return known
  return isComplete(known) || agree(known, read) || agree(last, read) ? read : known
}

function agree({ name, mail }: Identity, read: Identity): boolean {
  return (name === '' || isSameName(name, read.name)) && (mail === '' || mail === read.mail)
}

/** A middle name may be missing on one side. One word alone is not enough: many people are called Anna. */
export function isSameName(one: string, other: string): boolean {
  if (one === other) return one !== ''
  return (
    [one, other].every((name) => name.includes(' ')) &&
    (hasAllWords(one, other) || hasAllWords(other, one))
  )
}

function hasAllWords(known: string, name: string): boolean {
  return name !== '' && new Set(name.split(' ')).isSubsetOf(new Set(known.split(' ')))
}

export function foldedName({ firstName, lastName }: Omit<PersonReference, 'id'>): string {
  const words = foldedText(`${firstName ?? ''} ${lastName ?? ''}`)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
  return words.toSorted().join(' ')
}

/** Without case and accents. */
export function foldedText(text: string): string {
  const letters = text.normalize('NFKD').replaceAll(/[\u0300-\u036F]/g, '')
  return letters.toUpperCase().toLowerCase()
}

const sortNameLengthMax = 128

/** By what lists of people are sorted: the name as it is shown, or the id of somebody without one. */
export function sortNameOf({
  userId,
  ...name
}: Pick<Person, 'userId' | 'firstName' | 'lastName'>): string {
  const folded = foldedText(displayName(name) || userId)
  return folded.slice(0, sortNameLengthMax).toWellFormed()
}

/** An id that was read with another name and another mail address than before. */
export interface Newcomer extends PersonInCompany {
  readonly since: Instant
  readonly readAt: Instant
  /** When a second reading said the same: from then on it counts as another person. */
  readonly confirmedAt: Instant | null
}

export const readAgainAfterMs = 60_000

export interface ComparablePerson {
  readonly userId: string
  readonly known: Identity
}

export interface KnownMember {
  readonly userId: string
  readonly name: string
  readonly readAt: Instant | null
}

/** Ids that may have become somebody else's; most companies have none. */
export interface NewcomerStore {
  findNewcomer(companyId: string, userId: string): Promise<Newcomer | undefined>
  listNewcomers(companyId: string): Promise<readonly Newcomer[]>
  /** Keeps an earlier note. */
  addNewcomer(newcomer: Newcomer): Promise<void>
  /** False if another node has read the id since `before`. */
  noteRead(newcomer: PersonInCompany, before: Instant, readAt: Instant): Promise<boolean>
  /** False if it was confirmed before, or has been settled. */
  confirmNewcomer(newcomer: PersonInCompany, confirmedAt: Instant): Promise<boolean>
  /** The known person has been read again; false if it is forgotten already. */
  forgetNewcomer(newcomer: PersonInCompany): Promise<boolean>
  /**
   * Forgets the note and the known identity, so that the next reading sets it, and ends the person's sign-ins. The manager of
   * another person is forgotten too.
   */
  settleNewcomer(newcomer: PersonInCompany, is: 'same' | 'another'): Promise<boolean>
  /** People with a complete identity, members of open feeds first, without newcomers; people who left only if there are no others. */
  listComparable(companyId: string, limit: number): Promise<readonly ComparablePerson[]>
  listKnownMembers(companyId: string, userIds: readonly string[]): Promise<readonly KnownMember[]>
}

/** Asked before anything new about a person is kept. */
export interface IdentityWatch {
  /** Those about whom only Get user can tell whether they are still the known person. */
  listDoubtful(
    companyId: string,
    people: readonly PersonReference[],
  ): Promise<readonly Pick<KnownMember, 'userId' | 'readAt'>[]>
  listHeld(companyId: string): Promise<ReadonlySet<string>>
}
