import type { Expansion } from '../calendar/expand.ts'
import type { SetAside } from '../calendar/expansion.ts'
import { inWindow, localTime } from '../calendar/local-time.ts'
import type { CalendarEvent } from '../domain/calendar-event.ts'
import { addDays, type PlainDate } from '../domain/plain-date.ts'
import type { Instant } from '../domain/world.ts'

const dayMs = 86_400_000
const daysShown = 7
/** One week of a team's calendar may hold thousands. */
const eventsMax = 60
/** Later than everything that a calendar shows. */
const lastDate: PlainDate = '9999-12-31'

/** What a calendar holds of the seven days from today on. */
export interface FirstDays {
  /** By the calendar's clock. */
  readonly today: PlainDate
  /** By day, whole days first; few enough for a page. */
  readonly entries: readonly DayEntry[]
  /** Whether these days hold more. */
  readonly isCut: boolean
  /** Whether the calendar holds anything at all, and anything from today on. */
  readonly hasAny: boolean
  readonly hasAhead: boolean
}

/** An event as the clock on the wall has it, in milliseconds since its own 1970-01-01 00:00. */
export interface DayEntry {
  readonly event: CalendarEvent
  readonly allDay: boolean
  readonly start: number
  /** Exclusive. */
  readonly end: number
  /** How long it takes, which a change of the clocks does not change. */
  readonly lengthMs: number
  /** The midnight under which it stands: today's, where it has begun before. */
  readonly day: number
}

/** What a page shows of a calendar, before its text is made. */
export interface CalendarSummary {
  readonly setAside: readonly SetAside[]
  readonly firstDays: FirstDays
}

/** Events on other days are not even made. */
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
  const entries = found.slice(0, eventsMax).map((event): DayEntry => {
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
  const firstDays = {
    today,
    entries: entries.toSorted(
      (one, other) =>
        one.day - other.day || Number(other.allDay) - Number(one.allDay) || one.start - other.start,
    ),
    isCut: found.length > eventsMax,
    hasAny: agenda.aheadCount + agenda.behindCount > 0,
    hasAhead: found.length > 0 || take(lastDate, 1).length > 0,
  }
  return { setAside, firstDays }
}
