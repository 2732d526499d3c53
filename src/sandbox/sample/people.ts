import type { Locale } from '../../domain/feed.ts'
import { addDays, type PlainDate } from '../../domain/plain-date.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import { at } from './days.ts'
import { asciiOf, nameOf } from './names.ts'
import { organise, type Post } from './organisation.ts'
import { between, pick, type Random, shuffled, turn } from './random.ts'
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
