import { dayNumber, type PlainDate } from '../domain/plain-date.ts'
import type { Schedule } from '../domain/schedule.ts'
import { expandEach, isSetAside, type Expanding, type SetAside } from './expansion.ts'
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
  readonly schedules: readonly ReadySchedule[]
  /** Whether the schedule holds in the week of the date. */
  holds(scheduleId: string, date: PlainDate): boolean
  readonly setAside: readonly SetAside[]
}

export function readRoster(expanding: Expanding): Roster {
  const { scheduleIds, rotation } = expanding.feed.options.shifts
  const weeks = rotation?.weeks ?? [scheduleIds]
  const readings = [...new Set(weeks.flat())].flatMap((id) => readNamed(id, expanding))
  const weekOf = (date: PlainDate): readonly string[] =>
    (rotation ? weeks[weekIndex(date, rotation.from, weeks.length)] : scheduleIds) ?? []
  return {
    schedules: readings.flatMap((it) => (isSetAside(it) ? [] : [it])),
    holds: (scheduleId, date) => weekOf(date).includes(scheduleId),
    setAside: readings.flatMap((it) => (isSetAside(it) ? [it] : malformedDays(it))),
  }
}

function readNamed(id: string, expanding: Expanding): (ReadySchedule | SetAside)[] {
  const schedules = expanding.records.schedules.filter((schedule) => schedule.id === id)
  if (schedules.length === 0) return [{ kind: 'shift', id, reason: 'missing_schedule' }]
  return expandEach('shift', schedules, (schedule) => [readSchedule(schedule, expanding)])
}

function readSchedule(schedule: Schedule, expanding: Expanding): ReadySchedule | SetAside {
  const { id } = schedule
  const { company, feed } = expanding
  if (schedule.isActive === false) return { kind: 'shift', id, reason: 'inactive_schedule' }
  if (!isKnownType(schedule)) return { kind: 'shift', id, reason: 'unknown_type' }
  if (schedule.type === 'ROTATING' && !feed.options.shifts.rotation) {
    return { kind: 'shift', id, reason: 'needs_rotation' }
  }
  const own = Object.entries(company.scheduleTimezones).find(([key]) => key === id)
  const timezone = own ? own[1] : company.timezone
  if (!isTimezone(timezone)) return { kind: 'shift', id, reason: 'unknown_timezone' }
  return { id, schedule, pattern: readShiftPattern(schedule.pattern), local: localTime(timezone) }
}

/** A schedule without a type is read as FIXED; one of another type gives none, since a wrong shift is worse. */
function isKnownType({ type }: Schedule): boolean {
  return ['FIXED', 'FLEXIBLE', 'ROTATING'].includes(type ?? 'FIXED')
}

/** Which week of the rotation holds the date; before its `from` none. */
function weekIndex(date: PlainDate, from: PlainDate, weeks: number): number {
  const days = dayNumber(date) - dayNumber(from)
  return days < 0 ? -1 : Math.floor(days / 7) % weeks
}

function malformedDays({ id, pattern }: ReadySchedule): SetAside[] {
  return pattern.malformed.map(() => ({ kind: 'shift', id, reason: 'malformed_day' }))
}
