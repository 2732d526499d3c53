import { addDays, type PlainDate } from '../../domain/plain-date.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import { at } from './days.ts'
import { pick } from './random.ts'

/** Who works at the sample company. */
export interface Person {
  /** Part of the ids of all that is theirs: `usr_ada`, `lv_ada_1`. */
  readonly key: string
  readonly firstName: string
  readonly lastName: string
  readonly position: string
  /** The manager's key; null for the one at the top. */
  readonly manager: string | null
}

/** Those whom the documentation and the demo name. */
export const namedPeople: readonly Person[] = [
  person('ada', 'Ada Brandt', 'Software engineer', 'mia'),
  person('bob', 'Bob Fischer', 'System administrator', 'mia'),
  person('cleo', 'Cleo Martin', 'Designer', 'mia'),
  person('mia', 'Mia Wagner', 'Head of engineering', null),
]

const firstNames = [
  'Alma',
  'Ben',
  'Emma',
  'Hugo',
  'Ida',
  'Nils',
  'Olga',
  'Ugo',
  'Yara',
  'Zoë',
] as const

const lastNames = [
  'Bauer',
  'Çelik',
  'Dupont',
  'García',
  'Kowalski',
  'Novák',
  'O’Brien',
  'Søndergaard',
  'Tóth',
  'Weiß',
] as const

const positions = [
  'Accountant',
  'Electrician',
  'Nurse',
  'Project manager',
  'Software engineer',
  'Support agent',
  'Technician',
] as const

/** So many more people; every tenth leads the nine who come after. */
export function inventPeople(count: number, random: () => number): Person[] {
  return Array.from({ length: count }, (_, index) => {
    const leader = index - (index % 10)
    return person(
      keyOf(index),
      `${pick(random, firstNames)} ${pick(random, lastNames)}`,
      pick(random, positions),
      leader === index ? 'mia' : keyOf(leader),
    )
  })
}

function keyOf(index: number): string {
  return String(index + 1).padStart(5, '0')
}

function person(key: string, name: string, position: string, manager: string | null): Person {
  const [firstName = '', lastName = ''] = name.split(' ')
  return { key, firstName, lastName, position, manager }
}

/** The person's User record; who manages stands in it as an id, which Get user expands. */
export function userOf(who: Person, today: PlainDate): CompanyRecords['users'] {
  return {
    id: `usr_${who.key}`,
    email: `${who.key}@sample.example`,
    firstName: who.firstName,
    lastName: who.lastName,
    role: who.manager === null ? 'MANAGER' : 'EMPLOYEE',
    employmentType: 'FULL_TIME',
    position: who.position,
    isActive: true,
    assignedManagerId: who.manager && `usr_${who.manager}`,
    assignedManager: null,
    createdAt: at(addDays(today, -800), '08:00'),
    updatedAt: at(addDays(today, -30), '08:00'),
  }
}

type Reference = NonNullable<CompanyRecords['users']['assignedManager']>

/** The person as named inside a task. */
export function referenceTo({ key, firstName, lastName }: Person): Reference {
  return { id: `usr_${key}`, firstName, lastName }
}
