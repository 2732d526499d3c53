import type { CalendarEvent } from '../domain/calendar-event.ts'
import { memo } from '../domain/memo.ts'
import { dayNumber } from '../domain/plain-date.ts'
import type { Schedule } from '../domain/schedule.ts'
import { shiftUids, writeEvent } from './build-event.ts'
import {
  type EventGroup,
  expandEach,
  type ExpansionContext,
  isSetAside,
  type Piece,
} from './expansion.ts'
import { dayOn, leaveCover, type LeaveCover, noCover } from './leave-cover.ts'
import { expandPattern, type ShiftDay } from './shift-pattern.ts'
import { readRoster, readSchedule, type ReadySchedule, type Roster } from './shift-roster.ts'

/** On which days which schedules give shifts to whom. */
interface Plan {
  readonly roster: Roster
  /** By their numbers. */
  readonly days: readonly number[]
  /** By user. */
  readonly covers: ReadonlyMap<string, LeaveCover>
}

/** Writes the shift of a day. */
export type ShiftWriter = (day: ShiftDay) => CalendarEvent

/** One person's shifts by one schedule, each written when it is asked for. */
interface ShiftSeries {
  /** Of one of them. */
  readonly uid: string
  readonly cover: LeaveCover
  readonly write: ShiftWriter
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
  const days = daysBetween(dayNumber(window.start) - 3, dayNumber(window.end) + 2)
  yield* expandEach('shift', roster.schedules, (schedule) =>
    expandSchedule(schedule, { roster, days, covers }, context),
  )
}

/** Where the feed says so, no shift starts on a date that the user's leaves wholly cover. */
function* hidingCover(
  userId: string,
  context: ExpansionContext,
): Generator<readonly Piece[], LeaveCover> {
  const { feed, records, kept } = context
  if (feed.options.shifts.duringLeave !== 'hide') return noCover
  const from = [records.leaves.get(userId)]
  const make = () => leaveCover(userId, context)
  return yield* kept ? kept.covers.partInSteps(userId, from, make) : make()
}

/** Dates are walked, and 24 hours never added to an instant: a day of changing clocks has 23 or 25. */
function daysBetween(first: number, end: number): number[] {
  return Array.from({ length: end - first }, (_, index) => first + index)
}

function expandSchedule(schedule: Schedule, plan: Plan, context: ExpansionContext): Piece[] {
  const ready = readSchedule(schedule, context)
  if (isSetAside(ready)) return [ready]
  const { id, pattern, local } = ready
  const malformed = pattern.malformed.map(
    () => ({ kind: 'shift', id, reason: 'malformed_day' }) as const,
  )
  const make = (): readonly ShiftDay[] => {
    const held = plan.days.filter((day) => plan.roster.holds(id, day))
    return expandPattern(pattern, local, held)
  }
  const days = context.kept ? context.kept.days.part(id, [schedule], make) : make()
  return [...malformed, ...groupShifts(ready, days, plan, context)]
}

/**
 * Each day's shifts together, which are only written when they are taken. What all of one person's have in common is
 * written here: that throws where the schedule cannot be read.
 */
function groupShifts(
  ready: ReadySchedule,
  days: readonly ShiftDay[],
  { covers }: Plan,
  context: ExpansionContext,
): EventGroup[] {
  const [first] = days
  if (!first) return []
  const series = [...covers].map(([userId, cover]): ShiftSeries => {
    const { kept, records } = context
    const make = (): ShiftWriter => shiftWriter(ready, userId, first, context)
    const name = JSON.stringify([userId, ready.id])
    const from = [days, records.user.get(userId)]
    const write = kept ? kept.shifts.part(name, from, () => memo(days.length, make())) : make()
    return { uid: write(first).uid, cover, write }
  })
  // Whoever sorts each day's shifts finds them sorted.
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
  const uidOn = shiftUids({ companyId: context.feed.companyId, id, userId })
  return ({ date, time }) => ({ ...usual, uid: uidOn(date), time })
}
