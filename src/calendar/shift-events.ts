import { addDays, weekdayOf, type PlainDate } from '../domain/plain-date.ts'
import type { Schedule } from '../domain/schedule.ts'
import { buildEvent } from './build-event.ts'
import { isTimeFault, timed } from './event-time.ts'
import { expandEach, type ExpansionContext, isSetAside, type Piece } from './expansion.ts'
import { leaveCover, type LeaveCover, noCover } from './leave-cover.ts'
import { readRoster, readSchedule, type ReadySchedule, type Roster } from './shift-roster.ts'

/** One user's work on one date. */
interface ShiftDay {
  readonly userId: string
  readonly date: PlainDate
}

/** On which dates which schedules give shifts to whom. */
interface Plan {
  readonly roster: Roster
  readonly dates: readonly PlainDate[]
  readonly covers: readonly (readonly [userId: string, cover: LeaveCover])[]
}

/**
 * The shifts of the feed's users, one event each: a recurrence rule would show nights an hour apart in two families of
 * clients where clocks change. No user is tied to a schedule but by the feed, so each has the shifts of all it names.
 */
export function expandShifts(context: ExpansionContext): readonly Piece[] {
  const { feed, window } = context
  const covers = [...new Set(feed.userIds)].map(
    (userId) => [userId, hidingCover(userId, context)] as const,
  )
  // A date of one zone begins and its shifts end up to two days apart from those of another.
  const dates = datesBetween(addDays(window.start, -3), addDays(window.end, 2))
  const roster = readRoster(context)
  const shifts = expandEach('shift', roster.schedules, (schedule) =>
    expandSchedule(schedule, { roster, dates, covers }, context),
  )
  return [...roster.missing, ...covers.flatMap(([, { setAside }]) => setAside), ...shifts]
}

/** Where the feed says so, no shift starts on a date that the user's leaves wholly cover. */
function hidingCover(userId: string, context: ExpansionContext): LeaveCover {
  return context.feed.options.shifts.duringLeave === 'hide' ? leaveCover(userId, context) : noCover
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
  const { id, local, pattern } = ready
  const shifts = plan.dates
    .filter((date) => plan.roster.holds(id, date))
    .flatMap((date) =>
      plan.covers
        .filter(([, cover]) => !cover.covers(date, local))
        .flatMap(([userId]) => expandShift(ready, { userId, date }, context)),
    )
  const malformed = pattern.malformed.map(
    () => ({ kind: 'shift', id, reason: 'malformed_day' }) as const,
  )
  return [...malformed, ...shifts]
}

/**
 * Start and end are each resolved on the clock; what falls into the hour that it skips has no length and is no shift. A
 * flexible one has its hours too, but blocks nothing.
 */
function expandShift(
  { id, schedule, pattern, local }: ReadySchedule,
  { userId, date }: ShiftDay,
  context: ExpansionContext,
): Piece[] {
  const hours = pattern.days.get(weekdayOf(date))
  if (!hours) return []
  const time = timed(local.instantAt(date, hours.start), local.instantAt(date, hours.end))
  if (isTimeFault(time)) return []
  const isFlexible = schedule.type === 'FLEXIBLE'
  const event = buildEvent(
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
  return [event]
}
