import type { Company } from '../domain/company.ts'
import type { Feed } from '../domain/feed.ts'
import type { EventKind, RecordsBySubject } from '../domain/kinds.ts'
import type { Maybe } from '../domain/world.ts'
import { isVisible, singleLine } from '../text/plain-text.ts'
import type { DayConvention } from './event-time.ts'
import type { Kept } from './kept.ts'
import type { CalendarWindow } from './local-time.ts'
import { type SetAside, type Piece } from './pieces.ts'
import type { Words } from './words.ts'

/** Everything that a calendar is made of. */
export interface CalendarSource {
  readonly feed: Pick<
    Feed,
    'companyId' | 'userIds' | 'audience' | 'name' | 'timezone' | 'locale' | 'options'
  >
  readonly company: Company
  readonly window: CalendarWindow
  /** A subject without an entry has none to show. */
  readonly records: RecordsBySubject
}

/** A source with what every expander reads it with. */
export interface ExpansionContext extends CalendarSource {
  readonly kept: Kept | undefined
  readonly convention: DayConvention
  readonly words: Words
}

/** What one kind of records adds to a calendar. */
export interface Expansible<T extends { readonly id: string } = { readonly id: string }> {
  readonly kind: EventKind
  readonly records: readonly T[]
  /** What the record becomes; null if it does not belong to this feed. May throw for a record that cannot be read. */
  expand(this: void, record: T): readonly Piece[] | null
  /** Told beside the records. */
  readonly setAside?: readonly SetAside[]
}

/** The records of all lists; of several with one id the last. */
export function latestOf<T extends { readonly id: string }>(
  lists: Iterable<readonly T[]>,
): readonly T[] {
  const latest = new Map<string, T>()
  for (const list of lists) for (const record of list) latest.set(record.id, record)
  return [...latest.values()]
}

/** Reads one record; if that throws, the record is set aside, and no other with it. */
export function readOne<T extends { readonly id: string }, R>(
  kind: EventKind,
  record: T,
  read: (record: T) => R,
): R | readonly [SetAside] {
  try {
    return read(record)
  } catch (cause) {
    // Wire types are a promise of the Read API's, not of the compiler's.
    return [{ kind, id: record.id, reason: 'unreadable', cause }]
  }
}

/** The person's name as Get user has it; without one the feed's own name stands in. */
export function personName(context: CalendarSource, userId: string): string {
  return knownName(context, userId) ?? context.feed.name
}

/** The name of a person whose record is there; null without one. */
export function knownName({ records }: CalendarSource, userId: string): string | null {
  return fullName(records.user.get(userId)?.[0])
}

/** First and last name, or null where there is nothing to read. */
export function fullName(
  person: Maybe<{ readonly firstName?: Maybe<string>; readonly lastName?: Maybe<string> }>,
): string | null {
  const name = singleLine([person?.firstName, person?.lastName].filter(Boolean).join(' ')).trim()
  return isVisible(name) ? name : null
}

/**
 * A status in words: those of the language where it is known, however it is spelled (`IN_PROGRESS`, `inProgress`), else
 * as a person would write it: `WAITING_FOR_QA` is "Waiting for qa". What a person has written stays.
 */
export function statusName(status: string, { statuses }: Words): string {
  const text = singleLine(status)
  // `IN_PROGRESS` for "in progress", "In-Progress" and `inProgress`.
  const key = text
    .trim()
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .replaceAll(/[\s_-]+/g, '_')
    .toUpperCase()
  const known = Object.entries(statuses).find(([it]) => it === key)?.[1]
  if (known !== undefined) return known
  // Programs write capitals, and marks between words in place of spaces.
  const isCode = /^[\p{Lu}\p{N}_-]+$/u.test(text)
  const spaced = isCode
    ? text.toLowerCase().replaceAll(/[_-]+/g, ' ').trim()
    : text.replaceAll('_', ' ').trim()
  const [first = ''] = spaced
  return first.toUpperCase() + spaced.slice(first.length)
}

export function isNumber(value: Maybe<number>): value is number {
  return Number.isFinite(value)
}
