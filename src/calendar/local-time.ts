/*
 * The only place that converts wall-clock time to instants. luxon only supplies the offsets, because it would resolve an
 * ambiguous time by the offset in force today.
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
import { dayMs, minuteMs, type Instant } from '../domain/world.ts'

const zonesMax = 1000
/** Offsets per zone: by day, or by instant near a clock change. */
const offsetsMax = 20_000

/** The clock of one time zone, independent of the process's zone and season. */
export interface LocalTime {
  /** What the clock shows, in milliseconds since its own 1970-01-01 00:00. */
  wallClockAt(instant: Instant): number
  dateAt(instant: Instant): PlainDate
  /**
   * Returns the instant at `minutes` after midnight of the day number. Of an ambiguous time, it is the earlier one. A
   * skipped time takes the offset before the gap (RFC 5545 section 3.3.5).
   */
  instantOn(day: number, minutes: number): Instant
}

/** A bare offset such as `+02:00` is no time zone. */
export function isTimezone(name: string): boolean {
  return /^[A-Za-z]/.test(name) && isZone(name)
}

/** Returns the clock of an IANA zone, or of UTC if there is no such zone. */
export function localTime(timezone: string): LocalTime {
  return clockOf(isTimezone(timezone) ? timezone : 'UTC')
}

// Cached, since luxon creates a formatter for every check.
const isZone = memo(zonesMax, (name: string) => IANAZone.isValidZone(name))
const clockOf = memo(zonesMax, createClock)

/** Caches offsets, since luxon takes as long for one as two hundred look-ups. */
function createClock(timezone: string): LocalTime {
  const zone = IANAZone.create(timezone)
  const offsetOf = (instant: Instant): number => zone.offset(instant) * minuteMs
  const offsetAt = memo(offsetsMax, offsetOf)
  const offsetAtDay = memo(offsetsMax, (day: number) => offsetOf(day * dayMs))

  function wallClockAt(instant: Instant): number {
    const day = Math.floor(instant / dayMs)
    const offset = offsetAtDay(day)
    return instant + (offset === offsetAtDay(day + 1) ? offset : offsetAt(instant))
  }

  function instantOn(date: number, minutes: number): Instant {
    const wall = date * dayMs + minutes * minuteMs
    const day = Math.floor(wall / dayMs)
    // Every zone is less than a day from UTC, so the instant is between these two.
    const before = offsetAtDay(day - 1)
    const after = offsetAtDay(day + 2)
    if (before === after) return wall - before
    const possible = [wall - before, wall - after].filter((it) => it + offsetAt(it) === wall)
    return possible.length > 0 ? Math.min(...possible) : wall - before
  }

  return {
    wallClockAt,
    dateAt: (instant) => plainDate(Math.floor(wallClockAt(instant) / dayMs)),
    instantOn,
  }
}

/** The dates of a calendar: whole months, so that it changes monthly and not daily. */
export interface CalendarWindow {
  readonly start: PlainDate
  /** Exclusive. */
  readonly end: PlainDate
  /** The first of this month; what ends before it is past. */
  readonly turn: PlainDate
  readonly timezone: string
}

/** Returns the window from the first of the month `pastDays` ago to the last of the month in `futureDays`. */
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

/** Returns a test whether an event touches the window: events are shown in full or not at all. */
export function inWindow({
  start,
  end,
  timezone,
}: Pick<CalendarWindow, 'start' | 'end' | 'timezone'>): (time: EventTime) => boolean {
  const local = localTime(timezone)
  const [from, until] = [local.instantOn(dayNumber(start), 0), local.instantOn(dayNumber(end), 0)]
  return (time) =>
    time.allDay ? time.start < end && time.end > start : time.start < until && time.end > from
}
