import { addDays } from '../domain/plain-date.ts'
import {
  type Timesheet,
  type TimesheetForm,
  timesheetStatuses,
  type TimesheetStatus,
} from '../domain/timesheet.ts'
import type { Maybe } from '../domain/world.ts'
import { buildEvent, type EventDraft } from './build-event.ts'
import { isTimeFault, readDays } from './event-time.ts'
import {
  type Expansible,
  type ExpansionContext,
  isNumber,
  latestOf,
  statusName,
  type Piece,
} from './expansion.ts'

const isOpen: Readonly<Record<TimesheetStatus, boolean>> = {
  DRAFT: true,
  SUBMITTED: false,
  APPROVED: false,
  REJECTED: true,
}

/** Expands the timesheets of the feed's users; the Read API may return others, too. */
export function expandTimesheets(context: ExpansionContext): Expansible<Timesheet> {
  const { feed, records } = context
  return {
    kind: 'timesheet',
    records: latestOf(records.timesheets.values()),
    expand: (timesheet) =>
      feed.userIds.includes(timesheet.userId) ? expandTimesheet(timesheet, context) : null,
  }
}

/** Feeds with every status also show unknown ones, as written; only known ones are something to do. */
function expandTimesheet(timesheet: Timesheet, context: ExpansionContext): Piece[] {
  const { convention, words, feed } = context
  const { id, userId, entries } = timesheet
  const { statuses, as } = feed.options.timesheets
  const status = timesheetStatuses.find((it) => it === timesheet.status)
  const isShown = (status ? [status] : timesheetStatuses).every((it) => statuses.includes(it))
  if (!isShown) return status ? [] : [{ kind: 'timesheet', id, reason: 'unknown_status' }]
  const period = readDays(timesheet.periodStart, timesheet.periodEnd, convention)
  if (isTimeFault(period)) return [{ kind: 'timesheet', id, reason: period }]
  const last = addDays(period.end, -1)
  const span = words.period(period.start, last)
  const state = status ? words.timesheetStates[status] : statusName(timesheet.status, words)
  const worked = sum((entries ?? []).map(({ hoursWorked }) => hoursWorked))
  const expected = sum((entries ?? []).map(({ expectedHours }) => expectedHours))
  const hasHours = worked !== null || expected !== null
  const details = [hasHours ? words.hoursWorked(worked ?? 0, expected) : null]
  const whole: EventDraft = {
    kind: 'timesheet',
    id,
    userId,
    time: period,
    title: words.timesheet(span),
    remarks: [state],
    details,
  }
  const isDue = status !== undefined && isOpen[status]
  const isRejected = status === 'REJECTED'
  const due: EventDraft = {
    kind: 'timesheetdue',
    id,
    userId,
    time: { ...period, start: last },
    title: isDue ? words.timesheetDue(span) : `${words.timesheet(span)} ${state}`,
    details,
  }
  const todo: EventDraft = { ...due, remarks: isRejected ? [words.rejected.toLowerCase()] : [] }
  const drafts = {
    period: [whole],
    deadline: [due],
    both: [whole, due],
    todo: isDue ? [todo] : [],
  } satisfies Record<TimesheetForm, EventDraft[]>
  return drafts[as].map((draft) => buildEvent({ ...draft, isRejected }, context))
}

function sum(values: readonly Maybe<number>[]): number | null {
  const numbers = values.filter(isNumber)
  return numbers.length > 0 ? numbers.reduce((total, value) => total + value) : null
}
