import type { CalendarEvent } from '../domain/calendar-event.ts'
import { type FeedKind, feedKinds } from '../domain/kinds.ts'
import { inOrder } from './event-list.ts'
import {
  type Expander,
  isSetAside,
  isUnreadable,
  openExpansion,
  type SetAside,
} from './expansion.ts'
import { expandInvoices } from './invoice-events.ts'
import { expandLeaves } from './leave-events.ts'
import { localTime } from './local-time.ts'
import { expandShifts } from './shift-events.ts'
import type { CalendarSource } from './source.ts'
import { expandTasks } from './task-events.ts'
import { expandTimesheets } from './timesheet-events.ts'
import { touchesWindow } from './window.ts'

export type { SetAside } from './expansion.ts'

/** What records become. */
export interface Expansion {
  /** Those that touch the window, sorted by start, then UID; no UID comes twice. */
  readonly events: readonly CalendarEvent[]
  /** Records, or days of schedules, that cannot be shown: each counts for itself and takes no other with it. */
  readonly setAside: readonly SetAside[]
}

const expanders: Readonly<Record<FeedKind, Expander>> = {
  leaves: expandLeaves,
  shifts: expandShifts,
  timesheets: expandTimesheets,
  tasks: expandTasks,
  invoices: expandInvoices,
}

/**
 * All events of a calendar. The same records, options and window give the same events: it knows no clock and no zone of
 * the process. Throws `unavailable` where a kind that is shown has records of which none can be read.
 */
export function expandCalendar(source: CalendarSource): Expansion {
  const context = openExpansion(source)
  const { window, feed } = source
  const pieces = feedKinds
    .filter((kind) => feed.options[kind].show)
    .flatMap((kind) => expanders[kind](context))
  const events = pieces
    .flatMap((piece) => (isSetAside(piece) ? [] : [piece]))
    .filter(({ time }) => touchesWindow(time, window, localTime(window.timezone)))
  return { events: inOrder(withoutTwins(events)), setAside: toldOnce(pieces.filter(isSetAside)) }
}

/** Of events with one UID the last. */
function withoutTwins(events: readonly CalendarEvent[]): CalendarEvent[] {
  return [...new Map(events.map((event) => [event.uid, event])).values()]
}

/** A leave that can neither be shown nor hide shifts counts for one. */
function toldOnce(setAside: readonly SetAside[]): SetAside[] {
  const unreadable = setAside.filter(isUnreadable)
  return [
    ...setAside.filter((it) => !isUnreadable(it)),
    ...new Map(unreadable.map((it) => [`${it.kind} ${it.id}`, it])).values(),
  ]
}
