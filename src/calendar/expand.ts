import type { CalendarEvent, EventTime } from '../domain/calendar-event.ts'
import { type FeedKind, feedKinds } from '../domain/kinds.ts'
import { dayNumber, type PlainDate } from '../domain/plain-date.ts'
import {
  type EventGroup,
  type Expander,
  type ExpansionContext,
  isGroup,
  isSetAside,
  isUnreadable,
  openExpansion,
  type Piece,
  type SetAside,
} from './expansion.ts'
import { expandInvoices } from './invoice-events.ts'
import type { Kept } from './kept.ts'
import { expandLeaves } from './leave-events.ts'
import { inWindow, localTime } from './local-time.ts'
import { expandShifts } from './shift-events.ts'
import type { CalendarSource } from './source.ts'
import { expandTasks } from './task-events.ts'
import { expandTimesheets } from './timesheet-events.ts'

export type { SetAside } from './expansion.ts'

const dayMs = 86_400_000
/** Records and pieces that are expanded, or events that are written, in one step: few enough that it takes about a millisecond. */
const atOnce = 16

/** A long work: whoever takes its steps may do something else between any two of them. */
export type Steps<T> = Generator<undefined, T>

/** What records become. */
export interface Expansion {
  /** Those that touch the window; no UID comes twice. */
  readonly agenda: Agenda
  /** Records, or days of schedules, that cannot be shown: each counts for itself and takes no other with it. */
  readonly setAside: readonly SetAside[]
}

/** The events of a calendar in their order: by start, then UID. Shifts are made as they are taken. */
export interface Agenda {
  readonly aheadCount: number
  readonly behindCount: number
  /** All that end after the turn, the earliest first; where such times are asked for, those alone are even made. */
  ahead(at?: (time: EventTime) => boolean): Iterable<CalendarEvent>
  /** All that end before it, the latest first. */
  behind(): Iterable<CalendarEvent>
}

const expanders: Readonly<Record<FeedKind, Expander>> = {
  leaves: expandLeaves,
  shifts: expandShifts,
  timesheets: expandTimesheets,
  tasks: expandTasks,
  invoices: expandInvoices,
}

/**
 * All events of a calendar, with `notices` among them. The same records, options and window give the same events: it
 * knows no clock and no zone of the process. Throws `unavailable` where a kind that is shown has records of which none
 * can be read.
 */
export function* expandCalendar(
  source: CalendarSource,
  notices: readonly CalendarEvent[] = [],
  kept?: Kept,
): Steps<Expansion> {
  const touches = inWindow(source.window, localTime(source.window.timezone))
  const groups: EventGroup[] = []
  // Of events with one UID the last.
  const events = new Map(notices.map((notice) => [notice.uid, notice]))
  const setAside: SetAside[] = []
  const sort = (piece: Piece): void => {
    if (isSetAside(piece)) return void setAside.push(piece)
    if (!touches(piece.time)) return
    if (isGroup(piece)) groups.push(piece)
    else events.set(piece.uid, piece)
  }
  let made = 0
  for (const pieces of expandAll(openExpansion(source, kept))) {
    for (const piece of pieces) sort(piece)
    made += 1 + pieces.length
    if (made < atOnce) continue
    made = 0
    yield
  }
  const agenda = createAgenda([...events.values(), ...groups], source.window.turn)
  return { agenda, setAside: toldOnce(setAside) }
}

function* expandAll(context: ExpansionContext): Iterable<readonly Piece[]> {
  const shown = feedKinds.filter((kind) => context.feed.options[kind].show)
  for (const kind of shown) yield* expanders[kind](context)
}

type Dated = CalendarEvent | EventGroup

/** These events and those of these groups, parted at the turn. */
export function createAgenda(pieces: readonly Dated[], turn: PlainDate): Agenda {
  const isPast = endsBy(turn)
  const [ahead, behind] = [new Runs(), new Runs()]
  for (const piece of pieces) (isPast(piece.time) ? behind : ahead).add(piece)
  return {
    aheadCount: ahead.count,
    behindCount: behind.count,
    ahead: (at = () => true) => ahead.inOrder(1, at),
    behind: () => behind.inOrder(-1, () => true),
  }
}

/** What starts at the same time is one run, made together when its turn comes. */
class Runs {
  readonly #pieces = new Map<number, Dated[]>()
  /** Of events. */
  count = 0

  add(piece: Dated): void {
    const start = startOf(piece.time)
    const run = this.#pieces.get(start)
    if (run) run.push(piece)
    else this.#pieces.set(start, [piece])
    this.count += isGroup(piece) ? piece.count : 1
  }

  *inOrder(sign: 1 | -1, at: (time: EventTime) => boolean): Iterable<CalendarEvent> {
    const byUid = (a: CalendarEvent, b: CalendarEvent): number => (a.uid < b.uid ? -sign : sign)
    for (const [, run] of [...this.#pieces].toSorted(([one], [other]) => sign * (one - other))) {
      const events: CalendarEvent[] = []
      for (const piece of run) {
        if (!at(piece.time)) continue
        if (isGroup(piece)) events.push(...piece.events())
        else events.push(piece)
      }
      yield* events.length > 1 ? events.toSorted(byUid) : events
    }
  }
}

/** What was made of the events of an agenda, in their order, and how many were left. */
export interface Taken<T> {
  readonly taken: readonly T[]
  readonly leftBehind: number
  readonly leftAhead: number
}

/** Takes events from the turn on forward, then backward, until `take` gives null: there is no room for that one. */
export function* takeFrom<T extends { readonly event: CalendarEvent }>(
  agenda: Agenda,
  take: (event: CalendarEvent) => T | null,
): Steps<Taken<T>> {
  const ahead = yield* takeEach(agenda.ahead(), take)
  const leftAhead = agenda.aheadCount - ahead.length
  const behind = leftAhead > 0 ? [] : yield* takeEach(agenda.behind(), take)
  const taken = [...behind.toReversed(), ...ahead]
  const [[last], [first]] = [behind, ahead]
  const areApart = !last || !first || compareEvents(last.event, first.event) < 0
  if (!areApart) taken.sort((a, b) => compareEvents(a.event, b.event))
  return { taken, leftBehind: agenda.behindCount - behind.length, leftAhead }
}

function* takeEach<T>(
  events: Iterable<CalendarEvent>,
  take: (event: CalendarEvent) => T | null,
): Steps<readonly T[]> {
  const taken: T[] = []
  for (const event of events) {
    const it = take(event)
    if (it === null) break
    taken.push(it)
    if (taken.length % atOnce === 0) yield
  }
  return taken
}

/** By start, then UID: the same order whatever order they came in. */
function compareEvents(a: CalendarEvent, b: CalendarEvent): number {
  return startOf(a.time) - startOf(b.time) || (a.uid < b.uid ? -1 : 1)
}

/** Whole days start at midnight UTC of their date. */
function startOf({ start }: EventTime): number {
  return typeof start === 'string' ? dayNumber(start) * dayMs : start
}

function endsBy(turn: PlainDate): (time: EventTime) => boolean {
  const instant = Date.parse(turn)
  return ({ end }) => (typeof end === 'string' ? end <= turn : end <= instant)
}

/** A leave that can neither be shown nor hide shifts counts for one. */
function toldOnce(setAside: readonly SetAside[]): SetAside[] {
  const unreadable = setAside.filter(isUnreadable)
  return [
    ...setAside.filter((it) => !isUnreadable(it)),
    ...new Map(unreadable.map((it) => [`${it.kind} ${it.id}`, it])).values(),
  ]
}
