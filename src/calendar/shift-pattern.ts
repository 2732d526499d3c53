import type { Schedule } from '../domain/schedule.ts'

/** As the Read API writes them, in any case. */
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** One day's work in minutes since the midnight with which that day begins; the end may lie on the next date. */
interface ShiftHours {
  readonly start: number
  readonly end: number
}

/** A schedule's week. */
export interface ShiftPattern {
  /** By weekday, 0 for Monday; a day off is absent. */
  readonly days: ReadonlyMap<number, ShiftHours>
  /** Days that are none, or whose hours are none. */
  readonly malformed: readonly string[]
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

/** An end at or before the start is on the next date; an equal one is 24 hours later. */
function readHours(hours: unknown): ShiftHours | null {
  if (typeof hours !== 'object' || hours === null) return null
  const start = 'start' in hours ? minutesOf(hours.start) : null
  const end = 'end' in hours ? minutesOf(hours.end) : null
  if (start === null || end === null || start === 1440) return null
  return { start, end: end > start ? end : end + 1440 }
}

/** Minutes of 24-hour `HH:MM`; `24:00` is the end of the day. */
function minutesOf(time: unknown): number | null {
  if (typeof time !== 'string' || !/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(time)) return null
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}
