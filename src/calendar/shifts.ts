import { memo } from '../domain/memo.ts'
import { dayNumber, plainDate, weekdayOn } from '../domain/plain-date.ts'
import { isKnownType, readHours, type Schedule, type ShiftHours } from '../domain/schedule.ts'
import { shiftUids, writeEvent } from './build-event.ts'
import { isTimeFault, timed } from './event-time.ts'
import { type Expansible, type ExpansionContext } from './expansion.ts'
import { dayOn, leaveCover } from './leaves.ts'
import { isTimezone, localTime, type LocalTime } from './local-time.ts'
import {
  type ShiftDay,
  type ShiftWriter,
  type EventGroup,
  isSetAside,
  type Piece,
  type SetAside,
  type LeaveCover,
} from './pieces.ts'

/** As the Read API writes them, in any case. */
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** A schedule that gives shifts. */
interface ReadySchedule {
  readonly id: string
  readonly schedule: Schedule
  readonly pattern: ShiftPattern
  /** The clock that its wall times are read on. */
  readonly local: LocalTime
}

/** Where shifts are shown during leaves too. */
const noCover: LeaveCover = { covers: () => false, setAside: [] }

/**
 * The shifts of the feed's users, one event each: a recurrence rule would show nights an hour apart in two families of
 * clients where clocks change. Only the feed ties a user to a schedule, so each has the shifts of all schedules it names.
 */
export function expandShifts(context: ExpansionContext): Expansible<Schedule> {
  const { feed, records, window, kept } = context
  const isHidden = feed.options.shifts.duringLeave === 'hide'
  const covers = new Map(
    [...new Set(feed.userIds)].map((userId) => {
      const make = (): LeaveCover => leaveCover(userId, context)
      const from = [records.leaves.get(userId)]
      const cover = kept ? () => kept.covers.part(userId, from, make) : make
      return [userId, isHidden ? cover() : noCover] as const
    }),
  )
  const { named, holds } = readRoster(context)
  const known = new Map([...records.schedules.values()].flat().map((it) => [it.id, it]))
  // A date of one zone begins and its shifts end up to two days apart from those of another. Dates are walked, and 24
  // hours never added to an instant: a day of changing clocks has 23 or 25.
  const first = dayNumber(window.start) - 3
  const days = Array.from(
    { length: dayNumber(window.end) + 2 - first },
    (_, index) => first + index,
  )
  return {
    kind: 'shift',
    records: named.flatMap((id) => known.get(id) ?? []),
    expand: (schedule) => {
      const ready = readSchedule(schedule, context)
      if (isSetAside(ready)) return [ready]
      const { id, pattern, local } = ready
      const make = (): readonly ShiftDay[] =>
        expandPattern(
          pattern,
          local,
          days.filter((day) => holds(id, day)),
        )
      const shiftDays = kept ? kept.days.part(id, [schedule], make) : make()
      const malformed = pattern.malformed.map(
        () => ({ kind: 'shift', id, reason: 'malformed_day' }) as const,
      )
      return [...malformed, ...groupShifts(ready, shiftDays, covers, context)] satisfies Piece[]
    },
    setAside: [
      ...named
        .filter((id) => !known.has(id))
        .map((id) => ({ kind: 'shift', id, reason: 'missing_schedule' }) as const),
      ...covers.values().flatMap(({ setAside }) => setAside),
    ],
  }
}

/** The schedules that the feed names, and whether one holds in the week of the day of that number: always, or by its rotation. */
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

/**
 * The schedule with its hours and its clock: the company's, unless the company names another for it. A rotating one gives
 * nothing if the feed has no rotation, one of an unknown type or zone never does: a wrong shift is worse than none.
 */
function readSchedule(
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

/**
 * Each day's shifts together, which are only written when they are taken. What all of one person's have in common is
 * written here: that throws where the schedule cannot be read.
 */
function groupShifts(
  ready: ReadySchedule,
  days: readonly ShiftDay[],
  covers: ReadonlyMap<string, LeaveCover>,
  context: ExpansionContext,
): EventGroup[] {
  const [first] = days
  if (!first) return []
  const series = [...covers].map(([userId, cover]) => {
    const { kept, records } = context
    const make = (): ShiftWriter => shiftWriter(ready, userId, first, context)
    const name = JSON.stringify([userId, ready.id])
    const from = [days, records.user.get(userId)]
    const write = kept ? kept.shifts.part(name, from, () => memo(days.length, make())) : make()
    return { uid: write(first).uid, cover, write }
  })
  // The agenda then finds each day's shifts sorted.
  series.sort((a, b) => (a.uid < b.uid ? -1 : 1))
  return days.map((day) => {
    const onClock = dayOn(day.day, ready.local)
    const working = series.filter(({ cover }) => !cover.covers(onClock))
    return {
      time: day.time,
      count: working.length,
      events: () => working.map(({ write }) => write(day)),
    }
  })
}

/** Writes the person's shifts, which differ in name and time alone. A flexible one has its hours too, but blocks nothing. */
function shiftWriter(
  { id, schedule }: ReadySchedule,
  userId: string,
  { time: anyTime }: ShiftDay,
  context: ExpansionContext,
): ShiftWriter {
  const isFlexible = schedule.type === 'FLEXIBLE'
  const usual = writeEvent(
    {
      kind: 'shift',
      id,
      userId,
      time: anyTime,
      title: schedule.name,
      remarks: isFlexible ? [context.words.flexible] : [],
      busy: isFlexible ? 'FREE' : 'BUSY',
    },
    context,
  )
  const uidOn = shiftUids(context.feed.companyId, id, userId)
  return ({ date, time }) => ({ ...usual, uid: uidOn(date), time })
}

/** A schedule's week. */
interface ShiftPattern {
  /** By weekday, 0 for Monday; a day off is absent. */
  readonly days: ReadonlyMap<number, ShiftHours>
  /** Names that are no weekday, and days whose hours cannot be read. */
  readonly malformed: readonly string[]
}

/** Reads each day on its own, so that one malformed day leaves the others standing. */
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
 * What the pattern gives on these days, by their numbers. Start and end are each resolved on the clock; a shift inside the
 * hour that the clock skips has no length and is left out.
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
