import { readHours, type Schedule, type ShiftHours } from '../domain/schedule.ts'

/** As the Read API writes them, in any case. */
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

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
