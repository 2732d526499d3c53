import type { EventTime } from '../domain/calendar-event.ts'
import type { Company } from '../domain/company.ts'
import { addDays, dayNumber, type PlainDate } from '../domain/plain-date.ts'
import { dayMs, minuteMs, type Instant } from '../domain/world.ts'
import { type CalendarWindow, type LocalTime, localTime } from './local-time.ts'

/** iCalendar years have four digits (RFC 5545 section 3.3.4). A day on both sides is left for time zones. */
const earliest = Date.parse('0001-01-02T00:00:00Z')
const latest = Date.parse('9999-12-30T00:00:00Z')

/** How a company writes days as timestamps; a setting, since no record shows it. */
export interface DayConvention {
  /** The clock that shows midnight at a bare day: UTC or the company's. */
  readonly days: LocalTime
  readonly local: LocalTime
  readonly endDates: Company['endDates']
}

type AllDay = Extract<EventTime, { allDay: true }>
/** From instant to instant. */
export type Span = Extract<EventTime, { allDay: false }>

/**
 * Why a record has no time. Events must end after they start (RFC 5545 section 3.8.2.2), and those without an end must have
 * begun.
 */
export type TimeFault = 'end_before_start' | 'no_length' | 'out_of_range' | 'not_begun'

export function isTimeFault(time: EventTime | TimeFault): time is TimeFault {
  return typeof time === 'string'
}

/** Returns a record's span: whole days if start and end are bare days, else from instant to instant. */
export function readSpan(
  start: Instant,
  end: Instant,
  convention: DayConvention,
): EventTime | TimeFault {
  if (!isWritable(start) || !isWritable(end)) return 'out_of_range'
  const first = bareDay(start, convention)
  const last = lastDay(end, convention)
  return first === null || last === null ? timed(start, end) : wholeDays(first, last)
}

/** Returns the span of a record without an end, up to the end of the window; in whole days if it starts as a bare day. */
export function readOpenSpan(
  start: Instant,
  { end, timezone }: Pick<CalendarWindow, 'end' | 'timezone'>,
  convention: DayConvention,
): EventTime | TimeFault {
  if (!isWritable(start)) return 'out_of_range'
  const first = bareDay(start, convention)
  if (first !== null) return wholeDays(first, addDays(end, -1))
  return timed(start, localTime(timezone).instantOn(dayNumber(end), 0))
}

/**
 * Returns a record's span in whole days. A time of day becomes the company's date at that time; for an end, the date just
 * before it.
 */
export function readDays(
  start: Instant,
  end: Instant,
  convention: DayConvention,
): AllDay | TimeFault {
  if (!isWritable(start) || !isWritable(end)) return 'out_of_range'
  const [first, last] = [bareDay(start, convention), lastDay(end, convention)]
  if (first === null && last === null && end < start) return 'end_before_start'
  return wholeDays(
    first ?? convention.local.dateAt(start),
    last ?? convention.local.dateAt(Math.max(start, end - 1)),
  )
}

/** Returns all of a bare day, whatever `endDates` says; else the last `minutes` before the time, or with null its date. */
export function readDue(
  due: Instant,
  minutes: number | null,
  convention: DayConvention,
): EventTime | TimeFault {
  if (!isWritable(due)) return 'out_of_range'
  const bare = bareDay(due, convention) ?? endOfDay(due, convention)
  if (bare === null && minutes !== null) return timed(due - minutes * minuteMs, due)
  const day = bare ?? convention.local.dateAt(due)
  return wholeDays(day, day)
}

/** Returns a span in whole seconds, as iCalendar requires. */
export function timed(start: Instant, end: Instant): Span | TimeFault {
  if (end < start) return 'end_before_start'
  const from = Math.floor(start / 1000) * 1000
  const to = Math.floor(end / 1000) * 1000
  return to > from ? { allDay: false, start: from, end: to } : 'no_length'
}

function wholeDays(first: PlainDate, last: PlainDate): AllDay | TimeFault {
  if (last < first) return 'end_before_start'
  return { allDay: true, start: first, end: addDays(last, 1) }
}

function isWritable(instant: Instant): boolean {
  return instant >= earliest && instant <= latest
}

/** Returns the date that begins at this instant, which is 01:00 if the clock skips midnight. */
function bareDay(instant: Instant, { days }: DayConvention): PlainDate | null {
  const date = days.dateAt(instant)
  return days.dateAt(instant - 1) < date ? date : null
}

/** Returns the date if it is 23:59 or later, or the last minute of a day on which the clock skips 23:59. */
function endOfDay(instant: Instant, { days }: DayConvention): PlainDate | null {
  const date = days.dateAt(instant)
  const isLate =
    days.wallClockAt(instant) % dayMs >= dayMs - minuteMs || days.dateAt(instant + minuteMs) > date
  return isLate ? date : null
}

/** `endDates` applies only to a bare day: 23:59 always means the day before midnight. */
function lastDay(end: Instant, convention: DayConvention): PlainDate | null {
  const day = bareDay(end, convention)
  if (day === null) return endOfDay(end, convention)
  return convention.endDates === 'exclusive' ? addDays(day, -1) : day
}
