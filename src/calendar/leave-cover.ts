import type { EventTime } from '../domain/calendar-event.ts'
import { addDays, type PlainDate } from '../domain/plain-date.ts'
import type { Instant } from '../domain/world.ts'
import { isTimeFault } from './event-time.ts'
import { expandEach, isSetAside, type Expanding } from './expansion.ts'
import { readLeaveTime, type LeaveTime } from './leave-time.ts'
import type { LocalTime } from './local-time.ts'

const minuteMs = 60_000

interface Span {
  readonly start: Instant
  /** Exclusive. */
  readonly end: Instant
}

/** Whether a date on some clock is wholly covered. */
export type LeaveCover = (date: PlainDate, local: LocalTime) => boolean

/**
 * What the user's approved leaves cover: dates of one of whole days, and dates that one or several timed ones fill
 * together. A part of a day covers none.
 */
export function leaveCover(userId: string, { records, reading }: Expanding): LeaveCover {
  const times = expandEach('leave', records.leaves.get(userId) ?? [], (leave) =>
    leave.status === 'APPROVED' ? wholeTime(readLeaveTime(leave, reading)) : [],
  ).flatMap((time) => (isSetAside(time) ? [] : [time]))
  const days = times.flatMap((time) => (time.allDay ? [time] : []))
  const hours = joinSpans(times.flatMap((time) => (time.allDay ? [] : [time])))
  return (date, local) => {
    const midnight = local.instantAt(date, 0)
    const nextMidnight = local.instantAt(addDays(date, 1), 0)
    return (
      days.some(({ start, end }) => start <= date && date < end) ||
      hours.some(({ start, end }) => start <= midnight && nextMidnight <= end)
    )
  }
}

function wholeTime({ time, partOfDay }: LeaveTime): EventTime[] {
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
