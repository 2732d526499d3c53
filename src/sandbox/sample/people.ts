import type { Locale } from '../../domain/feed.ts'
import { addDays, type PlainDate } from '../../domain/plain-date.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import { at, between, pick, type Random, shuffled, turn } from './days.ts'
import type { SampleWords } from './words/words.ts'

/** Who works at the sample company. */
export interface Person {
  /** Part of the ids of all that is theirs: `usr_ada`, `lv_ada_1`. */
  readonly key: string
  readonly firstName: string
  readonly lastName: string
  readonly position: string
  /** The manager's key; null for the one at the top. */
  readonly manager: string | null
  /** For how many days they have worked there. */
  readonly since: number
  /** For how many days their record has not changed. */
  readonly unchanged: number
  readonly isPartTime: boolean
  /** Whether they lead others. */
  readonly isLeader: boolean
}

const positions = {
  ada: { en: 'Software engineer', de: 'Softwareentwicklung' },
  bob: { en: 'System administrator', de: 'IT-Betrieb' },
  cleo: { en: 'Designer', de: 'Gestaltung' },
  mia: { en: 'Head of engineering', de: 'Leitung Technik' },
}

/** Those whom the documentation and the demo name. */
export function namedPeople(locale: Locale): readonly Person[] {
  const person = (
    key: keyof typeof positions,
    [firstName, lastName]: readonly [string, string],
    since: number,
  ): Person => {
    const manager = key === 'mia' ? null : 'mia'
    const position = positions[key][locale]
    const own = { key, firstName, lastName, position, manager, since, unchanged: 30 }
    return { ...own, isPartTime: false, isLeader: manager === null }
  }
  return [
    person('ada', ['Ada', 'Brandt'], 1210),
    person('bob', ['Bob', 'Fischer'], 842),
    person('cleo', ['Cleo', 'Martin'], 395),
    person('mia', ['Mia', 'Wagner'], 2604),
  ]
}

/** So many more people, no two of one name, in teams that lead up to Mia. */
export function inventPeople(count: number, words: SampleWords, random: Random): Person[] {
  const names = {
    first: shuffled(random, words.firstNames),
    last: shuffled(random, words.lastNames),
  }
  return organise(count, words.fields.length, random).map((post, index) => {
    const since = daysSince(post, random)
    return {
      key: keyOf(index),
      ...nameOf(index, names),
      position: positionOf(post, words, random),
      manager: post.leader === null ? 'mia' : keyOf(post.leader),
      since,
      unchanged: between(random, 1, Math.min(since, 400)),
      isPartTime: random() < (post.level === 0 ? 0.2 : 0.05),
      isLeader: post.level > 0,
    }
  })
}

/** Nobody leads others who has just come. */
function daysSince({ level }: Post, random: Random): number {
  if (level > 0) return between(random, 400, 5000)
  return random() < 0.08 ? between(random, 3, 90) : between(random, 90, 4000)
}

function positionOf(
  { level, field }: Post,
  { fields, leads }: SampleWords,
  random: Random,
): string {
  const { name, positions: own } = turn(fields, field ?? 0)
  if (level === 0) return pick(random, own)
  const title = leads[Math.min(level, leads.length) - 1] ?? ''
  return field === null ? title : `${title}, ${name}`
}

function keyOf(index: number): string {
  return String(index + 1).padStart(5, '0')
}

/** The person's User record; who manages stands in it as an id, which Get user expands. */
export function userOf(who: Person, today: PlainDate): CompanyRecords['users'] {
  return {
    id: `usr_${who.key}`,
    email: `${mailboxOf(who)}@sample.example`,
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

/** The four have theirs by first name; of others the key tells two alike apart. */
function mailboxOf({ key, firstName, lastName }: Person): string {
  if (!/^\d/.test(key)) return key
  return `${asciiOf(firstName)}.${asciiOf(lastName)}.${Number(key)}`
}

type Reference = NonNullable<CompanyRecords['users']['assignedManager']>

/** The person as named inside a task. */
export function referenceTo({ key, firstName, lastName }: Person): Reference {
  return { id: `usr_${key}`, firstName, lastName }
}

/** Where somebody stands in a company, by number. */
export interface Post {
  /** The number of who leads them; null for those whom somebody outside leads. */
  readonly leader: number | null
  /** 0 for those who lead nobody, 1 for who leads a team, 2 for who leads several, and so on. */
  readonly level: number
  /** In which field of so many the team works; null above teams of one field. */
  readonly field: number | null
}

/** So many people, whose leader is one of them. */
interface Unit {
  readonly size: number
  readonly leader: number | null
  readonly field: number | null
}

/** With who leads it; a larger unit is made of others. */
const teamMax = 13
const teamSize = 9
/** So many units report to one leader, about. */
const unitsMax = 10
/** All teams of a smaller unit work in one field. */
const departmentMax = 90

/** A post for each of so many people, leaders before those whom they lead: teams of departments of divisions. */
function organise(count: number, fields: number, random: Random): readonly Post[] {
  const posts: Post[] = []
  const staff = (unit: Unit): void => {
    const { size, leader, field } = inField(unit, fields, random)
    const own = posts.length
    posts.push({ leader, level: levelOf(size), field })
    for (const part of partsOf(size - 1, random)) staff({ size: part, leader: own, field })
  }
  for (const size of partsOf(count, random)) staff({ size, leader: null, field: null })
  return posts
}

function inField(unit: Unit, fields: number, random: Random): Unit {
  if (unit.field !== null || unit.size > departmentMax) return unit
  return { ...unit, field: between(random, 0, fields - 1) }
}

function levelOf(size: number): number {
  if (size === 1) return 0
  return size <= teamMax ? 1 : 1 + levelsAbove(size / teamSize)
}

/** How many levels of leaders so many teams need. */
function levelsAbove(teams: number): number {
  return Math.max(1, Math.ceil(Math.log(teams) / Math.log(unitsMax)))
}

/** The people of a team one by one; more of them in units of about the same size. */
function partsOf(people: number, random: Random): readonly number[] {
  if (people < teamMax) return Array.from({ length: people }, () => 1)
  const teams = people / teamSize
  const even = teams ** (1 / levelsAbove(teams))
  return sharesOf(people, Math.max(2, Math.round(even * aboutOne(random))), random)
}

function sharesOf(people: number, parts: number, random: Random): readonly number[] {
  const shares: number[] = []
  for (let left = people; shares.length < parts; left -= shares.at(-1) ?? 0) {
    const others = parts - shares.length - 1
    const share = Math.round((left / (others + 1)) * aboutOne(random))
    shares.push(others === 0 ? left : Math.min(share, left - others))
  }
  return shares
}

function aboutOne(random: Random): number {
  return 0.8 + 0.4 * random()
}

interface Name {
  readonly firstName: string
  readonly lastName: string
}

interface Names {
  readonly first: readonly string[]
  readonly last: readonly string[]
}

/** Each first name with each last name, then with each two of them. */
function nameOf(index: number, { first, last }: Names): Name {
  const firstAt = index % first.length
  const round = Math.floor(index / first.length)
  const lastOf = (step: number): string => last[(firstAt + step) % last.length] ?? ''
  const doubled = Math.floor(round / last.length)
  const lastName = lastOf(round)
  return {
    firstName: first[firstAt] ?? '',
    lastName: doubled === 0 ? lastName : `${lastName}-${lastOf(round + doubled)}`,
  }
}

const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ı: 'i',
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
}

/** As it is written in addresses. */
function asciiOf(name: string): string {
  const spelt = name.toLowerCase().replaceAll(/[ßøıäöü]/g, (letter) => letters[letter] ?? '')
  return spelt.normalize('NFD').replaceAll(/[^a-z-]/g, '')
}
