import type { CalendarEvent, EventTime } from '../domain/calendar-event.ts'
import { AppError } from '../domain/errors.ts'
import type { EventKind } from '../domain/kinds.ts'
import type { Maybe } from '../domain/world.ts'
import { isVisible, singleLine } from '../text/plain-text.ts'
import type { DayConvention, TimeFault } from './event-time.ts'
import type { Kept } from './kept.ts'
import { localTime } from './local-time.ts'
import type { CalendarSource } from './source.ts'
import { languages } from './words/languages.ts'
import type { Words } from './words/words.ts'

/** What programs write: capitals, and marks between words in place of spaces. */
const code = /^[\p{Lu}\p{N}_-]+$/u

/** Of records, in one step. */
const recordsAtOnce = 1_000
const nothing: readonly Piece[] = []

/** A record, or a day of a schedule, that cannot be shown, and why. */
export interface SetAside {
  readonly kind: EventKind
  /** The record's id; of shifts, the schedule's. */
  readonly id: string
  readonly reason: SetAsideReason
  /** What was thrown, where the record is unreadable. */
  readonly cause?: unknown
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

/** Events that begin and end together, made when they are asked for: one shift on one date, for each who works it. */
export interface EventGroup {
  readonly time: EventTime
  readonly count: number
  events(): readonly CalendarEvent[]
}

/** What a record becomes: one event or several, each a piece of its own, or what is set aside of it. */
export type Piece = CalendarEvent | EventGroup | SetAside

/**
 * What all records of one kind become, step by step, so that many do not keep others waiting; only asked where the feed
 * shows the kind. Throws `unavailable` where none can be read.
 */
export type Expander = (context: ExpansionContext) => Iterable<readonly Piece[]>

/** A source with what every expander reads it with. */
export interface ExpansionContext extends CalendarSource {
  readonly kept: Kept | undefined
  readonly convention: DayConvention
  readonly words: Words
}

/** The source with its company's clocks and its feed's language. */
export function openExpansion(source: CalendarSource, kept?: Kept): ExpansionContext {
  const { timezone, dates, endDates } = source.company
  const local = localTime(timezone)
  const convention = { days: dates === 'utc' ? localTime('UTC') : local, local, endDates }
  return { ...source, kept, convention, words: languages[source.feed.locale] }
}

/**
 * What the records of a kind become, one after the other: null for one that concerns nobody in the feed. One that
 * cannot be read takes no other with it. Throws `unavailable` where none of the feed's can be read, since clients delete
 * what a calendar does not hold.
 */
export function* expandEach<T extends { readonly id: string }>(
  kind: EventKind,
  records: readonly T[],
  expand: (record: T) => readonly Piece[] | null,
): Iterable<readonly Piece[]> {
  let ofFeed = 0
  const unreadable: SetAside[] = []
  for (const record of records) {
    const pieces = readOne(kind, record, expand)
    if (pieces) ofFeed += 1
    unreadable.push(...(pieces ?? []).filter(isUnreadable))
    yield pieces ?? []
  }
  const [first] = unreadable
  if (first && unreadable.length === ofFeed) {
    throw new AppError('unavailable', `None of the ${kind} records can be read.`, {
      cause: first.cause,
    })
  }
}

/** What is read of each record on its own; one whose reading throws is set aside with the cause. With steps in which nothing comes. */
export function* readEach<T extends { readonly id: string }, R>(
  kind: EventKind,
  records: readonly T[],
  read: (record: T) => readonly R[],
): Generator<readonly Piece[], readonly (R | SetAside)[]> {
  const all: (R | SetAside)[] = []
  for (const [index, record] of records.entries()) {
    all.push(...(readOne(kind, record, read) ?? []))
    if ((index + 1) % recordsAtOnce === 0) yield nothing
  }
  return all
}

function readOne<T extends { readonly id: string }, R>(
  kind: EventKind,
  record: T,
  read: (record: T) => readonly R[] | null,
): readonly (R | SetAside)[] | null {
  try {
    return read(record)
  } catch (cause) {
    // Wire types are a promise of the Read API's, not of the compiler's.
    return [{ kind, id: record.id, reason: 'unreadable', cause }]
  }
}

/** The records of all lists, of several with one id the last; with steps in which nothing comes, since there may be many. */
export function* latestOf<T extends { readonly id: string }>(
  lists: Iterable<readonly T[]>,
): Generator<readonly Piece[], readonly T[]> {
  const latest = new Map<string, T>()
  for (const list of lists) {
    for (const [index, record] of list.entries()) {
      latest.set(record.id, record)
      if ((index + 1) % recordsAtOnce === 0) yield nothing
    }
  }
  return [...latest.values()]
}

/** Whether it tells of something that cannot be shown. */
export function isSetAside(piece: object): piece is SetAside {
  return 'reason' in piece
}

/** Whether it stands for events that are still to be made. */
export function isGroup(piece: Piece): piece is EventGroup {
  return 'events' in piece
}

/** Whether something was thrown where it was read. */
export function isUnreadable(piece: Piece): piece is SetAside {
  return isSetAside(piece) && piece.reason === 'unreadable'
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
  const key = keyOf(text)
  const known = Object.entries(statuses).find(([it]) => it === key)?.[1]
  if (known !== undefined) return known
  const spaced = code.test(text)
    ? text.toLowerCase().replaceAll(/[_-]+/g, ' ')
    : text.replaceAll('_', ' ')
  return capitalized(spaced.trim())
}

/** `IN_PROGRESS` of "in progress", "In-Progress" and `inProgress`. */
function keyOf(text: string): string {
  return text
    .trim()
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .replaceAll(/[\s_-]+/g, '_')
    .toUpperCase()
}

function capitalized(text: string): string {
  const [first = ''] = text
  return first.toUpperCase() + text.slice(first.length)
}
