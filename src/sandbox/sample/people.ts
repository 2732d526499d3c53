import type { Locale } from '../../domain/feed.ts'
import { addDays, type PlainDate } from '../../domain/plain-date.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import { at } from './days.ts'
import { asciiOf, nameOf } from './names.ts'
import { between, pick, type Random, shuffled } from './random.ts'
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
  readonly isPartTime: boolean
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
    return { key, firstName, lastName, position, manager, since, isPartTime: false }
  }
  return [
    person('ada', ['Ada', 'Brandt'], 1210),
    person('bob', ['Bob', 'Fischer'], 842),
    person('cleo', ['Cleo', 'Martin'], 395),
    person('mia', ['Mia', 'Wagner'], 2604),
  ]
}

/** So many more people, no two of one name; every tenth leads the nine who come after. */
export function inventPeople(count: number, words: SampleWords, random: Random): Person[] {
  const names = {
    first: shuffled(random, words.firstNames),
    last: shuffled(random, words.lastNames),
  }
  return Array.from({ length: count }, (_, index) => {
    const leader = index - (index % 10)
    return {
      key: keyOf(index),
      ...nameOf(index, names),
      position: pick(random, words.positions),
      manager: leader === index ? 'mia' : keyOf(leader),
      since: random() < 0.08 ? between(random, 3, 90) : between(random, 90, 4000),
      isPartTime: random() < 0.2,
    }
  })
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
    role: isLeader(who) ? 'MANAGER' : 'EMPLOYEE',
    employmentType: who.isPartTime ? 'PART_TIME' : 'FULL_TIME',
    position: who.position,
    isActive: true,
    assignedManagerId: who.manager && `usr_${who.manager}`,
    assignedManager: null,
    createdAt: at(addDays(today, -who.since), '08:00'),
    updatedAt: at(addDays(today, -Math.min(who.since, 30)), '08:00'),
  }
}

/** Mia, and every tenth of those who are invented. */
function isLeader({ key, manager }: Person): boolean {
  return manager === null || /^\d*1$/.test(key)
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
