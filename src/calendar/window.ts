import type { EventTime } from '../domain/calendar-event.ts'
import type { WindowOption } from '../domain/feed-options.ts'
import { addDays, firstOfMonth, firstOfNextMonth, type PlainDate } from '../domain/plain-date.ts'
import type { Instant } from '../domain/world.ts'
import { type LocalTime, localTime } from './local-time.ts'

/** The dates a calendar shows: whole months, so that it changes with the month and not with the day. */
export interface CalendarWindow {
  readonly start: PlainDate
  /** Exclusive. */
  readonly end: PlainDate
  /** The first of the month that holds today: what lies before it is past. */
  readonly turn: PlainDate
  readonly timezone: string
}

/**
 * From the first day of the month that holds today less `pastDays` to the last of the month that holds today and
 * `futureDays`; today is the zone's.
 */
export function calendarWindow(
  now: Instant,
  timezone: string,
  { pastDays, futureDays }: WindowOption,
): CalendarWindow {
  const today = localTime(timezone).dateAt(now)
  return {
    start: firstOfMonth(addDays(today, -pastDays)),
    end: firstOfNextMonth(addDays(today, futureDays)),
    turn: firstOfMonth(today),
    timezone,
  }
}

/** Tells whether any of a time lies in the window, whose edges are midnights on that clock: an event is shown whole or not at all. */
export function inWindow(
  { start, end }: Pick<CalendarWindow, 'start' | 'end'>,
  local: LocalTime,
): (time: EventTime) => boolean {
  const [from, until] = [local.instantAt(start, 0), local.instantAt(end, 0)]
  return (time) =>
    time.allDay ? time.start < end && time.end > start : time.start < until && time.end > from
}
