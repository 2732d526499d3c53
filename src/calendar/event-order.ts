import type { CalendarEvent } from '../domain/calendar-event.ts'

/** Sorted by start, an all-day event's being midnight UTC of its date, then by UID: the same whatever order they came in. */
export function inOrder<T extends Pick<CalendarEvent, 'time' | 'uid'>>(events: readonly T[]): T[] {
  return events.toSorted((a, b) => startOf(a) - startOf(b) || (a.uid < b.uid ? -1 : 1))
}

function startOf({ time }: Pick<CalendarEvent, 'time'>): number {
  return typeof time.start === 'string' ? Date.parse(time.start) : time.start
}
