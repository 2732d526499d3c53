/**
 * The only place where wall-clock time becomes an instant. luxon supplies the offsets; which one counts is decided
 * here, since luxon resolves an ambiguous time by the offset in force on the day on which it runs.
 */
import { IANAZone } from 'luxon'

import type { EventTime } from '../domain/calendar-event.ts'
import type { WindowOption } from '../domain/feed-options.ts'
import { memo } from '../domain/memo.ts'
import {
  addDays,
  dayNumber,
  firstOfMonth,
  firstOfNextMonth,
  plainDate,
  type PlainDate,
} from '../domain/plain-date.ts'
import type { Instant } from '../domain/world.ts'

const dayMs = 86_400_000
const minuteMs = 60_000
/** More than there are IANA zones; names differ in case, too. */
const zonesMax = 1000
/** Of one zone: a calendar asks for those of its window. */
const daysMax = 20_000
/** Of one zone, near its changes of clocks: shifts begin and end at the same few times of day. */
const instantsMax = 20_000

/** The clock on the wall of one time zone, the same whatever the zone and the season of the process. */
export interface LocalTime {
  /** What the clock shows, as milliseconds since its own 1970-01-01 00:00. */
  wallClockAt(instant: Instant): number
  dateAt(instant: Instant): PlainDate
  /**
   * The instant at which the clock shows so many minutes after the date's midnight (1440 and more: on later dates).
   * A time that comes twice is the earlier one; one that is skipped takes the offset before the gap (RFC 5545
   * section 3.3.5).
   */
  instantAt(date: PlainDate, minutes: number): Instant
  /** The same of a day by its number. */
  instantOn(day: number, minutes: number): Instant
}

/** Whether there is an IANA zone of that name; a bare offset such as `+02:00` is none. */
export function isTimezone(name: string): boolean {
  return /^[A-Za-z]/.test(name) && isZone(name)
}

/** The clock of an IANA zone, one for the whole process; of UTC where there is no such zone. */
export function localTime(timezone: string): LocalTime {
  return clockOf(isTimezone(timezone) ? timezone : 'UTC')
}

/** luxon makes a formatter at every check. */
const isZone = memo(zonesMax, (name: string) => IANAZone.isValidZone(name))
const clockOf = memo(zonesMax, createClock)

/** Offsets are cached by day, and by instant near a change of clocks: asking luxon costs as much as two hundred look-ups. */
function createClock(timezone: string): LocalTime {
  const zone = IANAZone.create(timezone)
  const offsetOf = (instant: Instant): number => zone.offset(instant) * minuteMs
  const offsetAt = memo(instantsMax, offsetOf)
  const offsetAtDay = memo(daysMax, (day: number) => offsetOf(day * dayMs))

  function wallClockAt(instant: Instant): number {
    const day = Math.floor(instant / dayMs)
    const offset = offsetAtDay(day)
    return instant + (offset === offsetAtDay(day + 1) ? offset : offsetAt(instant))
  }

  function instantOn(date: number, minutes: number): Instant {
    const wall = date * dayMs + minutes * minuteMs
    const day = Math.floor(wall / dayMs)
    // No zone is a day away from UTC: whatever instant the clock may mean lies between these two.
    const before = offsetAtDay(day - 1)
    const after = offsetAtDay(day + 2)
    if (before === after) return wall - before
    const possible = [wall - before, wall - after].filter((it) => it + offsetAt(it) === wall)
    return possible.length > 0 ? Math.min(...possible) : wall - before
  }

  return {
    wallClockAt,
    dateAt: (instant) => plainDate(Math.floor(wallClockAt(instant) / dayMs)),
    instantAt: (date, minutes) => instantOn(dayNumber(date), minutes),
    instantOn,
  }
}

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
