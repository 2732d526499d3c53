import type { CalendarEvent } from '../domain/calendar-event.ts'
import type { EventKind } from '../domain/kinds.ts'
import type { Maybe } from '../domain/world.ts'
import type { Reading, TimeFault } from './event-time.ts'
import { localTime } from './local-time.ts'
import type { CalendarSource } from './source.ts'
import { isVisible, singleLine } from './text.ts'
import { languages } from './words/languages.ts'
import type { Words } from './words/words.ts'

/** A record that cannot be shown, and why. */
export interface SetAside {
  readonly kind: EventKind
  /** The record's id; of shifts, the schedule's. */
  readonly id: string
  readonly reason: SetAsideReason
}

type SetAsideReason =
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

/** What one record becomes, piece by piece. */
export type Outcome = CalendarEvent | SetAside

export function isSetAside(outcome: object): outcome is SetAside {
  return 'reason' in outcome
}

/** A source with what every expander reads it with. */
export interface Expanding extends CalendarSource {
  readonly reading: Reading
  readonly words: Words
}

export function openExpansion(source: CalendarSource): Expanding {
  const { timezone, dates, endDates } = source.company
  const local = localTime(timezone)
  const reading = { days: dates === 'utc' ? localTime('UTC') : local, local, endDates }
  return { ...source, reading, words: languages[source.feed.locale] }
}

/** What the records become, each on its own; of several with one id the last counts. */
export function expandEach<T extends { readonly id: string }, R>(
  kind: EventKind,
  records: readonly T[],
  expand: (record: T) => readonly R[],
): (R | SetAside)[] {
  const latest = new Map(records.map((record) => [record.id, record]))
  return [...latest.values()].flatMap((record): readonly (R | SetAside)[] => {
    try {
      return expand(record)
    } catch {
      // Wire types are a promise of the Read API's, not of the compiler's: one broken record takes no other with it.
      return [{ kind, id: record.id, reason: 'unreadable' }]
    }
  })
}

/** The person's name; without a record of the person the feed's own name stands in. */
export function personName({ records, feed }: CalendarSource, userId: string): string {
  return fullName(records.users.get(userId)) ?? feed.name
}

/** First and last name, or null where there is nothing to read. */
export function fullName(
  person: Maybe<{ readonly firstName?: Maybe<string>; readonly lastName?: Maybe<string> }>,
): string | null {
  const name = singleLine([person?.firstName, person?.lastName].filter(Boolean).join(' ')).trim()
  return isVisible(name) ? name : null
}
