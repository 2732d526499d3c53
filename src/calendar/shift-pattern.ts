import type { EventTime } from '../domain/calendar-event.ts'
import { type PlainDate, plainDate, weekdayOn } from '../domain/plain-date.ts'
import { readHours, type Schedule, type ShiftHours } from '../domain/schedule.ts'
import { isTimeFault, timed } from './event-time.ts'
import type { LocalTime } from './local-time.ts'

/** As the Read API writes them, in any case. */
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** A schedule's week. */
export interface ShiftPattern {
  /** By weekday, 0 for Monday; a day off is absent. */
  readonly days: ReadonlyMap<number, ShiftHours>
  /** Days that are none, or whose hours are none. */
  readonly malformed: readonly string[]
}

/** One date's work by one schedule. */
export interface ShiftDay {
  /** By its number. */
  readonly day: number
  readonly date: PlainDate
  readonly time: EventTime
}

/** Reads each day on its own, so that one malformed day leaves its siblings standing. */
export function readShiftPattern(pattern: Schedule['pattern']): ShiftPattern {
  const entries = Object.entries(pattern ?? {})
    .filter(([, hours]) => hours !== null && hours !== undefined)
    .map(([key, hours]) => ({
      key,
      weekday: weekdays.indexOf(key.toLowerCase()),
      hours: readHours(hours),
    }))
  return {
    days: new Map(
      entries.flatMap(({ weekday, hours }) => (hours && weekday >= 0 ? [[weekday, hours]] : [])),
    ),
    malformed: entries.flatMap(({ key, weekday, hours }) => (hours && weekday >= 0 ? [] : [key])),
  }
}

/**
 * What the pattern gives on these days, by their numbers. Start and end are each resolved on the clock; what falls into
 * the hour that it skips has no length and is no shift.
 */
export function expandPattern(
  { days: week }: ShiftPattern,
  local: LocalTime,
  days: readonly number[],
): ShiftDay[] {
  const shifts: ShiftDay[] = []
  for (const day of days) {
    const hours = week.get(weekdayOn(day))
    if (!hours) continue
    const time = timed(local.instantOn(day, hours.start), local.instantOn(day, hours.end))
    if (!isTimeFault(time)) shifts.push({ day, date: plainDate(day), time })
  }
  return shifts
}
