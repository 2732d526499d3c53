import type { CalendarEvent } from '../domain/calendar-event.ts'
import { memo } from '../domain/memo.ts'
import { dayNumber, plainDate, weekdayOn } from '../domain/plain-date.ts'
import { isKnownType, readHours, type Schedule, type ShiftHours } from '../domain/schedule.ts'
import { shiftUids, writeEvent } from './build-event.ts'
import { isTimeFault, timed } from './event-time.ts'
import type {
  EventGroup,
  Expansible,
  ExpansionContext,
  SetAside,
  LeaveCover,
  ShiftDay,
} from './expansion.ts'
import { leaveCover } from './leaves.ts'
import { isTimezone, localTime, type LocalTime } from './local-time.ts'

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

interface ReadySchedule {
  readonly schedule: Schedule
  readonly pattern: ShiftPattern
  readonly local: LocalTime
}

/**
 * Expands the shifts of the feed's users, each with the shifts of all schedules that the feed names. One event per shift:
 * with a recurrence rule, two families of clients show night shifts an hour apart when clocks change.
 */
export function expandShifts(context: ExpansionContext): Expansible<Schedule> {
  const { feed, records, window, kept } = context
  const hides = feed.options.shifts.duringLeave === 'hide'
  const noCover: LeaveCover = { covers: () => false, setAside: [] }
  const covers = new Map(
    feed.userIds.map((userId) => {
      const make = (): LeaveCover => leaveCover(userId, context)
      const from = [records.leaves.get(userId)]
      return [userId, hides ? kept.covers.part(userId, from, make) : noCover] as const
    }),
  )
  const { named, holds } = readRoster(context)
  const known = new Map([...records.schedules.values()].flat().map((it) => [it.id, it]))
  // A shift ends up to two days after its date begins in another zone. Iterates dates instead of adding 24 hours, since
  // days with a clock change have 23 or 25.
  const first = dayNumber(window.start) - 3
  const length = dayNumber(window.end) + 2 - first
  const days = Array.from({ length }, (_, index) => first + index)
  return {
    kind: 'shift',
    records: named.flatMap((id) => known.get(id) ?? []),
    expand: (schedule) => {
      const { id } = schedule
      const ready = readSchedule(schedule, context)
      if (typeof ready === 'string') return [{ kind: 'shift', id, reason: ready }]
      const { pattern, local } = ready
      const shiftDays = kept.days.part(id, [schedule], () =>
        expandPattern(
          pattern,
          local,
          days.filter((day) => holds(id, day)),
        ),
      )
      const malformed = pattern.malformed.map(
        () => ({ kind: 'shift', id, reason: 'malformed_day' }) as const,
      )
      return [...malformed, ...groupShifts(ready, shiftDays, covers, context)]
    },
    setAside: [
      ...named
        .filter((id) => !known.has(id))
        .map((id) => ({ kind: 'shift', id, reason: 'missing_schedule' }) as const),
      ...covers.values().flatMap(({ setAside }) => setAside),
    ],
  }
}

/** Returns the schedules that the feed names, and whether one applies on a day number: always, or by the rotation. */
function readRoster({ feed }: ExpansionContext): {
  readonly named: readonly string[]
  readonly holds: (scheduleId: string, day: number) => boolean
} {
  const { rotation, scheduleIds } = feed.options.shifts
  if (!rotation) return { named: [...new Set(scheduleIds)], holds: () => true }
  const { weeks, from } = rotation
  const first = dayNumber(from)
  return {
    named: [...new Set(weeks.flat())],
    holds: (scheduleId, day) =>
      day >= first && !!weeks[Math.floor((day - first) / 7) % weeks.length]?.includes(scheduleId),
  }
}

/** Returns the schedule with its hours and clock, or why it gives no shifts: a wrong shift is worse than none. */
function readSchedule(
  schedule: Schedule,
  { company, feed }: ExpansionContext,
): ReadySchedule | SetAside['reason'] {
  if (schedule.isActive === false) return 'inactive_schedule'
  if (!isKnownType(schedule.type)) return 'unknown_type'
  if (schedule.type === 'ROTATING' && !feed.options.shifts.rotation) return 'needs_rotation'
  const own = Object.entries(company.scheduleTimezones).find(([id]) => id === schedule.id)
  const timezone = own ? own[1] : company.timezone
  if (!isTimezone(timezone)) return 'unknown_timezone'
  return { schedule, pattern: readShiftPattern(schedule.pattern), local: localTime(timezone) }
}

/**
 * Groups the shifts of each day, created when iterated. What a person's shifts share is created at once, because it may
 * throw.
 */
function groupShifts(
  ready: ReadySchedule,
  days: readonly ShiftDay[],
  covers: ReadonlyMap<string, LeaveCover>,
  context: ExpansionContext,
): EventGroup[] {
  const [first] = days
  if (!first) return []
  const { kept, records } = context
  const series = [...covers].map(([userId, cover]) => {
    const name = JSON.stringify([userId, ready.schedule.id])
    const from = [days, records.user.get(userId)]
    const write = kept.shifts.part(name, from, () =>
      memo(days.length, shiftWriter(ready, userId, first, context)),
    )
    return { uid: write(first).uid, cover, write }
  })
  // So the agenda finds each day's shifts sorted.
  series.sort((a, b) => (a.uid < b.uid ? -1 : 1))
  return days.map((shift) => {
    const [start, end] = [
      ready.local.instantOn(shift.day, 0),
      ready.local.instantOn(shift.day + 1, 0),
    ]
    const working = series.filter(({ cover }) => !cover.covers(shift.day, start, end))
    return {
      time: shift.time,
      count: working.length,
      events: () => working.map(({ write }) => write(shift)),
    }
  })
}

function shiftWriter(
  { schedule }: ReadySchedule,
  userId: string,
  { time: anyTime }: ShiftDay,
  context: ExpansionContext,
): (day: ShiftDay) => CalendarEvent {
  const { id, name, type } = schedule
  const isFlexible = type === 'FLEXIBLE'
  const usual = writeEvent(
    {
      kind: 'shift',
      id,
      userId,
      time: anyTime,
      title: name,
      remarks: isFlexible ? [context.words.flexible] : [],
      busy: isFlexible ? 'FREE' : 'BUSY',
    },
    context,
  )
  const uidOn = shiftUids(context.feed.companyId, id, userId)
  return ({ date, time }) => ({ ...usual, uid: uidOn(date), time })
}

interface ShiftPattern {
  /** By weekday, 0 for Monday; a day off is absent. */
  readonly days: ReadonlyMap<number, ShiftHours>
  /** Keys that are no weekday or have unreadable hours. */
  readonly malformed: readonly string[]
}

/** Reads each day separately, so that a malformed one does not affect the others. */
export function readShiftPattern(pattern: Schedule['pattern']): ShiftPattern {
  const days = new Map<number, ShiftHours>()
  const malformed: string[] = []
  for (const [key, value] of Object.entries(pattern ?? {})) {
    if (value === null || value === undefined) continue
    const weekday = weekdays.indexOf(key.toLowerCase())
    const hours = readHours(value)
    if (hours && weekday >= 0) days.set(weekday, hours)
    else malformed.push(key)
  }
  return { days, malformed }
}

/**
 * Returns the shifts on these days. Start and end are resolved separately; a shift within a skipped hour has no length and
 * is left out.
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
