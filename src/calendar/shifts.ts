import type { CalendarEvent, EventTime } from '../domain/calendar-event.ts'
import type { Company } from '../domain/company.ts'
import { memo } from '../domain/memo.ts'
import { addDays, dayNumber, plainDate, type PlainDate, weekdayOn } from '../domain/plain-date.ts'
import {
  isKnownType,
  onHolidays,
  readHours,
  type Schedule,
  type ShiftHours,
  shiftsShowAs,
} from '../domain/schedule.ts'
import { type Instant, minuteMs } from '../domain/world.ts'
import { datedUids, type EventDraft, writeEvent } from './build-event.ts'
import { isTimeFault, type Span, timed } from './event-time.ts'
import type {
  CalendarSource,
  EventGroup,
  Expansible,
  ExpansionContext,
  LeaveCover,
  Piece,
  SetAside,
  ShiftDay,
} from './expansion.ts'
import { holidaysIn } from './holidays.ts'
import { leaveCover } from './leaves.ts'
import { inWindow, isTimezone, localTime, type LocalTime } from './local-time.ts'

const noCover: LeaveCover = {
  covers: () => false,
  parts: new Map(),
  hours: [],
  setAside: [],
}
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
      const shiftDays = kept.days.part(id, [schedule], () => {
        const isHoliday = holidaysOf(id, context)
        const worked = days.filter((day) => holds(id, day) && !isHoliday(day))
        return expandPattern(pattern, local, worked)
      })
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

/**
 * Returns the days of the window, by number, with working hours in a schedule of the feed; null if that is not known. Days
 * before a rotation count as worked.
 */
export function workedDays(context: ExpansionContext): ReadonlySet<number> | null {
  const { feed, records, window, kept } = context
  const { named, holds } = readRoster(context)
  const schedules = records.schedules.get('') ?? []
  return kept.workdays.part('', [schedules], () => {
    const known = new Map(schedules.map((it) => [it.id, it]))
    const begin = dayNumber(feed.options.shifts.rotation?.from ?? window.start)
    const [first, end] = [dayNumber(window.start), dayNumber(window.end)]
    const worked = new Set<number>()
    for (const id of named) {
      const schedule = known.get(id)
      const ready = schedule ? readSchedule(schedule, context) : 'missing_schedule'
      if (ready === 'inactive_schedule') continue
      if (typeof ready === 'string' || ready.pattern.malformed.length > 0) return null
      const isHoliday = holidaysOf(id, context)
      for (let day = first; day < end; day += 1) {
        const isWorked = holds(id, day) && ready.pattern.days.has(weekdayOn(day))
        if (isWorked && !isHoliday(day)) worked.add(day)
      }
    }
    if (worked.size === 0) return null
    for (let day = first; day < begin; day += 1) worked.add(day)
    return worked
  })
}

/** Returns the schedule with its hours and clock, or why it gives no shifts: a wrong shift is worse than none. */
function readSchedule(
  schedule: Schedule,
  { company, feed }: ExpansionContext,
): ReadySchedule | SetAside['reason'] {
  if (schedule.isActive === false) return 'inactive_schedule'
  if (!isKnownType(schedule.type)) return 'unknown_type'
  if (schedule.type === 'ROTATING' && !feed.options.shifts.rotation) return 'needs_rotation'
  const timezone = timezoneOf(schedule, company)
  if (!isTimezone(timezone)) return 'unknown_timezone'
  return { schedule, pattern: readShiftPattern(schedule.pattern), local: localTime(timezone) }
}

function timezoneOf({ id }: Schedule, { scheduleTimezones, timezone }: Company): string {
  const own = Object.entries(scheduleTimezones).find(([of]) => of === id)
  return own ? own[1] : timezone
}

/** Returns whether shifts of the schedule that begin on that day are left out because it is a public holiday. */
function holidaysOf(
  scheduleId: string,
  { company, feed, window }: ExpansionContext,
): (day: number) => boolean {
  const own = Object.entries(company.scheduleHolidays).find(([id]) => id === scheduleId)
  const places = own ? own[1] : company.holidays
  const isShown = onHolidays(feed.options.shifts, company) === 'show'
  if (isShown || places.length === 0) return () => false
  const holidays = holidaysIn(places, addDays(window.start, -3), addDays(window.end, 2))
  return (day) => holidays.has(plainDate(day))
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
): Piece[] {
  const [first] = days
  if (!first) return []
  const { kept, records } = context
  const { local } = ready
  const dayOf = (day: number): [number, number, number] => [
    day,
    local.instantOn(day, 0),
    local.instantOn(day + 1, 0),
  ]
  const series = [...covers].map(([userId, cover]) => {
    const name = JSON.stringify([userId, ready.schedule.id])
    const from = [days, records.user.get(userId)]
    const write = shiftWriter(ready, userId, context)
    const usual = kept.shifts.part(name, from, () => memo(days.length, (shift) => write(shift)))
    const isOff = (instant: Instant): boolean =>
      cover.covers(...dayOf(dayNumber(local.dateAt(instant))))
    const changed = kept.changedShifts.part(name, [...from, cover], () =>
      changeShifts(days, { ...cover, isOff }, write, context),
    )
    return { uid: usual(first).uid, cover, changed, usual }
  })
  // So the agenda finds each day's shifts sorted.
  series.sort((a, b) => (a.uid < b.uid ? -1 : 1))
  const changedDays = new Set(series.flatMap(({ changed }) => [...changed.keys()]))
  const shown = shownTimes(context)
  return days.flatMap((shift) => {
    const day = dayOf(shift.day)
    const working = series.filter(({ cover }) => !cover.covers(...day))
    const isUsual = !changedDays.has(shift)
    const usual = isUsual ? working : working.filter(({ changed }) => !changed.has(shift))
    const group = {
      time: shown(shift.time).time,
      count: usual.length,
      events: () => usual.map((it) => it.usual(shift)),
    }
    if (isUsual) return [group]
    return [group, ...working.flatMap(({ changed }) => changed.get(shift) ?? [])]
  })
}

type WriteShift = (
  shift: ShiftDay,
  change?: Pick<EventDraft, 'remarks' | 'details'>,
) => CalendarEvent

/** Returns how a person's shifts are written; those without a change share everything but their UID and time. */
function shiftWriter(
  { schedule }: ReadySchedule,
  userId: string,
  context: ExpansionContext,
): WriteShift {
  const { id, name, type } = schedule
  const { words, feed } = context
  const isFlexible = type === 'FLEXIBLE'
  const isFree = isFlexible || shiftsShowAs(feed.options.shifts) === 'free'
  const uidOn = datedUids(feed.companyId, 'shift', id, userId)
  const shown = shownTimes(context)
  const write = (
    { time, lead }: ShownTime,
    { remarks = [], details = [] }: Partial<EventDraft> = {},
  ): CalendarEvent =>
    writeEvent(
      {
        kind: 'shift',
        id,
        userId,
        time,
        ...(lead !== null && { lead }),
        title: name,
        remarks: [...(isFlexible ? [words.flexible] : []), ...remarks],
        details,
        busy: isFree ? 'FREE' : 'BUSY',
      },
      context,
    )
  const usual = new Map<string | null, CalendarEvent>()
  return ({ date, time }, change) => {
    const it = shown(time)
    const known = change ? write(it, change) : (usual.get(it.lead) ?? write(it))
    if (!change) usual.set(it.lead, known)
    return { ...known, uid: uidOn(date), time: it.time }
  }
}

/**
 * Returns the shifts of which leave takes a part, each created when iterated: shorter if the leave covers its begin or its
 * end, null if nothing is left before the next day off, and else with the hours off in words. Where approved leave is not
 * shown, no text speaks of it.
 */
function changeShifts(
  days: readonly ShiftDay[],
  { parts, hours, isOff }: LeaveCover & { readonly isOff: (instant: Instant) => boolean },
  write: WriteShift,
  context: ExpansionContext,
): ReadonlyMap<ShiftDay, EventGroup | null> {
  const { words, feed } = context
  const { show, statuses } = feed.options.leaves
  const isSaid = show && statuses.includes('APPROVED')
  const shown = shownTimes(context)
  const clock = hoursIn(feed.timezone)
  const changed = new Map<ShiftDay, EventGroup | null>()
  // Shifts and leaves are both in order.
  let next = 0
  for (const shift of days) {
    const { start, end } = shift.time
    while ((hours[next]?.end ?? Infinity) <= start) next += 1
    const part = parts.get(shift.day)
    if (part === undefined && (hours[next]?.start ?? Infinity) >= end) continue
    const off = startingBefore(end, hours, next)
    const time = workedTime(shift.time, off)
    if (!time || (time.start > start && isOff(time.start))) {
      changed.set(shift, null)
      continue
    }
    const make = (): CalendarEvent => {
      if (!isSaid) return write({ ...shift, time })
      const within = off.map((it) => clock(Math.max(it.start, start), Math.min(it.end, end)))
      const isInside = off.some((it) => it.start > time.start && it.end < time.end)
      return write(
        { ...shift, time },
        {
          remarks: part !== undefined || isInside ? [words.partOff(part ?? null)] : [],
          details: within.length > 0 ? [words.hoursOff(within)] : [],
        },
      )
    }
    let made: readonly CalendarEvent[] | undefined
    changed.set(shift, { time: shown(time).time, count: 1, events: () => (made ??= [make()]) })
  }
  return changed
}

function startingBefore(end: Instant, leaves: readonly Span[], from: number): readonly Span[] {
  let until = from
  while ((leaves[until]?.start ?? Infinity) < end) until += 1
  return leaves.slice(from, until)
}

/** Returns what leaves of the shift's begin and end; undefined if nothing does. */
function workedTime(shift: Span, off: readonly Span[]): Span | undefined {
  let { start, end } = shift
  for (const leave of off) {
    if (leave.start <= start) start = Math.max(start, leave.end)
    // Nobody works the last minute.
    if (leave.end + minuteMs >= end) end = Math.min(end, leave.start)
  }
  const time = timed(start, end)
  return isTimeFault(time) ? undefined : time
}

/** Zones are up to 25 hours apart, and a shift lasts up to a day. */
const daysAround = [-3, -2, -1, 0, 1, 2]

/** Whether the schedule has hours on that date, readable or not, whatever the feed's options say. */
export function touchesDate(
  schedule: Schedule,
  date: PlainDate,
  source: Pick<CalendarSource, 'feed' | 'company'>,
): boolean {
  const pattern = readShiftPattern(schedule.pattern)
  const day = dayNumber(date)
  const isUnclear = pattern.malformed.some((key) =>
    [weekdayOn(day), -1].includes(weekdayNamed(key)),
  )
  const timezone = timezoneOf(schedule, source.company)
  const local = localTime(isTimezone(timezone) ? timezone : source.company.timezone)
  const shown = shownTimes(source)
  const touches = inWindow({ start: date, end: addDays(date, 1), timezone: source.feed.timezone })
  const near = expandPattern(
    pattern,
    local,
    daysAround.map((it) => day + it),
  )
  return isUnclear || near.some(({ time }) => touches(shown(time).time))
}

interface ShownTime {
  readonly time: EventTime
  /** The hours in the title; null if the event has them. */
  readonly lead: string | null
}

/** Returns a shift's time as the feed shows it: with its hours, or on the day on which it begins in the feed's zone. */
function shownTimes({ feed }: Pick<CalendarSource, 'feed'>): (shift: Span) => ShownTime {
  if (feed.options.shifts.as === 'hours') return (time) => ({ time, lead: null })
  const local = localTime(feed.timezone)
  const clock = hoursIn(feed.timezone)
  return ({ start, end }) => {
    const date = local.dateAt(start)
    const time = { allDay: true, start: date, end: addDays(date, 1) } as const
    return { time, lead: clock(start, end) }
  }
}

/** Returns two instants as times of day: `09:00–17:30`. */
function hoursIn(timezone: string): (start: Instant, end: Instant) => string {
  const local = localTime(timezone)
  const timeAt = (instant: Instant): string =>
    new Date(local.wallClockAt(instant)).toISOString().slice(11, 16)
  return (start, end) => `${timeAt(start)}–${timeAt(end)}`
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
    const weekday = weekdayNamed(key)
    const hours = readHours(value)
    if (hours && weekday >= 0) days.set(weekday, hours)
    else malformed.push(key)
  }
  return { days, malformed }
}

/** 0 for Monday; -1 if it is no weekday. */
function weekdayNamed(key: string): number {
  return weekdays.indexOf(key.toLowerCase())
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
