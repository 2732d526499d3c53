import type { Locale } from '../domain/feed.ts'
import type { PlainDate } from '../domain/plain-date.ts'
import type { CompanyFile, CompanyRecords } from '../wire/company-file.ts'
import type { CompanyLists } from './loading/company-file.ts'
import { randomOf, seededRandom } from './sample/days.ts'
import { sampleInvoices } from './sample/invoices.ts'
import { namedLeaves, inventedLeaves } from './sample/leaves.ts'
import { inventPeople, namedPeople, userOf, type Person } from './sample/people.ts'
import { namedProjects, type Project, inventProjects } from './sample/projects.ts'
import { sampleSchedules } from './sample/schedules.ts'
import { timesheetsOf } from './sample/timesheets.ts'
import { germanWords } from './sample/words/de.ts'
import { englishWords } from './sample/words/en.ts'
import type { SampleWords } from './sample/words/words.ts'

const sampleWords: Readonly<Record<Locale, SampleWords>> = { en: englishWords, de: germanWords }

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
type FourPeople = {
  readonly [K in 'users' | 'leaves' | 'projects' | 'timesheets']: CompanyRecords[K][]
}

/** Those whom the documentation and the demo name, whatever the seed. */
function companyOfFour(today: PlainDate, locale: Locale, words: SampleWords): FourPeople {
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
function companyOf(people: readonly Person[], around: Surroundings): OfPeople {
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

/** A company file that is written as it is made. */
export interface SampleFile {
  /** Its text, part by part, once. */
  readonly parts: Iterable<string>
  /** How many records of each kind have been written. */
  counts(): Readonly<Record<string, number>>
}

/** The file of these lists, which are gone through once. */
export function sampleFile(lists: CompanyLists): SampleFile {
  const counts = new Map<string, number>()
  const add = (name: string, more: number): unknown =>
    counts.set(name, (counts.get(name) ?? 0) + more)
  const parts = sampleText(lists, (list, record) => {
    add(list, 1)
    if ('tasks' in record && Array.isArray(record.tasks)) add('tasks', record.tasks.length)
  })
  return { parts, counts: () => Object.fromEntries(counts) }
}

/** Of one part, in characters; a longer record is one by itself. */
const partLength = 65_536

/** The text of a company file, part by part, each record written when its turn comes; `onRecord` is told its list. */
function* sampleText(
  lists: CompanyLists,
  onRecord: (list: string, record: object) => void,
): Generator<string> {
  let part = ''
  for (const piece of pieces(lists, onRecord)) {
    part += piece
    if (part.length < partLength) continue
    yield part
    part = ''
  }
  yield part
}

/** Indented by two, as `JSON.stringify` does it. */
function* pieces(
  lists: CompanyLists,
  onRecord: (list: string, record: object) => void,
): Generator<string> {
  let before = '{\n'
  for (const [name, records] of Object.entries(lists)) {
    yield `${before}  "${name}": [`
    let between = '\n'
    for (const record of records) {
      onRecord(name, record)
      yield between + indented(record)
      between = ',\n'
    }
    yield '\n  ]'
    before = ',\n'
  }
  yield '\n}\n'
}

function indented(record: object): string {
  return `    ${JSON.stringify(record, null, 2).replaceAll('\n', '\n    ')}`
}
