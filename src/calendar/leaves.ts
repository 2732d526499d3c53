import type { CalendarEvent, EventTime } from '../domain/calendar-event.ts'
import {
  isPrivate,
  type Leave,
  type LeaveShownAs,
  leaveStatuses,
  type ShownLeaveStatus,
} from '../domain/leave.ts'
import { addDays, dayNumber } from '../domain/plain-date.ts'
import { hourMs, type Instant, minuteMs } from '../domain/world.ts'
import { buildEvent } from './build-event.ts'
import { isTimeFault, readOpenSpan, readSpan, type Span, type TimeFault } from './event-time.ts'
import {
  type Expansible,
  type ExpansionContext,
  isSetAside,
  latestOf,
  type Piece,
  readOne,
  type SetAside,
  type LeaveCover,
} from './expansion.ts'
import { inWindow } from './local-time.ts'

/** More days than between the window and any date with a shift that reaches into it. */
const nearDays = 7

interface Appearance {
  readonly status: CalendarEvent['status']
  readonly remark?: 'pending'
}

const appearances: Readonly<Record<ShownLeaveStatus, Appearance>> = {
  APPROVED: { status: 'CONFIRMED' },
  PENDING: { status: 'TENTATIVE', remark: 'pending' },
}

const busyOf: Readonly<Record<LeaveShownAs, CalendarEvent['busy']>> = {
  outOfOffice: 'OOF',
  busy: 'BUSY',
  free: 'FREE',
}

export interface LeaveOfPerson {
  readonly id: string
  readonly leave: Leave
  readonly userId: string
}

/** The leaves of the feed's people, each once. */
export function leavesOfPeople({ feed, records }: ExpansionContext): readonly LeaveOfPerson[] {
  return [...new Set(feed.userIds)].flatMap((userId) =>
    latestOf([records.leaves.get(userId) ?? []]).map((leave) => ({ id: leave.id, leave, userId })),
  )
}

export function expandLeaves(context: ExpansionContext): Expansible<LeaveOfPerson> {
  const { records, kept } = context
  return {
    kind: 'leave',
    records: leavesOfPeople(context),
    expand: ({ leave, userId }) => {
      const from = [records.leaves.get(userId), records.user.get(userId)]
      const made = kept.leaves.part(userId, from, () => new Map())
      const pieces = made.get(leave) ?? expandLeave(leave, userId, context)
      made.set(leave, pieces)
      return pieces
    },
  }
}

/** With the detail `absent`, all kinds of leave look the same, and so do private ones with any detail. */
function expandLeave(leave: Leave, userId: string, context: ExpansionContext): readonly Piece[] {
  const { words, feed } = context
  const { privateCategories, detail: wanted, showAs } = feed.options.leaves
  const shown = shownStatus(leave, context)
  if (typeof shown !== 'string') return shown
  const isAbsent = wanted === 'absent' || isPrivate(leave, privateCategories)
  const { time, partOfDay, fractionalDays } = readLeaveTime(leave, context)
  const { status, remark } = appearances[shown]
  const usualBusy = status === 'CONFIRMED' ? busyOf[showAs] : 'TENTATIVE'
  const event = buildEvent(
    {
      kind: 'leave',
      id: leave.id,
      userId,
      time,
      title: isAbsent ? words.away : leave.leaveType?.name,
      remarks: [
        ...(partOfDay ? [words.partOfDay(partOfDay)] : []),
        ...(remark ? [words[remark]] : []),
      ],
      details: [
        leave.endDate === null ? `(${words.noEnd})` : null,
        fractionalDays === null ? null : words.days(fractionalDays),
        wanted === 'full' && !isAbsent ? leave.reason : null,
      ],
      status,
      // It is unknown which part of the day it is, so it blocks nothing, even if pending.
      busy: partOfDay === null && showAs !== 'free' ? usualBusy : 'FREE',
    },
    context,
  )
  return [event]
}

/**
 * The status of a leave if the feed shows it; otherwise what becomes of the leave. Rejected and cancelled leaves are left out:
 * Apple's calendar would show STATUS:CANCELLED crossed out forever.
 */
export function shownStatus(
  { id, status }: Leave,
  { feed }: ExpansionContext,
): ShownLeaveStatus | readonly SetAside[] {
  const shown = feed.options.leaves.statuses.find((it) => it === status)
  if (shown) return shown
  const isKnown = leaveStatuses.some((it) => it === status)
  return isKnown ? [] : [{ kind: 'leave', id, reason: 'unknown_status' }]
}

interface LeaveTime {
  readonly time: EventTime | TimeFault
  /** If only part of one day is taken; 0 if the amount is unknown. */
  readonly partOfDay: number | null
  /** If several days are taken, but not a whole number. */
  readonly fractionalDays: number | null
}

/** `days` applies only to whole days with an end. */
export function readLeaveTime(
  leave: Leave,
  { convention, window }: Pick<ExpansionContext, 'convention' | 'window'>,
): LeaveTime {
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

/** Reads the user's approved leaves. A part of a day covers no day: the shift stays and says so. */
export function leaveCover(userId: string, context: ExpansionContext): LeaveCover {
  const { records, window } = context
  // Of years of leaves, only few touch the window.
  const near = { start: addDays(window.start, -nearDays), end: addDays(window.end, nearDays) }
  const isNear = inWindow({ ...near, timezone: 'UTC' })
  const read = latestOf([records.leaves.get(userId) ?? []]).flatMap<LeaveOff | SetAside>((leave) =>
    readOne('leave', leave, () => {
      if (leave.status !== 'APPROVED') return []
      const { time, partOfDay } = readLeaveTime(leave, context)
      return isTimeFault(time) ? [] : [{ time, partOfDay }]
    }),
  )
  const days = new Set<number>()
  const parts = new Map<number, number | null>()
  const hours: Span[] = []
  for (const leave of read) {
    if (isSetAside(leave) || !isNear(leave.time)) continue
    const { time, partOfDay } = leave
    if (!time.allDay) hours.push({ ...time, end: wholeMinute(time.end, context) })
    else if (partOfDay === null) {
      const end = dayNumber(time.end > near.end ? near.end : time.end)
      let day = dayNumber(time.start < near.start ? near.start : time.start)
      for (; day < end; day += 1) days.add(day)
    } else {
      const day = dayNumber(time.start)
      parts.set(day, parts.has(day) ? null : partOfDay)
    }
  }
  const joined = joinSpans(hours)
  return {
    covers: (day, start, end) =>
      days.has(day) || joined.some((leave) => leave.start <= start && end <= leave.end + minuteMs),
    parts,
    hours: joined,
    setAside: read.filter(isSetAside),
  }
}

type LeaveOff = { readonly time: EventTime } & Pick<LeaveTime, 'partOfDay'>

/** An end at 15:59 or at 15:59:59 means 16:00. */
function wholeMinute(end: Instant, { convention: { local } }: ExpansionContext): Instant {
  const minute = Math.ceil(end / minuteMs) * minuteMs
  return local.wallClockAt(minute) % hourMs === hourMs - minuteMs ? minute + minuteMs : minute
}

/** Leaves with a minute between them are one. */
function joinSpans(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (last && span.start <= last.end + minuteMs) {
      joined.splice(-1, 1, { ...last, end: Math.max(last.end, span.end) })
    } else joined.push(span)
  }
  return joined
}
