import type { Locale } from '../../domain/feed.ts'
import { addDays, type PlainDate } from '../../domain/plain-date.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import { at, between, pick, type Random, shuffled, turn } from './days.ts'
import named from './named.json' with { type: 'json' }
import type { SampleWords } from './words.ts'

export interface Person {
  /** Part of the ids of the person's records: `usr_ada`, `lv_ada_1`. */
  readonly key: string
  /** Whether the documentation and the demo name this person. */
  readonly isNamed: boolean
  readonly firstName: string
  readonly lastName: string
  readonly mailbox: string
  readonly position: string
  /** The manager's key; null at the top. */
  readonly manager: string | null
  /** Days since the person joined. */
  readonly since: number
  /** Days since the record last changed. */
  readonly unchanged: number
  readonly isPartTime: boolean
  readonly isLeader: boolean
}

const top = 'mia'

export function namedPeople(locale: Locale): readonly Person[] {
  return named.people.map(({ position, ...person }) => ({
    ...person,
    isNamed: true,
    mailbox: person.key,
    position: position[locale],
    manager: person.key === top ? null : top,
    unchanged: 30,
    isPartTime: false,
    isLeader: person.key === top,
  }))
}

/** Generates `count` people with distinct names, in teams that report up to Mia. */
export function inventPeople(count: number, words: SampleWords, random: Random): Person[] {
  const firstNames = shuffled(random, words.firstNames)
  const lastNames = shuffled(random, words.lastNames)
  return organise(count, words.fields.length, random).map((post, index) => {
    const since = daysSince(post, random)
    const [firstName, lastName] = nameOf(index, firstNames, lastNames)
    return {
      key: keyOf(index),
      isNamed: false,
      firstName,
      lastName,
      // The number keeps addresses unique if two names have the same ASCII spelling.
      mailbox: `${asciiOf(firstName)}.${asciiOf(lastName)}.${index + 1}`,
      position: positionOf(post, words, random),
      manager: post.leader === null ? top : keyOf(post.leader),
      since,
      unchanged: between(random, 1, Math.min(since, 400)),
      isPartTime: random() < (post.level === 0 ? 0.2 : 0.05),
      isLeader: post.level > 0,
    }
  })
}

function daysSince({ level }: Post, random: Random): number {
  if (level > 0) return between(random, 400, 5000)
  return random() < 0.08 ? between(random, 3, 90) : between(random, 90, 4000)
}

function positionOf(
  { level, field }: Post,
  { fields, leads }: SampleWords,
  random: Random,
): string {
  const { name, positions } = turn(fields, field ?? 0)
  if (level === 0) return pick(random, positions)
  const title = leads[Math.min(level, leads.length) - 1] ?? ''
  return field === null ? title : `${title}, ${name}`
}

function keyOf(index: number): string {
  return String(index + 1).padStart(5, '0')
}

/** Returns the person's User record, with the manager's id, which Get user expands. */
export function userOf(who: Person, today: PlainDate): CompanyRecords['users'] {
  return {
    id: `usr_${who.key}`,
    email: `${who.mailbox}@sample.example`,
    firstName: who.firstName,
    lastName: who.lastName,
    role: who.isLeader ? 'MANAGER' : 'EMPLOYEE',
    employmentType: who.isPartTime ? 'PART_TIME' : 'FULL_TIME',
    position: who.position,
    isActive: true,
    assignedManagerId: who.manager && `usr_${who.manager}`,
    assignedManager: null,
    createdAt: at(addDays(today, -who.since), '08:00'),
    updatedAt: at(addDays(today, -Math.min(who.since, who.unchanged)), '08:00'),
  }
}

export function referenceTo({
  key,
  firstName,
  lastName,
}: Person): NonNullable<CompanyRecords['users']['assignedManager']> {
  return { id: `usr_${key}`, firstName, lastName }
}

/** A position in the company; people are identified by index. */
interface Post {
  /** The leader's index; null for those who report to Mia. */
  readonly leader: number | null
  /** 0 for people without a team, 1 for a team leader, 2 for a leader of several teams, and so on. */
  readonly level: number
  /** Index of the team's field; null for leaders above single-field units. */
  readonly field: number | null
}

/** Including the leader; larger units are split. */
const teamMax = 13
const teamSize = 9
/** Approximate number of units that report to one leader. */
const unitsMax = 10
/** Units up to this size work in one field. */
const departmentMax = 90

/** Returns a post for each person, leaders before their reports: divisions of departments of teams. */
function organise(count: number, fields: number, random: Random): readonly Post[] {
  const posts: Post[] = []
  const staff = (size: number, leader: number | null, fieldAbove: number | null): void => {
    const isInOne = fieldAbove === null && size <= departmentMax
    const field = isInOne ? between(random, 0, fields - 1) : fieldAbove
    const own = posts.length
    posts.push({ leader, level: levelOf(size), field })
    for (const part of partsOf(size - 1, random)) staff(part, own, field)
  }
  for (const size of partsOf(count, random)) staff(size, null, null)
  return posts
}

function levelOf(size: number): number {
  if (size === 1) return 0
  return size <= teamMax ? 1 : 1 + levelsAbove(size / teamSize)
}

function levelsAbove(teams: number): number {
  return Math.max(1, Math.ceil(Math.log(teams) / Math.log(unitsMax)))
}

/** Splits a team into single people, and a larger group into units of similar size. */
function partsOf(people: number, random: Random): readonly number[] {
  if (people < teamMax) return Array.from({ length: people }, () => 1)
  const aboutOne = (): number => 0.8 + 0.4 * random()
  const teams = people / teamSize
  const even = teams ** (1 / levelsAbove(teams))
  const units = Math.max(2, Math.round(even * aboutOne()))
  let left = people
  return Array.from({ length: units }, (_, index) => {
    const others = units - index - 1
    const share = Math.round((left / (others + 1)) * aboutOne())
    const size = others === 0 ? left : Math.min(share, left - others)
    left -= size
    return size
  })
}

/** Combines each first name with each last name, then with pairs of last names. */
function nameOf(
  index: number,
  firstNames: readonly string[],
  lastNames: readonly string[],
): [firstName: string, lastName: string] {
  const firstAt = index % firstNames.length
  const round = Math.floor(index / firstNames.length)
  const doubled = Math.floor(round / lastNames.length)
  const lastName = turn(lastNames, firstAt + round)
  return [
    turn(firstNames, firstAt),
    doubled === 0 ? lastName : `${lastName}-${turn(lastNames, firstAt + round + doubled)}`,
  ]
}

const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ı: 'i',
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
}

function asciiOf(name: string): string {
  const spelt = name.toLowerCase().replaceAll(/[ßøıäöü]/g, (letter) => letters[letter] ?? '')
  return spelt.normalize('NFD').replaceAll(/[^a-z-]/g, '')
}
