import type { CalendarEvent, EventTime } from '../domain/calendar-event.ts'
import { type Leave, leaveStatuses } from '../domain/leave.ts'
import { addDays } from '../domain/plain-date.ts'
import { buildEvent } from './build-event.ts'
import { isTimeFault, readOpenSpan, readSpan, type TimeFault } from './event-time.ts'
import {
  expandEach,
  type ExpansionContext,
  isSetAside,
  latestOf,
  type Piece,
  readEach,
} from './expansion.ts'

/** When a leave is, and how much of it. */
export interface LeaveTime {
  readonly time: EventTime | TimeFault
  /** The fraction of the one day of which only a part is taken, or none (0), which part is unknown. */
  readonly partOfDay: number | null
  /** The number of days where it is a fraction of several. */
  readonly fractionalDays: number | null
}

/** What a leave became. */
export interface ExpandedLeave {
  readonly id: string
  readonly pieces: readonly Piece[]
}

/** The leaves of the feed's users. */
export function* expandLeaves(context: ExpansionContext): Iterable<readonly Piece[]> {
  const { feed, records, kept } = context
  const leaves: ExpandedLeave[] = []
  for (const userId of new Set(feed.userIds)) {
    const from = [records.leaves.get(userId), records.user.get(userId)]
    const make = () => expandOwn(userId, context)
    const own = yield* kept ? kept.leaves.partInSteps(userId, from, make) : make()
    for (const leave of own) leaves.push(leave)
  }
  yield* expandEach('leave', leaves, ({ pieces }) => pieces)
}

/** One person's. */
function* expandOwn(
  userId: string,
  context: ExpansionContext,
): Generator<readonly Piece[], readonly ExpandedLeave[]> {
  const leaves = yield* latestOf([context.records.leaves.get(userId) ?? []])
  const read = yield* readEach('leave', leaves, (leave) => [
    { id: leave.id, pieces: expandLeave(leave, userId, context) },
  ])
  return read.map((it) => (isSetAside(it) ? { id: it.id, pieces: [it] } : it))
}

/**
 * Of the statuses that the feed shows. What is rejected or cancelled is left out and not called STATUS:CANCELLED, which
 * Apple's calendar strikes through for ever; what has no known status is left out and told of.
 */
function expandLeave(leave: Leave, userId: string, context: ExpansionContext): Piece[] {
  const { id, status } = leave
  if (context.feed.options.leaves.statuses.some((it) => it === status)) {
    return [leaveEvent(leave, userId, context)]
  }
  const isKnown = leaveStatuses.some((it) => it === status)
  return isKnown ? [] : [{ kind: 'leave', id, reason: 'unknown_status' }]
}

/**
 * Whole days are one all-day event over weekends too, times of day a timed one. With the detail `absent` it holds nothing
 * by which one kind of leave could be told from another.
 */
function leaveEvent(leave: Leave, userId: string, context: ExpansionContext): Piece {
  const { words, feed } = context
  const { detail } = feed.options.leaves
  const { time, partOfDay, fractionalDays } = readLeaveTime(leave, context)
  const isPending = leave.status === 'PENDING'
  return buildEvent(
    {
      kind: 'leave',
      id: leave.id,
      userId,
      time,
      title: detail === 'absent' ? words.away : leave.leaveType?.name,
      remarks: [
        ...(partOfDay ? [words.partOfDay(partOfDay)] : []),
        ...(isPending ? [words.pending] : []),
      ],
      details: [
        leave.endDate === null ? `(${words.noEnd})` : null,
        fractionalDays === null ? null : words.days(fractionalDays),
        detail === 'full' ? leave.reason : null,
      ],
      status: isPending ? 'TENTATIVE' : 'CONFIRMED',
      busy: busyDuring(partOfDay, isPending),
    },
    context,
  )
}

/** A part of a day blocks nothing, pending or not, since which part it is nobody knows. */
function busyDuring(partOfDay: number | null, isPending: boolean): CalendarEvent['busy'] {
  if (partOfDay !== null) return 'FREE'
  return isPending ? 'TENTATIVE' : 'OOF'
}

/** The leave's time; `days` counts only where it is in whole days and has an end. */
export function readLeaveTime(leave: Leave, context: TimeContext): LeaveTime {
  const time = timeOf(leave, context)
  const days = leave.days ?? 1
  const isCounted = leave.endDate !== null && days >= 0
  if (!isCounted || isTimeFault(time) || !time.allDay) {
    return { time, partOfDay: null, fractionalDays: null }
  }
  const isOneDay = addDays(time.start, 1) === time.end
  return {
    time,
    partOfDay: isOneDay && days < 1 ? days : null,
    fractionalDays: isOneDay || Number.isInteger(days) ? null : days,
  }
}

type TimeContext = Pick<ExpansionContext, 'convention' | 'window'>

function timeOf(
  { startDate, endDate, hasBegun = false }: Leave,
  { convention, window }: TimeContext,
): EventTime | TimeFault {
  if (endDate !== null) return readSpan(startDate, endDate, convention)
  return hasBegun ? readOpenSpan(startDate, window, convention) : 'not_begun'
}
