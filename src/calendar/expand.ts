import type { CalendarEvent } from '../domain/calendar-event.ts'
import { inOrder } from './event-order.ts'
import { touchesWindow } from './event-time.ts'
import { isSetAside, openExpansion, type SetAside } from './expansion.ts'
import { expandInvoices } from './invoice-events.ts'
import { expandLeaves } from './leave-events.ts'
import { localTime } from './local-time.ts'
import { expandShifts } from './shift-events.ts'
import type { CalendarSource } from './source.ts'
import { expandTasks } from './task-events.ts'
import { expandTimesheets } from './timesheet-events.ts'

export type { SetAside } from './expansion.ts'

/** What records become. */
export interface Expansion {
  /** Those that touch the window, sorted by start, then UID; no UID comes twice. */
  readonly events: readonly CalendarEvent[]
  /** Records, or days of schedules, that cannot be shown: each counts for itself and takes no other with it. */
  readonly setAside: readonly SetAside[]
}

/** All events of a calendar. Depends on nothing but its source: no clock, no zone of the process. */
export function expandCalendar(source: CalendarSource): Expansion {
  const expanding = openExpansion(source)
  const outcomes = [
    ...expandLeaves(expanding),
    ...expandShifts(expanding),
    ...expandTimesheets(expanding),
    ...expandTasks(expanding),
    ...expandInvoices(expanding),
  ]
  const events = outcomes
    .flatMap((outcome) => (isSetAside(outcome) ? [] : [outcome]))
    .filter(({ time }) => touchesWindow(time, source.window, localTime(source.window.timezone)))
  return { events: inOrder(withoutTwins(events)), setAside: outcomes.filter(isSetAside) }
}

/** Of events with one UID the last. */
function withoutTwins(events: readonly CalendarEvent[]): CalendarEvent[] {
  return [...new Map(events.map((event) => [event.uid, event])).values()]
}
