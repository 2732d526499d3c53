import { addDays, weekdayOf, type PlainDate } from '../domain/plain-date.ts'
import { buildEvent } from './build-event.ts'
import { isTimeFault, timed } from './event-time.ts'
import { expandEach, type Expanding, type Outcome } from './expansion.ts'
import { leaveCover, type LeaveCover } from './leave-cover.ts'
import { readRoster, type ReadySchedule } from './shift-roster.ts'

/** One user's work on one date. */
interface Turn {
  readonly userId: string
  readonly date: PlainDate
}

/** The shifts of the feed's users, one event each (event-rules section 4). */
export function expandShifts(expanding: Expanding): Outcome[] {
  const { feed, window } = expanding
  if (!feed.options.shifts.show) return []
  const roster = readRoster(expanding)
  const covers = [...new Set(feed.userIds)].map(
    (userId) => [userId, hidingCover(userId, expanding)] as const,
  )
  // A date of one zone begins and its shifts end up to two days apart from those of another.
  const dates = datesBetween(addDays(window.start, -3), addDays(window.end, 2))
  const shifts = expandEach('shift', roster.schedules, (ready) =>
    dates
      .filter((date) => roster.holds(ready.id, date))
      .flatMap((date) =>
        covers
          .filter(([, covered]) => !covered(date, ready.local))
          .flatMap(([userId]) => expandShift(ready, { userId, date }, expanding)),
      ),
  )
  return [...roster.setAside, ...shifts]
}

function hidingCover(userId: string, expanding: Expanding): LeaveCover {
  const { duringLeave } = expanding.feed.options.shifts
  return duringLeave === 'hide' ? leaveCover(userId, expanding) : () => false
}

function expandShift(
  { id, schedule, pattern, local }: ReadySchedule,
  { userId, date }: Turn,
  expanding: Expanding,
): Outcome[] {
  const hours = pattern.days.get(weekdayOf(date))
  if (!hours) return []
  const time = timed(local.instantAt(date, hours.start), local.instantAt(date, hours.end))
  // What falls into the hour that the clock skips has no length and is no shift.
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
      remarks: isFlexible ? [expanding.words.flexible] : [],
      busy: isFlexible ? 'FREE' : 'BUSY',
    },
    expanding,
  )
  return [event]
}

function datesBetween(first: PlainDate, end: PlainDate): PlainDate[] {
  const dates: PlainDate[] = []
  for (let date = first; date < end; date = addDays(date, 1)) dates.push(date)
  return dates
}
