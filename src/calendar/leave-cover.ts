import type { EventTime } from '../domain/calendar-event.ts'
import type { Leave } from '../domain/leave.ts'
import { addDays, dayNumber } from '../domain/plain-date.ts'
import { type AllDay, isTimeFault } from './event-time.ts'
import {
  type ExpansionContext,
  isSetAside,
  latestOf,
  type Piece,
  readEach,
  type SetAside,
} from './expansion.ts'
import { readLeaveTime } from './leave-events.ts'
import type { CalendarWindow, LocalTime } from './local-time.ts'

const minuteMs = 60_000
/** More than lies between the window and any date from which a shift could reach into it. */
const nearDays = 7

/** Of instants, or of days by their numbers. */
interface Span {
  readonly start: number
  /** Exclusive. */
  readonly end: number
}

/** A day by its number, and from when to when it is that day on some clock. */
interface Day extends Span {
  readonly day: number
}

/** That day on that clock. */
export function dayOn(day: number, local: LocalTime): Day {
  return { day, start: local.instantOn(day, 0), end: local.instantOn(day + 1, 0) }
}

/** What one user's leaves cover. */
export interface LeaveCover {
  /** Whether the day is wholly covered. */
  covers(day: Day): boolean
  /** Leaves of which that cannot be told. */
  readonly setAside: readonly SetAside[]
}

/** Where shifts are shown during leaves too. */
export const noCover: LeaveCover = { covers: () => false, setAside: [] }

/**
 * What the user's approved leaves cover: dates of one of whole days, and dates that one or several timed ones fill
 * together. A part of a day covers none, and neither does a leave that cannot be read.
 */
export function* leaveCover(
  userId: string,
  context: ExpansionContext,
): Generator<readonly Piece[], LeaveCover> {
  const { records, window } = context
  const leaves = yield* latestOf([records.leaves.get(userId) ?? []])
  const near = { start: addDays(window.start, -nearDays), end: addDays(window.end, nearDays) }
  const read = yield* readEach('leave', leaves, (leave) =>
    coveringTime(leave, context).filter((time) => touches(time, near)),
  )
  const times = read.flatMap((it) => (isSetAside(it) ? [] : [it]))
  const days = daysOf(times.flatMap((time) => (time.allDay ? [daySpan(time, near)] : [])))
  const hours = joinSpans(
    times.flatMap((time) => (time.allDay ? [] : [{ ...time, end: time.end + minuteMs }])),
  )
  return {
    covers: ({ day, start, end }) =>
      days.has(day) || hours.some((leave) => leave.start <= start && end <= leave.end),
    setAside: read.filter(isSetAside),
  }
}

/** Of years of leaves few matter to the dates of the window. */
function touches(time: EventTime, { start, end }: Pick<CalendarWindow, 'start' | 'end'>): boolean {
  if (time.allDay) return time.start < end && time.end > start
  return time.start < Date.parse(end) && time.end > Date.parse(start)
}

function coveringTime(leave: Leave, context: ExpansionContext): EventTime[] {
  if (leave.status !== 'APPROVED') return []
  const { time, partOfDay } = readLeaveTime(leave, context)
  return isTimeFault(time) || partOfDay !== null ? [] : [time]
}

/** Whole days as far as they lie near the window. */
function daySpan(time: AllDay, { start, end }: Pick<CalendarWindow, 'start' | 'end'>): Span {
  return {
    start: dayNumber(time.start < start ? start : time.start),
    end: dayNumber(time.end > end ? end : time.end),
  }
}

function daysOf(spans: readonly Span[]): ReadonlySet<number> {
  const days = new Set<number>()
  for (const { start, end } of joinSpans(spans)) {
    for (let day = start; day < end; day += 1) days.add(day)
  }
  return days
}

/** Those that follow on one another as one. */
function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (last && start <= last.end) joined.splice(-1, 1, { ...last, end: Math.max(last.end, end) })
    else joined.push({ start, end })
  }
  return joined
}
