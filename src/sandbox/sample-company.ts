import type { PlainDate } from '../domain/plain-date.ts'
import type { CompanyFile } from '../wire/company-file.ts'
import { sampleInvoices } from './sample/invoices.ts'
import { leavesOf } from './sample/leaves.ts'
import { inventPeople, namedPeople, userOf } from './sample/people.ts'
import { inventProjects, namedProjects } from './sample/projects.ts'
import { seededRandom } from './sample/random.ts'
import { sampleSchedules } from './sample/schedules.ts'
import { timesheetsOf } from './sample/timesheets.ts'

export interface SampleOptions {
  /** The day round which the company is alive: three months before it, a year after. */
  readonly today: PlainDate
  /** How many people in all, the four named ones included; never fewer than those. */
  readonly users?: number
  /** A whole number; the invented part is the same for the same one. */
  readonly seed?: number
}

/** Half months: enough for ninety days, and for what a large company keeps small. */
const namedTimesheets = 8
const inventedTimesheets = 4

/** A company to try things with: always the same four people, and any number more. Pure, in linear time. */
export function sampleCompany({ today, users = 0, seed = 1 }: SampleOptions): CompanyFile {
  const random = seededRandom(seed)
  const invented = inventPeople(Math.max(0, users - namedPeople.length), random)
  const sheets = (count: number) => (who: (typeof invented)[number]) =>
    timesheetsOf(who, today, { count, random })

  return {
    users: [...namedPeople, ...invented].map((who) => userOf(who, today)),
    leaves: [
      ...namedPeople.flatMap((who, index) => leavesOf(who, today, index)),
      ...invented.flatMap((who) => leavesOf(who, today, Math.floor(random() * 16))),
    ],
    projects: [...namedProjects(namedPeople, today), ...inventProjects(invented, today, random)],
    schedules: sampleSchedules,
    timesheets: [
      ...namedPeople.flatMap(sheets(namedTimesheets)),
      ...invented.flatMap(sheets(inventedTimesheets)),
    ],
    invoices: sampleInvoices(today),
  }
}
