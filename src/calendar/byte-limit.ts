import type { EventTime, RevisedEvent } from '../domain/calendar-event.ts'
import type { PlainDate } from '../domain/plain-date.ts'

export interface SizedEvent {
  readonly event: RevisedEvent
  readonly text: string
}

/** What fits, in order, and how many events do not. */
export interface FittedEvents {
  readonly kept: readonly SizedEvent[]
  readonly past: number
  readonly future: number
}

/** Of events sorted by start leaves out the oldest that ended before the turn, then those that start last, until the rest fits. */
export function fitEvents(
  events: readonly SizedEvent[],
  turn: PlainDate,
  bytesMax: number,
): FittedEvents {
  const past = events.filter(({ event }) => isPast(event.time, turn))
  const future = events.filter(({ event }) => !isPast(event.time, turn))
  const leaving = [...past, ...future.toReversed()]
  const left = new Set<SizedEvent>()
  let bytes = events.reduce((total, { text }) => total + Buffer.byteLength(text), 0)
  for (const event of leaving) {
    if (bytes <= bytesMax) break
    left.add(event)
    bytes -= Buffer.byteLength(event.text)
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
