import { addDays } from '../domain/plain-date.ts'
import type { Timesheet } from '../domain/timesheet.ts'
import type { Maybe } from '../domain/world.ts'
import { buildEvent, type EventDraft } from './build-event.ts'
import { isTimeFault, readDays } from './event-time.ts'
import { expandEach, type Expanding, type Outcome } from './expansion.ts'
import type { TimesheetState, Words } from './words/words.ts'

const states: readonly TimesheetState[] = ['DRAFT', 'SUBMITTED', 'APPROVED', 'REJECTED']

/** The timesheets of the feed's users (event-rules section 5). */
export function expandTimesheets(expanding: Expanding): Outcome[] {
  const { feed, records } = expanding
  if (!feed.options.timesheets.show) return []
  const timesheets = records.timesheets.filter(({ userId }) => feed.userIds.includes(userId))
  return expandEach('timesheet', timesheets, (timesheet) => expandTimesheet(timesheet, expanding))
}

function expandTimesheet(timesheet: Timesheet, expanding: Expanding): Outcome[] {
  const { statuses } = expanding.feed.options.timesheets
  const state = states.find((it) => it === timesheet.status)
  if (state) return statuses.includes(state) ? timesheetEvents(timesheet, state, expanding) : []
  // A status that nobody could choose is shown to those who have not chosen.
  if (states.every((it) => statuses.includes(it))) {
    return timesheetEvents(timesheet, null, expanding)
  }
  return [{ kind: 'timesheet', id: timesheet.id, reason: 'unknown_status' }]
}

function timesheetEvents(
  timesheet: Timesheet,
  state: TimesheetState | null,
  expanding: Expanding,
): Outcome[] {
  const { reading, words, feed } = expanding
  const { id, userId, status } = timesheet
  const period = readDays(timesheet.periodStart, timesheet.periodEnd, reading)
  if (isTimeFault(period)) return [{ kind: 'timesheet', id, reason: period }]
  const last = addDays(period.end, -1)
  const span = words.period(period.start, last)
  const said = state ? words.timesheetStates[state] : status
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
      title: isOpen(state) ? words.timesheetDue(span) : `${words.timesheet(span)} ${said}`,
    },
  ]
  const { as } = feed.options.timesheets
  return drafts
    .filter(({ kind }) => as === 'both' || (as === 'deadline') === (kind === 'timesheetdue'))
    .map((draft) => buildEvent(draft, expanding))
}

function isOpen(state: TimesheetState | null): boolean {
  return state === 'DRAFT' || state === 'REJECTED'
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
