import type { Expansion } from '../calendar/expand.ts'
import type { SetAside } from '../calendar/expansion.ts'
import { inWindow, localTime } from '../calendar/local-time.ts'
import type { CalendarEvent } from '../domain/calendar-event.ts'
import { addDays, type PlainDate } from '../domain/plain-date.ts'
import { dayMs, type Instant } from '../domain/world.ts'

const daysShown = 7
/** A week of a team's calendar may have thousands. */
const eventsMax = 60
/** Whole days with so many entries leave room for the rest of the page on a phone. */
const entriesMax = 8
const lastDate: PlainDate = '9999-12-31'

/** The next seven days of a calendar. */
export interface FirstDays {
  /** In the calendar's time zone. */
  readonly today: PlainDate
  /** By day, whole days first; few enough for a page. */
  readonly entries: readonly DayEntry[]
  /** There are more entries in these days. */
  readonly isCut: boolean
  /** Whether the calendar has entries at all, and from today on. */
  readonly hasAny: boolean
  readonly hasAhead: boolean
}

/** An event in local time, in milliseconds since 1970-01-01 00:00 local time. */
export interface DayEntry {
  readonly event: CalendarEvent
  readonly allDay: boolean
  readonly start: number
  /** Exclusive. */
  readonly end: number
  /** Not affected by clock changes. */
  readonly lengthMs: number
  /** The midnight of its day on the page: today's if it began earlier. */
  readonly day: number
}

export interface CalendarSummary {
  readonly setAside: readonly SetAside[]
  readonly firstDays: FirstDays
}

/** Does not make events of other days. */
export function summaryOf(
  { agenda, setAside }: Expansion,
  now: Instant,
  timezone: string,
): CalendarSummary {
  const local = localTime(timezone)
  const today = local.dateAt(now)
  const take = (end: PlainDate, count: number): readonly CalendarEvent[] =>
    Iterator.from(agenda.ahead(inWindow({ start: today, end, timezone })))
      .take(count)
      .toArray()
  const found = take(addDays(today, daysShown), eventsMax + 1)
  const all = found.slice(0, eventsMax).map((event): DayEntry => {
    const { time } = event
    const [from, until] = time.allDay
      ? [Date.parse(time.start), Date.parse(time.end)]
      : [time.start, time.end]
    const [start, end] = time.allDay
      ? [from, until]
      : [local.wallClockAt(from), local.wallClockAt(until)]
    const day = Math.max(Date.parse(today), start - (start % dayMs))
    return { event, allDay: time.allDay, start, end, lengthMs: until - from, day }
  })
  all.sort(
    (one, other) =>
      one.day - other.day || Number(other.allDay) - Number(one.allDay) || one.start - other.start,
  )
  const entries = all.slice(0, countOfWholeDays(all))
  const firstDays = {
    today,
    entries,
    isCut: found.length > entries.length,
    hasAny: agenda.aheadCount + agenda.behindCount > 0,
    hasAhead: found.length > 0 || take(lastDate, 1).length > 0,
  }
  return { setAside, firstDays }
}

/** Counts the entries of the first whole days, or of one day with more than fit. */
function countOfWholeDays(entries: readonly DayEntry[]): number {
  const next = entries[entriesMax]
  if (!next) return entries.length
  return entries.findIndex(({ day }) => day === next.day) || entriesMax
}
