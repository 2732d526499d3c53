import type { CalendarEvent, EventTime } from '../domain/calendar-event.ts'
import { addDays, type PlainDate, weekdayOf } from '../domain/plain-date.ts'
import type { Schedule } from '../domain/schedule.ts'
import { writeEvent } from './build-event.ts'
import { isTimeFault, timed } from './event-time.ts'
import {
  type EventGroup,
  expandEach,
  type ExpansionContext,
  isSetAside,
  type Piece,
} from './expansion.ts'
import { dayOn, leaveCover, type LeaveCover, noCover } from './leave-cover.ts'
import { readRoster, readSchedule, type ReadySchedule, type Roster } from './shift-roster.ts'

/** On which dates which schedules give shifts to whom. */
interface Plan {
  readonly roster: Roster
  readonly dates: readonly PlainDate[]
  /** By user. */
  readonly covers: ReadonlyMap<string, LeaveCover>
}

/** One date's work by one schedule. */
interface ShiftDay {
  readonly date: PlainDate
  readonly time: EventTime
}

/**
 * The shifts of the feed's users, one event each: a recurrence rule would show nights an hour apart in two families of
 * clients where clocks change. No user is tied to a schedule but by the feed, so each has the shifts of all it names.
 * They alone are more than the records they come from, so that of these a calendar makes no more than it takes.
 */
export function* expandShifts(context: ExpansionContext): Iterable<readonly Piece[]> {
  const { feed, window } = context
  const roster = readRoster(context)
  yield roster.missing
  const covers = new Map<string, LeaveCover>()
  for (const userId of new Set(feed.userIds)) {
    const cover = yield* hidingCover(userId, context)
    covers.set(userId, cover)
    yield cover.setAside
  }
  // A date of one zone begins and its shifts end up to two days apart from those of another.
  const dates = datesBetween(addDays(window.start, -3), addDays(window.end, 2))
  yield* expandEach('shift', roster.schedules, (schedule) =>
    expandSchedule(schedule, { roster, dates, covers }, context),
  )
}

/** Where the feed says so, no shift starts on a date that the user's leaves wholly cover. */
function* hidingCover(
  userId: string,
  context: ExpansionContext,
): Generator<readonly Piece[], LeaveCover> {
  const hides = context.feed.options.shifts.duringLeave === 'hide'
  return hides ? yield* leaveCover(userId, context) : noCover
}

/** Dates are walked, and 24 hours never added to an instant: a day of changing clocks has 23 or 25. */
function datesBetween(first: PlainDate, end: PlainDate): PlainDate[] {
  const dates: PlainDate[] = []
  for (let date = first; date < end; date = addDays(date, 1)) dates.push(date)
  return dates
}

function expandSchedule(schedule: Schedule, plan: Plan, context: ExpansionContext): Piece[] {
  const ready = readSchedule(schedule, context)
  if (isSetAside(ready)) return [ready]
  const { id, pattern } = ready
  const malformed = pattern.malformed.map(
    () => ({ kind: 'shift', id, reason: 'malformed_day' }) as const,
  )
  const days = plan.dates
    .filter((date) => plan.roster.holds(id, date))
    .flatMap((date) => shiftDay(ready, date) ?? [])
  return [...malformed, ...groupShifts(ready, days, plan, context)]
}

/** Start and end are each resolved on the clock; what falls into the hour that it skips has no length and is no shift. */
function shiftDay({ pattern, local }: ReadySchedule, date: PlainDate): ShiftDay | null {
  const hours = pattern.days.get(weekdayOf(date))
  if (!hours) return null
  const time = timed(local.instantAt(date, hours.start), local.instantAt(date, hours.end))
  return isTimeFault(time) ? null : { date, time }
}

/**
 * Each day's shifts together, which are only written when they are taken. Who has the first of them written here has
 * all: that throws where the schedule cannot be read.
 */
function groupShifts(
  ready: ReadySchedule,
  days: readonly ShiftDay[],
  { covers }: Plan,
  context: ExpansionContext,
): EventGroup[] {
  for (const day of days.slice(0, 1)) {
    for (const userId of covers.keys()) writeShift(ready, userId, day, context)
  }
  return days.map(({ date, time }) => {
    const day = dayOn(date, ready.local)
    const working = (): string[] =>
      [...covers].flatMap(([userId, cover]) => (cover.covers(day) ? [] : [userId]))
    const write = (userId: string): CalendarEvent =>
      writeShift(ready, userId, { date, time }, context)
    return { time, count: working().length, events: () => working().map(write) }
  })
}

/** A flexible one has its hours too, but blocks nothing. */
function writeShift(
  { id, schedule }: ReadySchedule,
  userId: string,
  { date, time }: ShiftDay,
  context: ExpansionContext,
): CalendarEvent {
  const isFlexible = schedule.type === 'FLEXIBLE'
  return writeEvent(
    {
      kind: 'shift',
      id,
      shiftDate: date,
      userId,
      time,
      title: schedule.name,
      remarks: isFlexible ? [context.words.flexible] : [],
      busy: isFlexible ? 'FREE' : 'BUSY',
    },
    context,
  )
}
