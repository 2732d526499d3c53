import type { CalendarEvent, EventTime, RevisedEvent } from '../domain/calendar-event.ts'
import type { PlainDate } from '../domain/plain-date.ts'

/** An event with its text, and how long that is in UTF-8. */
export interface SizedEvent {
  readonly event: RevisedEvent
  readonly text: string
  readonly bytes: number
}

/** What fits, in order, and how many events do not. */
export interface FittedEvents {
  readonly kept: readonly SizedEvent[]
  readonly past: number
  readonly future: number
}

/** Sorted by start, an all-day event's being midnight UTC of its date, then by UID: the same whatever order they came in. */
export function inOrder<T extends Pick<CalendarEvent, 'time' | 'uid'>>(events: readonly T[]): T[] {
  return events.toSorted((a, b) => startOf(a) - startOf(b) || (a.uid < b.uid ? -1 : 1))
}

function startOf({ time }: Pick<CalendarEvent, 'time'>): number {
  return typeof time.start === 'string' ? Date.parse(time.start) : time.start
}

/** How long the events are together. */
export function bytesOf(events: readonly SizedEvent[]): number {
  return events.reduce((total, { bytes }) => total + bytes, 0)
}

/** Of events sorted by start leaves out the oldest that ended before the turn, then those that start last, until the rest fits. */
export function fitEvents(
  events: readonly SizedEvent[],
  turn: PlainDate,
  bytesMax: number,
): FittedEvents {
  const past = events.filter(({ event }) => isPast(event.time, turn))
  const future = events.filter(({ event }) => !isPast(event.time, turn))
  const left = new Set<SizedEvent>()
  let bytes = bytesOf(events)
  for (const event of [...past, ...future.toReversed()]) {
    if (bytes <= bytesMax) break
    left.add(event)
    bytes -= event.bytes
  }
  const leftPast = past.filter((event) => left.has(event)).length
  return {
    kept: events.filter((event) => !left.has(event)),
    past: leftPast,
    future: left.size - leftPast,
  }
}

function isPast(time: EventTime, turn: PlainDate): boolean {
  return time.allDay ? time.end <= turn : time.end <= Date.parse(turn)
}
