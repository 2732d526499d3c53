import type { Instant, PlainDate } from '../domain/instant.ts'
import type { Leave } from '../domain/leave.ts'
import { isTimeFault } from './event-time.ts'
import type { Expanding } from './expansion.ts'
import { readLeaveTime } from './leave-time.ts'
import type { LocalTime } from './local-time.ts'
import { addDays } from './plain-date.ts'

const minuteMs = 60_000

interface Span<T> {
  readonly start: T
  /** Exclusive. */
  readonly end: T
}

/** Whether a date on some clock is wholly covered. */
export type LeaveCover = (date: PlainDate, local: LocalTime) => boolean

/**
 * What the user's approved leaves cover: dates of one of whole days, and dates that one or several timed ones fill
 * together. A part of a day covers none.
 */
export function leaveCover(userId: string, { records, reading }: Expanding): LeaveCover {
  const leaves = new Map((records.leaves.get(userId) ?? []).map((leave) => [leave.id, leave]))
  const days: Span<PlainDate>[] = []
  const times: Span<Instant>[] = []
  for (const leave of [...leaves.values()].filter(isApproved)) {
    const { time, partOfDay } = readLeaveTime(leave, reading)
    if (isTimeFault(time) || partOfDay !== null) continue
    if (time.allDay) days.push(time)
    // An end at 23:59 means midnight.
    else times.push({ start: time.start, end: time.end + minuteMs })
  }
  const joined = joinSpans(times)
  return (date, local) =>
    days.some((it) => it.start <= date && date < it.end) ||
    joined.some(
      (it) =>
        it.start <= local.instantAt(date, 0) && local.instantAt(addDays(date, 1), 0) <= it.end,
    )
}

function isApproved({ status }: Leave): boolean {
  return status === 'APPROVED'
}

function joinSpans(spans: readonly Span<Instant>[]): Span<Instant>[] {
  const joined: Span<Instant>[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (last && span.start <= last.end) {
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, span.end) }
    } else joined.push(span)
  }
  return joined
}
