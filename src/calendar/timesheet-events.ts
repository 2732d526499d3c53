import { addDays } from '../domain/plain-date.ts'
import { type Timesheet, timesheetStatuses, type TimesheetStatus } from '../domain/timesheet.ts'
import type { Maybe } from '../domain/world.ts'
import { buildEvent, type EventDraft } from './build-event.ts'
import { isTimeFault, readDays } from './event-time.ts'
import { expandEach, type ExpansionContext, latestOf, type Piece, statusName } from './expansion.ts'
import type { Words } from './words/words.ts'

/** The timesheets of the feed's users: the Read API may answer with those of others, too. */
export function* expandTimesheets(context: ExpansionContext): Iterable<readonly Piece[]> {
  const { feed, records } = context
  yield* expandEach('timesheet', yield* latestOf(records.timesheets.values()), (timesheet) =>
    feed.userIds.includes(timesheet.userId) ? expandTimesheet(timesheet, context) : null,
  )
}

/**
 * Those of a status that the feed shows; one that nobody could choose is shown as it is written to those who have not
 * chosen.
 */
function expandTimesheet(timesheet: Timesheet, context: ExpansionContext): Piece[] {
  const { statuses } = context.feed.options.timesheets
  const status = timesheetStatuses.find((it) => it === timesheet.status)
  if (status) return statuses.includes(status) ? timesheetEvents(timesheet, status, context) : []
  if (timesheetStatuses.every((it) => statuses.includes(it))) {
    return timesheetEvents(timesheet, null, context)
  }
  return [{ kind: 'timesheet', id: timesheet.id, reason: 'unknown_status' }]
}

/** One all-day event over the whole period, one on its last day, or both, as the feed says. */
function timesheetEvents(
  timesheet: Timesheet,
  status: TimesheetStatus | null,
  context: ExpansionContext,
): Piece[] {
  const { convention, words, feed } = context
  const { id, userId } = timesheet
  const period = readDays(timesheet.periodStart, timesheet.periodEnd, convention)
  if (isTimeFault(period)) return [{ kind: 'timesheet', id, reason: period }]
  const last = addDays(period.end, -1)
  const span = words.period(period.start, last)
  const said = status ? words.timesheetStates[status] : statusName(timesheet.status, words)
  const common = { id, userId, details: [hoursLine(timesheet, words)] }
  const drafts: EventDraft[] = [
    {
      ...common,
      kind: 'timesheet',
      time: period,
      title: words.timesheet(span),
      remarks: [said],
    },
    {
      ...common,
      kind: 'timesheetdue',
      time: { ...period, start: last },
      title: isOpen(status) ? words.timesheetDue(span) : `${words.timesheet(span)} ${said}`,
    },
  ]
  const { as } = feed.options.timesheets
  return drafts
    .filter(({ kind }) => as === 'both' || (as === 'deadline') === (kind === 'timesheetdue'))
    .map((draft) => buildEvent(draft, context))
}

/** Whether it is still to be handed in. */
function isOpen(status: TimesheetStatus | null): boolean {
  return status === 'DRAFT' || status === 'REJECTED'
}

function hoursLine({ entries }: Timesheet, words: Words): string | null {
  const worked = sum((entries ?? []).map(({ hoursWorked }) => hoursWorked))
  const expected = sum((entries ?? []).map(({ expectedHours }) => expectedHours))
  return worked === null && expected === null ? null : words.hoursWorked(worked ?? 0, expected)
}

/** Of the numbers among them; null if there is none. */
function sum(values: readonly Maybe<number>[]): number | null {
  const numbers = values.flatMap((value) => (isNumber(value) ? [value] : []))
  return numbers.length > 0 ? numbers.reduce((total, value) => total + value) : null
}

function isNumber(value: Maybe<number>): value is number {
  return Number.isFinite(value)
}
