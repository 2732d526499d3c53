import type { EventTime } from '../domain/calendar-event.ts'
import type { Leave } from '../domain/leave.ts'
import { addDays, type PlainDate } from '../domain/plain-date.ts'
import type { Instant } from '../domain/world.ts'
import { type DayConvention, isTimeFault } from './event-time.ts'
import {
  type ExpansionContext,
  isSetAside,
  latestOf,
  type Piece,
  readEach,
  type SetAside,
} from './expansion.ts'
import { readLeaveTime } from './leave-events.ts'
import type { LocalTime } from './local-time.ts'
import type { CalendarWindow } from './window.ts'

const minuteMs = 60_000
/** More than lies between the window and any date from which a shift could reach into it. */
const nearDays = 7

interface Span {
  readonly start: Instant
  /** Exclusive. */
  readonly end: Instant
}

/** A date, and from when to when it is that date on some clock. */
interface Day extends Span {
  readonly date: PlainDate
}

/** That date on that clock. */
export function dayOn(date: PlainDate, local: LocalTime): Day {
  return { date, start: local.instantAt(date, 0), end: local.instantAt(addDays(date, 1), 0) }
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
  const { records, convention, window } = context
  const leaves = yield* latestOf([records.leaves.get(userId) ?? []])
  const near = { start: addDays(window.start, -nearDays), end: addDays(window.end, nearDays) }
  const read = yield* readEach('leave', leaves, (leave) =>
    coveringTime(leave, convention).filter((time) => touches(time, near)),
  )
  const times = read.flatMap((it) => (isSetAside(it) ? [] : [it]))
  const days = times.flatMap((time) => (time.allDay ? [time] : []))
  const hours = joinSpans(times.flatMap((time) => (time.allDay ? [] : [time])))
  return {
    covers: ({ date, start, end }) =>
      days.some((leave) => leave.start <= date && date < leave.end) ||
      hours.some((leave) => leave.start <= start && end <= leave.end),
    setAside: read.filter(isSetAside),
  }
}

/** Of years of leaves few matter to the dates of the window, each of which asks all of them. */
function touches(time: EventTime, { start, end }: Pick<CalendarWindow, 'start' | 'end'>): boolean {
  if (time.allDay) return time.start < end && time.end > start
  return time.start < Date.parse(end) && time.end > Date.parse(start)
}

function coveringTime(leave: Leave, convention: DayConvention): EventTime[] {
  if (leave.status !== 'APPROVED') return []
  const { time, partOfDay } = readLeaveTime(leave, convention)
  return isTimeFault(time) || partOfDay !== null ? [] : [time]
}

/** Those that follow on one another as one; an end at 23:59 means midnight. */
function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    const until = end + minuteMs
    if (last && start <= last.end) joined.splice(-1, 1, { ...last, end: Math.max(last.end, until) })
    else joined.push({ start, end: until })
  }
  return joined
}
