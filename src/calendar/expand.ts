import { setImmediate as turn } from 'node:timers/promises'

import type { CalendarEvent, EventTime } from '../domain/calendar-event.ts'
import { AppError } from '../domain/errors.ts'
import { type FeedKind, feedKinds } from '../domain/kinds.ts'
import { dayNumber, type PlainDate } from '../domain/plain-date.ts'
import { dayMs } from '../domain/world.ts'
import { expandAbsences } from './absences.ts'
import {
  type CalendarSource,
  conventionOf,
  type EventGroup,
  type Expansible,
  type ExpansionContext,
  isGroup,
  isSetAside,
  type Piece,
  readOne,
  type SetAside,
  Kept,
} from './expansion.ts'
import { expandInvoices } from './invoices.ts'
import { expandLeaves } from './leaves.ts'
import { inWindow } from './local-time.ts'
import { expandShifts } from './shifts.ts'
import { expandTasks } from './tasks.ts'
import { expandTimesheets } from './timesheets.ts'
import { languages } from './words.ts'

/** A hundred thousand records take a second, so other work gets a turn in between. */
const recordsAtOnce = 1000
/** Fewer than records, since an event may gather many of them. */
const gatheredAtOnce = 100

export interface Expansion {
  /** Events that touch the window, one per UID. */
  readonly agenda: Agenda
  /** Records or days of schedules that cannot be shown. */
  readonly setAside: readonly SetAside[]
}

/** The events of a calendar by start, then UID. Shifts are created only when iterated. */
export interface Agenda {
  readonly aheadCount: number
  readonly behindCount: number
  /** Events that end after the turn, earliest first; with `at`, only those at matching times. */
  ahead(at?: (time: EventTime) => boolean): Iterable<CalendarEvent>
  /** Events that end by the turn, latest first. */
  behind(): Iterable<CalendarEvent>
}

const expanders: Readonly<Record<FeedKind, (context: ExpansionContext) => Expansible>> = {
  leaves: (context) =>
    context.feed.options.leaves.as === 'day' ? expandAbsences(context) : expandLeaves(context),
  shifts: expandShifts,
  timesheets: expandTimesheets,
  tasks: expandTasks,
  invoices: expandInvoices,
}

/**
 * Returns all events of a calendar, including `notices`. Deterministic: it uses no clock and no zone of the process. Fails
 * with `unavailable` if no record of a shown kind can be read, since clients delete what a calendar lacks.
 */
export async function expandCalendar(...of: Parameters<typeof expandInSlices>): Promise<Expansion> {
  const slices = expandInSlices(...of)
  for (;;) {
    const { done, value } = slices.next()
    if (done) return value
    await turn()
  }
}

/** Receives what became of each record: null if it does not belong to the feed. Several records may share an event. */
export type Trace = (
  kind: FeedKind,
  record: { readonly id: string },
  pieces: readonly Piece[] | null,
) => void

export function* expandInSlices(
  source: CalendarSource,
  notices: readonly CalendarEvent[] = [],
  kept = new Kept(),
  trace?: Trace,
): Generator<undefined, Expansion> {
  const { feed, company, window } = source
  const convention = conventionOf(company)
  const context = { ...source, kept, convention, words: languages[feed.locale] }
  const touches = inWindow(window)
  const groups: EventGroup[] = []
  // The last of the events with one UID wins.
  const events = new Map(notices.map((notice) => [notice.uid, notice]))
  const setAside: SetAside[] = []
  const sort = (piece: Piece): void => {
    if (isSetAside(piece)) setAside.push(piece)
    else if (!touches(piece.time)) return
    else if (isGroup(piece)) groups.push(piece)
    else events.set(piece.uid, piece)
  }
  for (const feedKind of feedKinds.filter((it) => feed.options[it].show)) {
    const expander = expanders[feedKind](context)
    const { kind, records, expand, gather, setAside: beside = [] } = expander
    setAside.push(...beside)
    let ofFeed = 0
    const unreadable: SetAside[] = []
    for (const [index, record] of records.entries()) {
      if (index % recordsAtOnce === recordsAtOnce - 1) yield
      const pieces = readOne(kind, record, expand)
      if (!gather) trace?.(feedKind, record, pieces)
      if (!pieces) continue
      ofFeed += 1
      for (const piece of pieces) {
        sort(piece)
        if (isUnreadable(piece)) unreadable.push(piece)
      }
    }
    const [first] = unreadable
    if (first && unreadable.length === ofFeed) {
      throw new AppError('unavailable', `None of the ${kind} records can be read.`, {
        cause: first.cause,
      })
    }
    if (!gather) continue
    const gathered: CalendarEvent[] = []
    for (const event of gather()) {
      gathered.push(event)
      if (gathered.length % gatheredAtOnce === 0) yield
      sort(event)
    }
    if (trace) yield* traceGathered(expander, gathered, (...of) => trace(feedKind, ...of))
  }
  const agenda = createAgenda([...events.values(), ...groups], window.turn)
  // A leave that can neither be shown nor hide shifts counts once.
  const once = new Map(setAside.map((it) => [isUnreadable(it) ? `${it.kind} ${it.id}` : it, it]))
  return { agenda, setAside: [...once.values()] }
}

/** Traces each record: why it was set aside, or the gathered events that count it. */
function* traceGathered(
  { kind, records, expand, counts }: Expansible,
  gathered: readonly CalendarEvent[],
  tell: (record: { readonly id: string }, pieces: readonly Piece[] | null) => void,
): Generator<undefined> {
  for (const [index, record] of records.entries()) {
    if (index % gatheredAtOnce === 0) yield
    const pieces = readOne(kind, record, expand)
    const counting = gathered.filter((event) => counts?.(event, record))
    tell(record, pieces && [...pieces, ...counting])
  }
}

function isUnreadable(piece: Piece): piece is SetAside {
  return isSetAside(piece) && piece.reason === 'unreadable'
}

type Dated = CalendarEvent | EventGroup

export function createAgenda(pieces: readonly Dated[], turnDate: PlainDate): Agenda {
  const instant = Date.parse(turnDate)
  const { behind = [], ahead = [] } = Object.groupBy(pieces, ({ time: { end } }) =>
    (typeof end === 'string' ? end <= turnDate : end <= instant) ? 'behind' : 'ahead',
  )
  return {
    aheadCount: countOf(ahead),
    behindCount: countOf(behind),
    ahead: (at) => inOrder(1, at ? ahead.filter(({ time }) => at(time)) : ahead),
    behind: () => inOrder(-1, behind),
  }
}

function countOf(pieces: readonly Dated[]): number {
  return pieces.reduce((sum, piece) => sum + (isGroup(piece) ? piece.count : 1), 0)
}

/** Lazy, since a team has many more shifts than a calendar shows. */
function* inOrder(sign: 1 | -1, pieces: readonly Dated[]): Iterable<CalendarEvent> {
  const runs = Map.groupBy(pieces, ({ time }) => startOf(time))
  for (const [, run] of [...runs].toSorted(([one], [other]) => sign * (one - other))) {
    const events = run.flatMap((piece) => (isGroup(piece) ? piece.events() : [piece]))
    yield* events.length > 1 ? events.toSorted((a, b) => (a.uid < b.uid ? -sign : sign)) : events
  }
}

/** Orders by start, then UID, so that the input order does not matter. */
export function compareEvents(a: CalendarEvent, b: CalendarEvent): number {
  return startOf(a.time) - startOf(b.time) || (a.uid < b.uid ? -1 : 1)
}

function startOf({ start }: EventTime): number {
  return typeof start === 'string' ? dayNumber(start) * dayMs : start
}
