import type { Locale } from '../domain/feed.ts'
import type { PlainDate } from '../domain/plain-date.ts'
import type { CompanyFile, CompanyRecords } from '../wire/company-file.ts'
import { companyOf } from './sample/company-of-people.ts'
import { sampleInvoices } from './sample/invoices.ts'
import { namedLeaves } from './sample/named-leaves.ts'
import { inventPeople, namedPeople, userOf } from './sample/people.ts'
import { namedProjects } from './sample/projects.ts'
import { randomOf, seededRandom } from './sample/random.ts'
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

/** Half months: enough for ninety days. */
const namedTimesheets = 8
/** One invoice for so many people. */
const peoplePerInvoice = 6

/** The lists of the sample company, each made as it is read, with projects as they stand in a file. */
export type SampleLists = { readonly [K in keyof CompanyRecords]: Iterable<CompanyRecords[K]> }

/** A company to try things with: always the same four people, and any number more, in memory for no more than these. */
export function sampleLists({
  today,
  users = 0,
  seed = 1,
  locale = 'en',
}: SampleOptions): SampleLists {
  const words = sampleWords[locale]
  const four = companyOfFour(today, locale, words)
  const people = inventPeople(Math.max(0, users - four.users.length), words, seededRandom(seed))
  const others = companyOf(people, { today, words, seed })
  const random = randomOf(seed, 4, 0)
  return {
    users: joined(four.users, others.users),
    leaves: joined(four.leaves, others.leaves),
    projects: joined(four.projects, others.projects),
    schedules: sampleSchedules(words),
    timesheets: joined(four.timesheets, others.timesheets),
    invoices: sampleInvoices(Math.floor(people.length / peoplePerInvoice), {
      today,
      words,
      random,
    }),
  }
}

/** The same as a file in memory. */
export function sampleCompany(options: SampleOptions): CompanyFile {
  const lists = sampleLists(options)
  return {
    users: [...lists.users],
    leaves: [...lists.leaves],
    projects: [...lists.projects],
    schedules: [...lists.schedules],
    timesheets: [...lists.timesheets],
    invoices: [...lists.invoices],
  }
}

/** What is of some people of the company. */
type OfPeople = {
  readonly [K in 'users' | 'leaves' | 'projects' | 'timesheets']: CompanyRecords[K][]
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

function* joined<T>(...lists: readonly Iterable<T>[]): Generator<T> {
  for (const list of lists) yield* list
}
