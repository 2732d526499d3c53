/* The dates of a record, whether a calendar shows it or not. */
import type { EventTime } from '../domain/calendar-event.ts'
import type { Invoice } from '../domain/invoice.ts'
import type { Leave } from '../domain/leave.ts'
import { addDays, type PlainDate } from '../domain/plain-date.ts'
import type { Task } from '../domain/task.ts'
import type { Timesheet } from '../domain/timesheet.ts'
import type { Instant } from '../domain/world.ts'
import { isTimeFault, readDays, readDue, type TimeFault } from './event-time.ts'
import { type CalendarSource, conventionOf } from './expansion.ts'
import { readLeaveTime } from './leaves.ts'
import { type LocalTime, localTime } from './local-time.ts'
import { dueMinutes } from './tasks.ts'

/** Both inclusive, in the feed's zone; for leave that is counted by day, in the company's, as in the calendar. */
export interface Dates {
  readonly first: PlainDate
  readonly last: PlainDate
}

export type DatedRecord =
  | { readonly kind: 'leave'; readonly record: Leave }
  | { readonly kind: 'timesheet'; readonly record: Timesheet }
  | { readonly kind: 'task'; readonly record: Task }
  | { readonly kind: 'invoice'; readonly record: Invoice }

/** What decides where dates fall. */
export type CalendarFrame = Omit<CalendarSource, 'records'>

/** Null without a date. If start and end contradict each other, all dates that either may mean. */
export function datesOf(
  dated: DatedRecord,
  { feed, company, window }: CalendarFrame,
): Dates | null {
  const convention = conventionOf(company)
  const isCounted = dated.kind === 'leave' && feed.options.leaves.as === 'day'
  const local = isCounted ? convention.local : localTime(feed.timezone)
  const [time, ...written] = readTime()
  if (time === null) return null
  if (!isTimeFault(time)) return datesIn(time, local)
  if (time === 'out_of_range') return null
  const dates = written.map((instant) => local.dateAt(instant)).toSorted()
  const [first] = dates
  const last = time === 'not_begun' ? addDays(window.end, -1) : dates.at(-1)
  return first === undefined || last === undefined ? null : { first, last }

  function readTime(): readonly [EventTime | TimeFault | null, ...Instant[]] {
    if (dated.kind === 'leave') {
      const { startDate, endDate } = dated.record
      const read = readLeaveTime(dated.record, { convention, window }).time
      return [read, startDate, ...(endDate === null ? [] : [endDate])]
    }
    if (dated.kind === 'timesheet') {
      const { periodStart, periodEnd } = dated.record
      return [readDays(periodStart, periodEnd, convention), periodStart, periodEnd]
    }
    const { dueDate } = dated.record
    if (dueDate == null) return [null]
    return [readDue(dueDate, dated.kind === 'task' ? dueMinutes : null, convention), dueDate]
  }
}

function datesIn(time: EventTime, local: LocalTime): Dates {
  if (time.allDay) return { first: time.start, last: addDays(time.end, -1) }
  return { first: local.dateAt(time.start), last: local.dateAt(time.end - 1) }
}
