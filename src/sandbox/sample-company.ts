import type { Locale } from '../domain/feed.ts'
import type { PlainDate } from '../domain/plain-date.ts'
import type { CompanyFile, CompanyRecords } from '../wire/company-file.ts'
import { inventProjects } from './sample/invented-projects.ts'
import { sampleInvoices } from './sample/invoices.ts'
import { inventedLeaves } from './sample/leaves.ts'
import { namedLeaves } from './sample/named-leaves.ts'
import { inventPeople, namedPeople, type Person, userOf } from './sample/people.ts'
import { namedProjects } from './sample/projects.ts'
import { seededRandom } from './sample/random.ts'
import { sampleSchedules } from './sample/schedules.ts'
import { timesheetsOf } from './sample/timesheets.ts'
import { type SampleWords, sampleWords } from './sample/words/words.ts'

export interface SampleOptions {
  /** The day round which the company is alive: three months before it, a year after. */
  readonly today: PlainDate
  /** How many people in all, the four named ones included; never fewer than those. */
  readonly users?: number
  /** A whole number; the invented part is the same for the same one. */
  readonly seed?: number
  /** The language of everything that people have written. */
  readonly locale?: Locale
}

/** Half months: enough for ninety days, and for what a large company keeps small. */
const namedTimesheets = 8
const inventedTimesheets = 4
/** One invoice for so many people. */
const peoplePerInvoice = 6

/** What is of some people of the company. */
type OfPeople = {
  readonly [K in 'users' | 'leaves' | 'projects' | 'timesheets']: CompanyRecords[K][]
}

/** A company to try things with: always the same four people, and any number more. Pure, in linear time. */
export function sampleCompany({
  today,
  users = 0,
  seed = 1,
  locale = 'en',
}: SampleOptions): CompanyFile {
  const words = sampleWords[locale]
  const four = companyOfFour(today, locale, words)
  const random = seededRandom(seed)
  const people = inventPeople(Math.max(0, users - four.users.length), words, random)
  const others = companyOf(people, { today, words, random })
  return {
    users: [...four.users, ...others.users],
    leaves: [...four.leaves, ...others.leaves],
    projects: [...four.projects, ...others.projects],
    schedules: sampleSchedules(words),
    timesheets: [...four.timesheets, ...others.timesheets],
    invoices: sampleInvoices(Math.floor(people.length / peoplePerInvoice), {
      today,
      words,
      random,
    }),
  }
}

/** Those whom the documentation and the demo name, whatever the seed. */
function companyOfFour(today: PlainDate, locale: Locale, words: SampleWords): OfPeople {
  const around = { today, words, random: seededRandom(1) }
  const people = namedPeople(locale)
  const leaves = people.map((who, index) => namedLeaves(who, index, around))
  return {
    users: people.map((who) => userOf(who, today)),
    leaves: leaves.flat(),
    projects: namedProjects({ ...around, people }, locale),
    timesheets: people.flatMap((who, index) =>
      timesheetsOf(who, { ...around, count: namedTimesheets, leaves: leaves[index] ?? [] }),
    ),
  }
}

type Surroundings = Parameters<typeof inventedLeaves>[1]

function companyOf(people: readonly Person[], around: Surroundings): OfPeople {
  const leaves = people.map((who): CompanyRecords['leaves'][] => inventedLeaves(who, around))
  return {
    users: people.map((who) => userOf(who, around.today)),
    leaves: leaves.flat(),
    projects: inventProjects({ ...around, people }, around.words),
    timesheets: people.flatMap((who, index) =>
      timesheetsOf(who, { ...around, count: inventedTimesheets, leaves: leaves[index] ?? [] }),
    ),
  }
}
