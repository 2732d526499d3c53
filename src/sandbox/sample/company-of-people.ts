import type { PlainDate } from '../../domain/plain-date.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import { inventProjects } from './invented-projects.ts'
import { inventedLeaves } from './leaves.ts'
import { type Person, userOf } from './people.ts'
import type { Project } from './projects.ts'
import { randomOf } from './random.ts'
import { timesheetsOf } from './timesheets.ts'
import type { SampleWords } from './words/words.ts'

/** Half months: what a large company keeps small. */
const timesheetsEach = 4

/** What is of some people of the company. */
export interface OfPeople {
  readonly users: Iterable<CompanyRecords['users']>
  readonly leaves: Iterable<CompanyRecords['leaves']>
  readonly projects: Iterable<Project>
  readonly timesheets: Iterable<CompanyRecords['timesheets']>
}

interface Surroundings {
  readonly today: PlainDate
  readonly words: SampleWords
  readonly seed: number
}

/** What is of those who are invented, each list made as it is read; nothing of it is kept. */
export function companyOf(people: readonly Person[], around: Surroundings): OfPeople {
  return {
    users: usersOf(people, around),
    leaves: leavesOf(people, around),
    projects: inventProjects({ ...around, people }, around.words),
    timesheets: sheetsOf(people, around),
  }
}

function* usersOf(
  people: readonly Person[],
  { today }: Surroundings,
): Generator<CompanyRecords['users']> {
  for (const who of people) yield userOf(who, today)
}

function* leavesOf(
  people: readonly Person[],
  around: Surroundings,
): Generator<CompanyRecords['leaves']> {
  for (const [index, who] of people.entries()) yield* leavesOfOne(who, index, around)
}

/** The same each time. */
function leavesOfOne(
  who: Person,
  index: number,
  { today, words, seed }: Surroundings,
): CompanyRecords['leaves'][] {
  return inventedLeaves(who, { today, words, random: randomOf(seed, 1, index) })
}

function* sheetsOf(
  people: readonly Person[],
  around: Surroundings,
): Generator<CompanyRecords['timesheets']> {
  const { today, words, seed } = around
  for (const [index, who] of people.entries()) {
    const random = randomOf(seed, 2, index)
    const leaves = leavesOfOne(who, index, around)
    yield* timesheetsOf(who, { today, words, random, count: timesheetsEach, leaves })
  }
}
