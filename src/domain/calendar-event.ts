import type { EventKind } from './kinds.ts'
import type { PlainDate } from './plain-date.ts'
import type { Instant } from './world.ts'

/** What one VEVENT says, without its revision. Texts are cleaned and cut. */
export interface CalendarEvent {
  /** Names the thing, not its time: stays when the thing moves. */
  readonly uid: string
  readonly kind: EventKind
  readonly time: EventTime
  readonly title: string
  readonly description: string | null
  readonly status: 'CONFIRMED' | 'TENTATIVE'
  /** Decides TRANSP (RFC 5545) and Microsoft's busy status. */
  readonly busy: 'FREE' | 'BUSY' | 'TENTATIVE' | 'OOF'
  readonly categories: readonly string[]
  /** A CSS colour name (RFC 7986 section 5.9). */
  readonly color: string | null
  /** RFC 5545 section 3.8.1.9: 1 is the highest. */
  readonly priority: number | null
  readonly url: string | null
  readonly reminderMinutes: number | null
}

/** The end is exclusive in both forms, and always after the start. */
export type EventTime =
  | { readonly allDay: true; readonly start: PlainDate; readonly end: PlainDate }
  | { readonly allDay: false; readonly start: Instant; readonly end: Instant }

/** RFC 5545 SEQUENCE, and when this feed last showed the event differently. */
export interface Revision {
  readonly sequence: number
  readonly changedAt: Instant
}
