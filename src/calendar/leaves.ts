import type { CalendarEvent, EventTime } from '../domain/calendar-event.ts'
import { type Leave, leaveStatuses, type ShownLeaveStatus } from '../domain/leave.ts'
import { addDays, dayNumber } from '../domain/plain-date.ts'
import { buildEvent } from './build-event.ts'
import { isTimeFault, readOpenSpan, readSpan, type TimeFault } from './event-time.ts'
import { type Expansible, type ExpansionContext, latestOf, readOne } from './expansion.ts'
import type { CalendarWindow, LocalTime } from './local-time.ts'
import { type Day, type LeaveCover, isSetAside, type Piece, type SetAside } from './pieces.ts'

const minuteMs = 60_000
/** More than lies between the window and any date from which a shift could reach into it. */
const nearDays = 7

/** How a leave in that status is shown. */
const eventStatuses: Readonly<Record<ShownLeaveStatus, CalendarEvent['status']>> = {
  APPROVED: 'CONFIRMED',
  PENDING: 'TENTATIVE',
}

interface LeaveOfPerson {
  readonly id: string
  readonly leave: Leave
  readonly userId: string
  /** What each of the person's leaves has become. */
  readonly made: Map<Leave, readonly Piece[]>
}

/** The leaves of the feed's users. */
export function expandLeaves(context: ExpansionContext): Expansible<LeaveOfPerson> {
  const { feed, records, kept } = context
  return {
    kind: 'leave',
    records: [...new Set(feed.userIds)].flatMap((userId) => {
      const leaves = records.leaves.get(userId) ?? []
      const from = [records.leaves.get(userId), records.user.get(userId)]
      const made = kept ? kept.leaves.part(userId, from, newMap) : newMap()
      return latestOf([leaves]).map((leave) => ({ id: leave.id, leave, userId, made }))
    }),
    expand: ({ leave, userId, made }) => {
      const pieces = made.get(leave) ?? expandLeave(leave, userId, context)
      made.set(leave, pieces)
      return pieces
    },
  }
}

function newMap(): LeaveOfPerson['made'] {
  return new Map()
}

/**
 * Leaves in a status that the feed shows. A rejected or cancelled leave is left out instead of being written with
 * STATUS:CANCELLED, which Apple's calendar strikes through for ever. An unknown status is left out and set aside.
 */
function expandLeave(leave: Leave, userId: string, context: ExpansionContext): Piece[] {
  const { id } = leave
  const status = context.feed.options.leaves.statuses.find((it) => it === leave.status)
  if (status) return [leaveEvent(leave, status, userId, context)]
  const isKnown = leaveStatuses.some((it) => it === leave.status)
  return isKnown ? [] : [{ kind: 'leave', id, reason: 'unknown_status' }]
}

/**
 * Whole days are one all-day event over weekends too, times of day a timed one. With the detail `absent` it holds nothing
 * by which one kind of leave could be told from another.
 */
function leaveEvent(
  leave: Leave,
  leaveStatus: ShownLeaveStatus,
  userId: string,
  context: ExpansionContext,
): Piece {
  const { words, feed } = context
  const { detail } = feed.options.leaves
  const { time, partOfDay, fractionalDays } = readLeaveTime(leave, context)
  const status = eventStatuses[leaveStatus]
  const certain = status === 'CONFIRMED' ? 'OOF' : 'TENTATIVE'
  return buildEvent(
    {
      kind: 'leave',
      id: leave.id,
      userId,
      time,
      title: detail === 'absent' ? words.away : leave.leaveType?.name,
      remarks: [
        ...(partOfDay ? [words.partOfDay(partOfDay)] : []),
        ...(status === 'TENTATIVE' ? [words.pending] : []),
      ],
      details: [
        leave.endDate === null ? `(${words.noEnd})` : null,
        fractionalDays === null ? null : words.days(fractionalDays),
        detail === 'full' ? leave.reason : null,
      ],
      status,
      // A part of a day blocks nothing, pending or not: nobody knows which part it is.
      busy: partOfDay === null ? certain : 'FREE',
    },
    context,
  )
}

/**
 * When a leave is, and how much of it: `partOfDay` where only a part of one day is taken (0: which part is unknown),
 * `fractionalDays` where it is a fraction of several. `days` counts only for whole days with an end.
 */
function readLeaveTime(
  leave: Leave,
  { convention, window }: Pick<ExpansionContext, 'convention' | 'window'>,
): {
  readonly time: EventTime | TimeFault
  readonly partOfDay: number | null
  readonly fractionalDays: number | null
} {
  const { startDate, endDate } = leave
  const openTime = leave.hasBegun ? readOpenSpan(startDate, window, convention) : 'not_begun'
  const time = endDate === null ? openTime : readSpan(startDate, endDate, convention)
  const days = leave.days ?? 1
  if (endDate === null || days < 0 || isTimeFault(time) || !time.allDay) {
    return { time, partOfDay: null, fractionalDays: null }
  }
  const isOneDay = addDays(time.start, 1) === time.end
  return {
    time,
    partOfDay: isOneDay && days < 1 ? days : null,
    fractionalDays: isOneDay || Number.isInteger(days) ? null : days,
  }
}

/** That day on that clock. */
export function dayOn(day: number, local: LocalTime): Day {
  return { day, start: local.instantOn(day, 0), end: local.instantOn(day + 1, 0) }
}

/**
 * What the user's approved leaves cover: dates of one of whole days, and dates that one or several timed ones fill
 * together. A part of a day covers none, and neither does a leave that cannot be read.
 */
export function leaveCover(userId: string, context: ExpansionContext): LeaveCover {
  const { records, window } = context
  const near = { start: addDays(window.start, -nearDays), end: addDays(window.end, nearDays) }
  const read = latestOf([records.leaves.get(userId) ?? []]).flatMap<EventTime | SetAside>((leave) =>
    readOne('leave', leave, () => coveringTimes(leave, context)),
  )
  const times = read.flatMap((it) => (isSetAside(it) || !touches(it, near) ? [] : [it]))
  const days = new Set<number>()
  for (const time of times) {
    if (!time.allDay) continue
    const end = dayNumber(time.end > near.end ? near.end : time.end)
    let day = dayNumber(time.start < near.start ? near.start : time.start)
    for (; day < end; day += 1) days.add(day)
  }
  const hours = joinSpans(
    times.flatMap(({ allDay, start, end }) => (allDay ? [] : [{ start, end: end + minuteMs }])),
  )
  return {
    covers: ({ day, start, end }) =>
      days.has(day) || hours.some((leave) => leave.start <= start && end <= leave.end),
    setAside: read.filter(isSetAside),
  }
}

function coveringTimes(leave: Leave, context: ExpansionContext): readonly EventTime[] {
  if (leave.status !== 'APPROVED') return []
  const { time, partOfDay } = readLeaveTime(leave, context)
  return isTimeFault(time) || partOfDay !== null ? [] : [time]
}

/** Of years of leaves few matter to the dates of the window. */
function touches(time: EventTime, { start, end }: Pick<CalendarWindow, 'start' | 'end'>): boolean {
  if (time.allDay) return time.start < end && time.end > start
  return time.start < Date.parse(end) && time.end > Date.parse(start)
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Spans that follow on one another as one. */
function joinSpans(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (last && start <= last.end) joined.splice(-1, 1, { ...last, end: Math.max(last.end, end) })
    else joined.push({ start, end })
  }
  return joined
}
