/* Somebody else's calendar, looked at by staff: for a reason, which the audit log keeps. */
import { calendarWindow, localTime } from '../calendar/local-time.ts'
import { type AuditStore, saveAuditEvent } from '../domain/access/audit-entry.ts'
import type { Actor } from '../domain/access/staff.ts'
import type { Feed } from '../domain/feed.ts'
import { firstOfMonth, firstOfNextMonth, type PlainDate } from '../domain/plain-date.ts'
import { type Clock, dayMs, type Log } from '../domain/world.ts'
import type { DayEntry } from '../publishing/first-days.ts'
import { textField } from './feed-input.ts'
import { type Answer, calendarSchema } from './feed-view.ts'

export const reasonField = textField.trim().min(3).max(200)

interface ViewingDeps {
  readonly audit: AuditStore
  readonly clock: Clock
  readonly log: Log
}

/** Notes that staff look at the calendar of that person. Call it before anything of the calendar is read for them. */
export function noteViewing(
  deps: ViewingDeps,
  { id, companyId }: Feed,
  { userId, reason }: { readonly userId: string; readonly reason: string },
  { actor }: Actor,
): Promise<void> {
  const about = { companyId, feedId: id, userIds: [userId], label: reason }
  return saveAuditEvent(deps, { actor, action: 'calendar_viewed' }, about)
}

type ViewedEvent = Answer<typeof calendarSchema>['events'][number]

export type ViewedEntry = Omit<DayEntry, 'event'> & { readonly event: ViewedEvent }

/** The entries of a month of a calendar as `.json`, by day, whole days first. */
export function entriesOfMonth(
  json: string,
  { timezone, month }: { readonly timezone: string; readonly month: PlainDate },
): readonly ViewedEntry[] {
  const [from, to] = [Date.parse(firstOfMonth(month)), Date.parse(firstOfNextMonth(month))]
  const zone = localTime(timezone)
  const local = (allDay: boolean, time: string): number =>
    allDay ? Date.parse(time) : zone.wallClockAt(Date.parse(time))
  return calendarSchema
    .parse(JSON.parse(json))
    .events.map((event): ViewedEntry => {
      const { allDay } = event
      const [start, end] = [local(allDay, event.start), local(allDay, event.end)]
      const lengthMs = Date.parse(event.end) - Date.parse(event.start)
      return { event, allDay, start, end, lengthMs, day: Math.max(from, start - (start % dayMs)) }
    })
    .filter(({ start, end }) => start < to && (end > from || start >= from))
    .toSorted(
      (one, other) =>
        one.day - other.day || Number(other.allDay) - Number(one.allDay) || one.start - other.start,
    )
}

const monthsMax = 60

/** The first days of the months that the calendar has, and of the present one. */
export function monthsOf(
  { timezone, options }: Pick<Feed, 'timezone' | 'options'>,
  now: number,
): { readonly months: readonly PlainDate[]; readonly present: PlainDate } {
  const { start, end } = calendarWindow(now, timezone, options.window)
  const present = firstOfMonth(localTime(timezone).dateAt(now))
  const months: PlainDate[] = []
  for (let month = firstOfMonth(start); month < end; month = firstOfNextMonth(month)) {
    months.push(month)
  }
  const at = months.indexOf(present)
  const from = Math.max(0, Math.min(at - monthsMax / 2, months.length - monthsMax))
  return { months: months.slice(from, from + monthsMax), present }
}
