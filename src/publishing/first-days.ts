import type { Agenda, Expansion, SetAside } from '../calendar/expand.ts'
import { inWindow, type LocalTime, localTime } from '../calendar/local-time.ts'
import type { CalendarEvent } from '../domain/calendar-event.ts'
import { addDays, type PlainDate } from '../domain/plain-date.ts'
import type { Instant } from '../domain/world.ts'

const dayMs = 86_400_000
const daysShown = 7
/** Of a team's calendar one week may hold thousands. */
const eventsMax = 60

/** What a calendar holds of the seven days from today on. */
export interface FirstDays {
  /** By the calendar's clock. */
  readonly today: PlainDate
  /** By day, whole days first, at most so many that a page can hold them. */
  readonly entries: readonly DayEntry[]
  /** Whether there are more of these days. */
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

/** What a look at a calendar finds, before its text is made. */
export interface Glance {
  readonly setAside: readonly SetAside[]
  readonly firstDays: FirstDays
}

export function glanceAt({ agenda, setAside }: Expansion, now: Instant, timezone: string): Glance {
  return { setAside, firstDays: firstDaysOf(agenda, now, timezone) }
}

/** What lies on other days is not even made. */
function firstDaysOf(agenda: Agenda, now: Instant, timezone: string): FirstDays {
  const local = localTime(timezone)
  const today = local.dateAt(now)
  const from = (end: PlainDate): Iterable<CalendarEvent> =>
    agenda.ahead(inWindow({ start: today, end }, local))
  const found = take(from(addDays(today, daysShown)), eventsMax + 1)
  return {
    today,
    entries: entriesOf(found.slice(0, eventsMax), today, local),
    isCut: found.length > eventsMax,
    hasAny: agenda.aheadCount + agenda.behindCount > 0,
    hasAhead: found.length > 0 || take(from(lastDate), 1).length > 0,
  }
}

function entriesOf(
  events: readonly CalendarEvent[],
  today: PlainDate,
  local: LocalTime,
): readonly DayEntry[] {
  const entries = events.map((event): DayEntry => {
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
  return entries.toSorted(
    (one, other) =>
      one.day - other.day || Number(other.allDay) - Number(one.allDay) || one.start - other.start,
  )
}

/** Later than whatever a calendar shows. */
const lastDate: PlainDate = '9999-12-31'

function take<T>(items: Iterable<T>, count: number): T[] {
  const taken: T[] = []
  for (const item of items) {
    if (taken.length === count) break
    taken.push(item)
  }
  return taken
}
