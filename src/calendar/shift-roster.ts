import { dayNumber, type PlainDate } from '../domain/plain-date.ts'
import { isKnownType, type Schedule } from '../domain/schedule.ts'
import type { ExpansionContext, SetAside } from './expansion.ts'
import { isTimezone, localTime, type LocalTime } from './local-time.ts'
import { readShiftPattern, type ShiftPattern } from './shift-pattern.ts'

/** A schedule that gives shifts. */
export interface ReadySchedule {
  readonly id: string
  readonly schedule: Schedule
  readonly pattern: ShiftPattern
  /** The clock that its wall times are read on. */
  readonly local: LocalTime
}

/** The feed's schedules: those it names, the same each week, or its rotation instead. */
export interface Roster {
  readonly schedules: readonly Schedule[]
  /** What the feed names and the company does not have. */
  readonly missing: readonly SetAside[]
  /** Whether the schedule holds in the week of the day of that number. */
  holds(scheduleId: string, day: number): boolean
}

/** Which of the company's schedules the feed names, and in which weeks each holds. */
export function readRoster({ feed, records }: ExpansionContext): Roster {
  const { rotation } = feed.options.shifts
  const scheduleIds = feed.options.shifts.scheduleIds ?? []
  const weeks = rotation?.weeks ?? [scheduleIds]
  const named = [...new Set(weeks.flat())]
  const known = new Map([...records.schedules.values()].flat().map((it) => [it.id, it]))
  const weekOf = (day: number): readonly string[] =>
    (rotation ? weeks[weekIndex(day, rotation.from, weeks.length)] : scheduleIds) ?? []
  return {
    schedules: named.flatMap((id) => known.get(id) ?? []),
    missing: named
      .filter((id) => !known.has(id))
      .map((id) => ({ kind: 'shift', id, reason: 'missing_schedule' })),
    holds: (scheduleId, day) => weekOf(day).includes(scheduleId),
  }
}

/** Which week of the rotation holds the day; before its `from` none. */
function weekIndex(day: number, from: PlainDate, weeks: number): number {
  const days = day - dayNumber(from)
  return days < 0 ? -1 : Math.floor(days / 7) % weeks
}

/**
 * The schedule with its hours and its clock: the company's, unless the company names another for it. One that rotates
 * gives nothing where the feed says not how, one of an unknown type or zone never: a wrong shift is worse than none.
 */
export function readSchedule(
  schedule: Schedule,
  { company, feed }: ExpansionContext,
): ReadySchedule | SetAside {
  const { id } = schedule
  if (schedule.isActive === false) return { kind: 'shift', id, reason: 'inactive_schedule' }
  if (!isKnownType(schedule.type)) return { kind: 'shift', id, reason: 'unknown_type' }
  if (schedule.type === 'ROTATING' && !feed.options.shifts.rotation) {
    return { kind: 'shift', id, reason: 'needs_rotation' }
  }
  const own = Object.entries(company.scheduleTimezones).find(([key]) => key === id)
  const timezone = own ? own[1] : company.timezone
  if (!isTimezone(timezone)) return { kind: 'shift', id, reason: 'unknown_timezone' }
  return { id, schedule, pattern: readShiftPattern(schedule.pattern), local: localTime(timezone) }
}
