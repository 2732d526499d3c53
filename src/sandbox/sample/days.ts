import { addDays, type PlainDate, weekdayOf } from '../../domain/plain-date.ts'

/** The Monday of the day's week. */
export function mondayOf(day: PlainDate): PlainDate {
  return addDays(day, -weekdayOf(day))
}

/** The day itself, or the Monday after it where it falls on a weekend. */
export function workdayFrom(day: PlainDate): PlainDate {
  return weekdayOf(day) < 5 ? day : addDays(mondayOf(day), 7)
}

/** The spec's timestamp of a bare day. */
export function midnight(day: PlainDate): string {
  return at(day, '00:00')
}

/** The spec's timestamp of a time of day, `HH:MM` in UTC. */
export function at(day: PlainDate, time: string): string {
  return `${day}T${time}:00.000Z`
}

/** The next Sunday, at least a week ahead, on which clocks change in Europe: the last one of March or of October (Directive 2000/84/EC). */
export function nextClockChange(today: PlainDate): PlainDate {
  const year = Number(today.slice(0, 4))
  const changes = [year, year + 1].flatMap((it) => [
    lastSundayUpTo(`${it}-03-31`),
    lastSundayUpTo(`${it}-10-31`),
  ])
  return changes.find((it) => it >= addDays(today, 7)) ?? today
}

function lastSundayUpTo(day: PlainDate): PlainDate {
  return addDays(day, -((weekdayOf(day) + 1) % 7))
}
