import type { CalendarEvent, EventTime } from '../domain/calendar-event.ts'
import type { EventKind } from '../domain/kinds.ts'
import { type PlainDate } from '../domain/plain-date.ts'
import type { TimeFault } from './event-time.ts'

/** A record, or a day of a schedule, that cannot be shown, and why. */
export interface SetAside {
  readonly kind: EventKind
  /** The record's id; for shifts, the schedule's. */
  readonly id: string
  readonly reason:
    | TimeFault
    | 'unknown_status'
    | 'unknown_type'
    | 'unknown_timezone'
    | 'malformed_day'
    | 'missing_schedule'
    | 'inactive_schedule'
    | 'needs_rotation'
    /** Its shape is none that the Read API describes. */
    | 'unreadable'
  /** What was thrown, where the record is unreadable. */
  readonly cause?: unknown
}

/** Events that begin and end together, made only when they are taken: one shift on one date, for everybody who works it. */
export interface EventGroup {
  readonly time: EventTime
  readonly count: number
  events(): readonly CalendarEvent[]
}

/** What a record becomes: one event or several, each a piece of its own, or what is set aside of it. */
export type Piece = CalendarEvent | EventGroup | SetAside

export function isSetAside(piece: object): piece is SetAside {
  return 'reason' in piece
}

export function isGroup(piece: Piece): piece is EventGroup {
  return 'events' in piece
}

/** One date's work by one schedule. */
export interface ShiftDay {
  /** By its number. */
  readonly day: number
  readonly date: PlainDate
  readonly time: EventTime
}

/** Writes the shift of a day. */
export type ShiftWriter = (day: ShiftDay) => CalendarEvent

/** A day by its number, and from when to when it is that day on some clock. */
export interface Day {
  readonly day: number
  readonly start: number
  readonly end: number
}

/** What one user's leaves cover. */
export interface LeaveCover {
  /** Whether the day is wholly covered. */
  covers(day: Day): boolean
  /** Leaves of which that cannot be told. */
  readonly setAside: readonly SetAside[]
}
