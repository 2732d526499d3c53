import type { Locale } from '../domain/feed.ts'
import type { PlainDate } from '../domain/plain-date.ts'
import type { CompanyFile, CompanyLists } from '../wire/company-file.ts'
import { randomOf, seededRandom } from './sample/days.ts'
import { sampleInvoices } from './sample/invoices.ts'
import { namedLeaves, inventedLeaves } from './sample/leaves.ts'
import { inventPeople, namedPeople, userOf, type Person } from './sample/people.ts'
import { namedProjects, inventProjects } from './sample/projects.ts'
import { sampleSchedules } from './sample/schedules.ts'
import { timesheetsOf } from './sample/timesheets.ts'
import { sampleWords } from './sample/words.ts'

export interface SampleOptions {
  /** The company covers three months before this day and a year after it. */
  readonly today: PlainDate
  /** Total number of people, including the four named ones; never fewer than four. */
  readonly users?: number | undefined
  /** A whole number; the same seed invents the same records. */
  readonly seed?: number | undefined
  readonly locale?: Locale
}

/** Number of half months: enough for ninety days. */
const namedTimesheets = 8
/** Number of half months: few, so that a large company stays small. */
const inventedTimesheets = 4
const peoplePerInvoice = 6

/**
 * Returns a sample company: always the same four people, and any number of others. Only the people are in memory; each list
 * can be read once.
 */
export function sampleLists({
  today,
  users = 0,
  seed = 1,
  locale = 'en',
}: SampleOptions): CompanyLists {
  const words = sampleWords[locale]
  const four = namedPeople(locale)
  const others = inventPeople(Math.max(0, users - four.length), words, seededRandom(seed))
  const around = { today, words, random: seededRandom(1) }
  const leaves = four.map((who, index) => namedLeaves(who, index, around))
  const projects = namedProjects({ ...around, people: four }, locale)
  const timesheets = four.flatMap((who, index) =>
    timesheetsOf(who, { ...around, count: namedTimesheets, leaves: leaves[index] ?? [] }),
  )
  const leavesOf = (who: Person, index: number) =>
    inventedLeaves(who, { today, words, random: randomOf(seed, 1, index) })
  const sheetsOf = (who: Person, index: number) =>
    timesheetsOf(who, {
      today,
      words,
      random: randomOf(seed, 2, index),
      count: inventedTimesheets,
      leaves: leavesOf(who, index),
    })
  const moreInvoices = Math.floor(others.length / peoplePerInvoice)
  return {
    users: [...four, ...others].values().map((who) => userOf(who, today)),
    leaves: joined(leaves.flat(), others.values().flatMap(leavesOf)),
    projects: joined(projects, inventProjects(others, { today, words, seed })),
    schedules: sampleSchedules(words),
    timesheets: joined(timesheets, others.values().flatMap(sheetsOf)),
    invoices: sampleInvoices(moreInvoices, { today, words, random: randomOf(seed, 4, 0) }),
  }
}

function* joined<T>(...lists: readonly Iterable<T>[]): Generator<T> {
  for (const list of lists) yield* list
}

/** Returns the sample company as a file in memory. */
export function sampleCompany(options: SampleOptions): CompanyFile
export function sampleCompany(options: SampleOptions): object {
  const lists = Object.entries<Iterable<unknown>>(sampleLists(options))
  return Object.fromEntries(lists.map(([name, records]) => [name, [...records]]))
}

/** A company file that is generated while it is written. */
export interface SampleFile {
  /** The text in parts; can be read once. */
  readonly parts: Iterable<string>
  /** How many records of each kind have been written so far. */
  counts(): Readonly<Record<string, number>>
}

export function sampleFile(lists: CompanyLists): SampleFile {
  const counts: Record<string, number> = {}
  const count = (name: string, more: number): void => {
    counts[name] = (counts[name] ?? 0) + more
  }
  return { parts: sampleText(lists, count), counts: () => counts }
}

/** Minimum characters per part, except for the last. */
const partLength = 65_536

/** Formats like `JSON.stringify` with an indent of two. */
function* sampleText(
  lists: CompanyLists,
  count: (name: string, more: number) => void,
): Generator<string> {
  let part = ''
  let before = '{\n'
  for (const [name, records] of Object.entries(lists)) {
    part += `${before}  "${name}": [`
    let between = '\n'
    for (const record of records) {
      count(name, 1)
      if ('tasks' in record && Array.isArray(record.tasks)) count('tasks', record.tasks.length)
      part += `${between}    ${JSON.stringify(record, null, 2).replaceAll('\n', '\n    ')}`
      between = ',\n'
      if (part.length < partLength) continue
      yield part
      part = ''
    }
    part += '\n  ]'
    before = ',\n'
  }
  yield `${part}\n}\n`
}
