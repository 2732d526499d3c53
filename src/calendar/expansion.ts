import type { CalendarEvent, EventTime } from '../domain/calendar-event.ts'
import type { Company } from '../domain/company.ts'
import type { Feed } from '../domain/feed.ts'
import type { EventKind, RecordsBySubject } from '../domain/kinds.ts'
import type { Leave } from '../domain/leave.ts'
import type { PlainDate } from '../domain/plain-date.ts'
import type { Maybe } from '../domain/world.ts'
import { isVisible, plainText } from '../text/plain-text.ts'
import type { DayConvention, Span, TimeFault } from './event-time.ts'
import { type CalendarWindow, localTime } from './local-time.ts'
import type { WrittenEvent } from './vevent.ts'
import { statusAliases, type Words } from './words.ts'

export interface CalendarSource {
  readonly feed: Pick<
    Feed,
    'id' | 'companyId' | 'userIds' | 'audience' | 'name' | 'timezone' | 'locale' | 'options'
  >
  readonly company: Company
  readonly window: CalendarWindow
  readonly records: RecordsBySubject
}

export interface ExpansionContext extends CalendarSource {
  readonly kept: Kept
  readonly convention: DayConvention
  readonly words: Words
}

export function conventionOf({
  timezone,
  dates,
  endDates,
}: Pick<Company, 'timezone' | 'dates' | 'endDates'>): DayConvention {
  const local = localTime(timezone)
  return { days: dates === 'utc' ? localTime('UTC') : local, local, endDates }
}

/** What one kind of records adds to a calendar. */
export interface Expansible<T extends { readonly id: string } = { readonly id: string }> {
  readonly kind: EventKind
  readonly records: readonly T[]
  /** Null if the record does not belong to this feed. Throws if the record cannot be read. */
  expand(this: void, record: T): readonly Piece[] | null
  /** Events of several records together, once each has been expanded; made when iterated. */
  gather?(this: void): Iterable<CalendarEvent>
  /** Whether a gathered event counts the record. */
  counts?(this: void, event: CalendarEvent, record: T): boolean
  readonly setAside?: readonly SetAside[]
}

export type Piece = CalendarEvent | EventGroup | SetAside

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
    /** Reading it threw an error: it does not match the Read API's spec. */
    | 'unreadable'
  readonly cause?: unknown
}

/** Events at the same time, created only when iterated: one shift on one date, for everyone who works it. */
export interface EventGroup {
  readonly time: EventTime
  readonly count: number
  events(): readonly CalendarEvent[]
}

export function isSetAside(piece: object): piece is SetAside {
  return 'reason' in piece
}

export function isGroup(piece: Piece): piece is EventGroup {
  return 'events' in piece
}

/** Returns the records of all lists; the last one wins if several have the same id. */
export function latestOf<T extends { readonly id: string }>(
  lists: Iterable<readonly T[]>,
): readonly T[] {
  return [...new Map([...lists].flat().map((record) => [record.id, record])).values()]
}

/** Reads a record; sets only this one aside if reading it throws. */
export function readOne<T extends { readonly id: string }, R>(
  kind: EventKind,
  record: T,
  read: (record: T) => R,
): R | readonly [SetAside] {
  try {
    return read(record)
  } catch (cause) {
    // The Read API promises the types of records; the compiler cannot check them.
    return [{ kind, id: record.id, reason: 'unreadable', cause }]
  }
}

/** Returns the name from Get user; null without a record. */
export function knownName({ records }: CalendarSource, userId: string): string | null {
  return fullName(records.user.get(userId)?.[0])
}

export function fullName(
  person: Maybe<{ readonly firstName?: Maybe<string>; readonly lastName?: Maybe<string> }>,
): string | null {
  const name = [person?.firstName, person?.lastName].filter(Boolean).join(' ')
  const line = plainText(name, ' ').trim()
  return isVisible(line) ? line : null
}

/**
 * Returns a status in words: translated if it is known (`IN_PROGRESS`, `inProgress`), else as a person would write it.
 * `WAITING_FOR_QA` becomes "Waiting for qa"; text written by a person stays.
 */
export function statusName(status: string, { statuses }: Words): string {
  const text = plainText(status, ' ')
  const key = text
    .trim()
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .replaceAll(/[\s_-]+/g, '_')
    .toUpperCase()
  const known = statuses[statusAliases[key] ?? key]
  if (known !== undefined) return known
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

/** Estimated memory of a leave with its record or of a shift of which it takes a part, and of a written event per octet of its text. */
const bytesOfLeave = 1000
const bytesOfOctet = 4
/** Of a day of leave. */
const bytesOfDay = 100
/** More than any calendar holds. */
const writtenMax = 5000

export interface ShiftDay {
  readonly day: number
  readonly date: PlainDate
  readonly time: Span
}

/** A person's approved leave, as far as it concerns shifts. */
export interface LeaveCover {
  /** Whether leaves cover the whole day, which begins and ends at these instants. */
  covers(day: number, start: number, end: number): boolean
  /** How much of a day is taken, by day number; null if several leaves take parts of it. */
  readonly parts: ReadonlyMap<number, number | null>
  /** Leaves with times of day, in order; those that meet are one. */
  readonly hours: readonly Span[]
  readonly setAside: readonly SetAside[]
}

/** The days, by number, that one leave takes at least in part. */
export interface LeaveDays {
  readonly first: number
  /** Exclusive. */
  readonly end: number
  readonly isPending: boolean
  /** At most 1. */
  readonly partOf: (day: number) => number
}

/** How much of a day a person is away: at most 1, and how much of it is approved. */
export interface Away {
  readonly part: number
  readonly approved: number
}

/** A person of a calendar, as days of absence name them. */
export interface Member {
  readonly userId: string
  readonly name: string
}

/** Parts of a calendar by name. A part is reused if it would be created from the very same objects. */
class Parts<T> {
  readonly #parts = new Map<string, { readonly from: readonly unknown[]; readonly made: T }>()

  part(name: string, from: readonly unknown[], make: () => T): T {
    const before = this.#parts.get(name)
    const isSame = before?.from.length === from.length
    if (isSame && before.from.every((it, index) => it === from[index])) return before.made
    const made = make()
    this.#parts.set(name, { from, made })
    return made
  }

  values(): Iterable<T> {
    return this.#parts.values().map(({ made }) => made)
  }
}

/**
 * Parts of a calendar to reuse next time. It belongs to one feed with its options, one company and one window, since every
 * part depends on them. Records never change: a changed record is another object.
 */
export class Kept {
  readonly leaves = new Parts<Map<Leave, readonly Piece[]>>()
  readonly leaveDays = new Parts<Map<Leave, LeaveDays>>()
  readonly daysAway = new Parts<ReadonlyMap<number, Away>>()
  readonly team = new Parts<readonly Member[]>()
  readonly workdays = new Parts<ReadonlySet<number> | null>()
  readonly absences = new Parts<CalendarEvent>()
  readonly covers = new Parts<LeaveCover>()
  readonly days = new Parts<readonly ShiftDay[]>()
  readonly shifts = new Parts<(day: ShiftDay) => CalendarEvent>()
  readonly changedShifts = new Parts<ReadonlyMap<ShiftDay, EventGroup | null>>()
  readonly #written = new Map<CalendarEvent, WrittenEvent>()

  get bytes(): number {
    let bytes = 0
    for (const { size } of this.leaves.values()) bytes += bytesOfLeave * (1 + size)
    for (const { size } of this.leaveDays.values()) bytes += bytesOfLeave * (1 + size)
    for (const { size } of this.daysAway.values()) bytes += bytesOfDay * size
    for (const { size } of this.changedShifts.values()) bytes += bytesOfLeave * size
    for (const { octets } of this.#written.values()) bytes += bytesOfOctet * octets
    return bytes
  }

  findWritten(event: CalendarEvent): WrittenEvent | undefined {
    return this.#written.get(event)
  }

  keepWritten(written: WrittenEvent): void {
    if (this.#written.size >= writtenMax) this.#written.clear()
    this.#written.set(written.event, written)
  }
}
