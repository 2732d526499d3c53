import type { Company } from '../../domain/company.ts'
import { type Finding, findingOf } from '../../domain/examination.ts'
import { noRecords, type RecordsBySubject } from '../../domain/kinds.ts'
import { withBegin } from '../../domain/leave.ts'
import type { RecordFault } from '../../domain/read-api.ts'
import { defaultSchedules } from '../../domain/schedule.ts'
import { type LeftOut, leftOutByNew } from '../../publishing/left-out.ts'
import { counted, type Inquiry, listed, succeeded } from '../inquiry.ts'
import type { RightDays } from './dates.ts'
import {
  allLeaves,
  allTasks,
  allTimesheets,
  answersOf,
  type ListFacts,
  recordsIn,
} from './lists.ts'

const check = 'records'

/** Reasons with their own finding if settings name the schedule. */
const ofSchedules: ReadonlySet<LeftOut['reason']> = new Set([
  'missing_schedule',
  'inactive_schedule',
  'needs_rotation',
  'unknown_type',
])

/**
 * Counts records that do not fit the spec, by field, and records that fit but are left out of calendars. The calendars' own
 * code decides this for the fresh records; `ofFeeds` has the result for stored ones.
 */
export async function checkRecords(
  inquiry: Inquiry,
  lists: ListFacts,
  { ofFeeds, rightDays }: { readonly ofFeeds: readonly LeftOut[]; readonly rightDays: RightDays },
): Promise<Finding> {
  const { ofNew, ofUnnamed, ofNewIfRight } = await leftOutOfNew(inquiry, lists, rightDays)
  const faults = countedFaults(lists)
  const leftOut = [
    ...ofNew.filter(({ reason }) => !ofSchedules.has(reason)),
    ...stillLeftOut(ofFeeds, lists),
  ]
  const malformed = ofUnnamed.filter(({ reason }) => reason === 'malformed_day')
  const oddities = countedOddities([...leftOut, ...malformed])
  if (faults.length + oddities.length === 0) {
    const seen = 'Every record that came fits the spec.'
    return findingOf({ check, level: 'ok', seen, means: 'None of them is left out of calendars.' })
  }
  const misfits = [...faults.map(faultWords), ...oddities.map(({ words }) => words)]
  const seen = `Records that do not fit the spec, or that calendars cannot show: ${listed(misfits)}.`
  if (faults.length + leftOut.length === 0) {
    const means = 'They are of schedules that new calendars do not show.'
    return findingOf({ check, level: 'note', seen, means })
  }
  const all = [...faults, ...oddities].reduce((sum, { count }) => sum + count, 0)
  const ofSettings = new Set(ofNew.map(nameOf)).difference(new Set(ofNewIfRight.map(nameOf))).size
  return findingOf({ check, level: 'wrong', seen, means: meansOf(all, ofSettings) })
}

/** `ofSettings` is the number of records that would be shown if days and ends were read as they seem to be written. */
function meansOf(all: number, ofSettings: number): string {
  const leftOut = 'What does not fit is left out of calendars; all else is shown.'
  if (ofSettings === 0) return `${leftOut} Have it mended in the workforce system.`
  const they = ofSettings === all ? 'They' : `${ofSettings} of them`
  const settings = `${they} would be shown with days and ends read otherwise: see the findings dates and end-dates.`
  const others = ofSettings === all ? '' : ' Have the others mended in the workforce system.'
  return `${leftOut} ${settings}${others}`
}

/** A fresh record says more than its stored copy. */
function stillLeftOut(ofFeeds: readonly LeftOut[], lists: ListFacts): readonly LeftOut[] {
  const read = new Set([
    ...allLeaves(lists).map(({ id }) => nameOf({ kind: 'leave', id })),
    ...allTimesheets(lists).map(({ id }) => nameOf({ kind: 'timesheet', id })),
    ...allTasks(lists).map(({ id }) => nameOf({ kind: 'task', id })),
  ])
  return ofFeeds.filter(({ kind, id, reason }) => {
    // Each calendar chooses the statuses to show, so fresh records do not decide this.
    const isChosen = kind === 'timesheet' && reason === 'unknown_status'
    return isChosen || !read.has(nameOf({ kind, id }))
  })
}

function nameOf({ kind, id }: Pick<LeftOut, 'kind' | 'id'>): string {
  return `${kind} ${id}`
}

/** Records with a name other than the event's kind. */
const nouns: { readonly [Kind in LeftOut['kind']]?: string } = {
  shift: 'schedule',
  timesheetdue: 'timesheet',
}

const reasons: Readonly<Record<LeftOut['reason'], string>> = {
  unknown_status: 'of a status that the spec does not list',
  unknown_type: 'of a type that the spec does not list',
  end_before_start: 'with an end before its start',
  no_length: 'without any length',
  not_begun: 'without an end that has not begun',
  out_of_range: 'in a year that no calendar can hold',
  unknown_timezone: 'with a time zone that does not exist',
  malformed_day: 'with a day that is no weekday or has no readable hours',
  missing_schedule: 'named by a calendar and gone',
  inactive_schedule: 'named by a calendar and not active',
  needs_rotation: 'of type ROTATING in a calendar that does not say from when it rotates',
  unreadable: 'that cannot be read',
  held: 'that can no longer be read, shown as it was before',
}

/** Counts each record once per reason. */
function countedOddities(
  leftOut: readonly LeftOut[],
): readonly { readonly count: number; readonly words: string }[] {
  const distinct = new Map(leftOut.map((it) => [`${it.reason} ${nameOf(it)}`, it]))
  const alike = Map.groupBy(distinct.values(), ({ kind, reason }) => `${kind} ${reason}`)
  return [...alike.values()].flatMap((all) =>
    all.slice(0, 1).map(({ kind, reason }) => ({
      count: all.length,
      words: `${counted(all.length, nouns[kind] ?? kind)} ${reasons[reason]}`,
    })),
  )
}

/** Adds up the faults per field of each list, or of its parts if the list could not be read. */
function countedFaults(lists: ListFacts): readonly RecordFault[] {
  const faults = Object.values(answersOf(lists)).flatMap(({ whole, parts }) =>
    (whole && succeeded(whole) ? [whole] : parts.filter(succeeded)).flatMap((it) => [
      ...it.faults,
      ...it.misfits,
    ]),
  )
  const byField = Map.groupBy(faults, ({ resource, field }) => `${resource} ${field}`)
  return [...byField.values()].flatMap((all) =>
    all.slice(0, 1).map((first) => ({
      ...first,
      count: all.reduce((sum, { count }) => sum + count, 0),
    })),
  )
}

function faultWords({ resource, field, count, example, expected }: RecordFault): string {
  return `${count} of ${resource} at ${field} (${expected}, the first at ${example})`
}

interface LeftOutOfNew {
  readonly ofNew: readonly LeftOut[]
  /** If new calendars showed the other active schedules. */
  readonly ofUnnamed: readonly LeftOut[]
  /** If days and ends were read as they seem to be written. */
  readonly ofNewIfRight: readonly LeftOut[]
}

/** Returns what new calendars would leave out of the fresh records. */
async function leftOutOfNew(
  { connection: { company }, now }: Inquiry,
  lists: ListFacts,
  rightDays: RightDays,
): Promise<LeftOutOfNew> {
  const records = recordsOfOnePerson(lists, company, now)
  const schedules = recordsIn(lists.schedules)
  const usual = defaultSchedules(company, schedules)
  const others = schedules
    .filter(({ id, isActive }) => isActive !== false && !usual.includes(id))
    .map(({ id }) => id)
  const right = { ...company, ...rightDays }
  return {
    ofNew: await leftOutByNew(company, records, { now, scheduleIds: usual }),
    ofUnnamed: await leftOutByNew(company, records, { now, scheduleIds: others }),
    ofNewIfRight: await leftOutByNew(right, records, { now, scheduleIds: usual }),
  }
}

/** Treats all records as one person's, since what is left out does not depend on the person. */
function recordsOfOnePerson(lists: ListFacts, company: Company, now: number): RecordsBySubject {
  const person = 'one'
  const tasks = [...lists.tasks].map(([project, answer]) => {
    const ofProject = recordsIn(answer).map((task) => ({
      ...task,
      assignees: task.assignees?.length ? [{ id: person }] : [],
    }))
    return [project, ofProject] as const
  })
  const timesheets = allTimesheets(lists).map((timesheet) => ({ ...timesheet, userId: person }))
  return {
    ...noRecords,
    leaves: new Map([[person, allLeaves(lists).map((leave) => withBegin(leave, company, now))]]),
    timesheets: new Map([[person, timesheets]]),
    schedules: new Map([['', recordsIn(lists.schedules)]]),
    tasks: new Map(tasks),
  }
}
