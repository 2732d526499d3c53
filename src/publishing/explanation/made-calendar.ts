/* The calendar of one link as it would be served now, with what each record became in it. */
import { expandCalendar, type Trace } from '../../calendar/expand.ts'
import { isGroup, isSetAside, type Piece } from '../../calendar/expansion.ts'
import { type CalendarWindow, calendarWindow } from '../../calendar/local-time.ts'
import { linkEndsNotice } from '../../calendar/notices.ts'
import { renderCalendar } from '../../calendar/render.ts'
import type { CollectionState } from '../../copies/failures.ts'
import { feedRequests, loadRecords } from '../../copies/feed-collections.ts'
import type { CollectionRequest } from '../../copies/kinds.ts'
import type { Source } from '../../copies/source.ts'
import type { CalendarEvent, EventTime } from '../../domain/calendar-event.ts'
import type { CopyHead, CopyStore } from '../../domain/copy.ts'
import { asAppError } from '../../domain/errors.ts'
import type { Feed } from '../../domain/feed.ts'
import type { FeedKind, RecordsBySubject } from '../../domain/kinds.ts'
import type { LeaveClaim } from '../../domain/leave.ts'
import type { LedgerStore } from '../../domain/ledger.ts'
import { certainEnd, type FeedLink, type LinkStore } from '../../domain/link.ts'
import type { Clock } from '../../domain/world.ts'
import type { Departures } from '../../people/departures.ts'
import { withKnownSchedules } from '../known-schedules.ts'
import { Revisions } from '../ledger.ts'
import { refuseClosed } from '../open-link.ts'
import { serviceability } from '../serviceability.ts'
import type { Reason, Unproven } from './reasons.ts'

export interface MakingDeps {
  readonly copies: CopyStore
  readonly clock: Clock
  readonly staleMs: number
  /** Null for a draft, which has no link and is not stored. */
  readonly served: {
    readonly departures: Pick<Departures, 'present'>
    readonly ledgers: Pick<LedgerStore, 'findLedger'>
    readonly links: Pick<LinkStore, 'findByTokenHash'>
  } | null
}

/** A feed as a link shows it; without a link, as it is set. */
export interface View {
  readonly feed: Feed
  readonly link: FeedLink | null
  /** Of this and other links that show the same. */
  readonly labels: readonly string[]
}

/** What a poll of the link would find. */
export interface Situation extends View {
  /** People of the feed who have left. */
  readonly departed: readonly string[]
  readonly states: readonly CollectionState[]
  /** Leaves that come for these people but belong to others. */
  readonly disputed: readonly LeaveClaim[]
  readonly window: CalendarWindow
  /** Null while nothing can be served. */
  readonly served: {
    readonly heads: readonly CopyHead[]
    readonly leavesMissing: Unproven | null
  } | null
  /** Why nothing is served. */
  readonly nothing: Reason | null
}

export interface TracedCalendar extends Situation {
  readonly records: RecordsBySubject | null
  /** By kind and id; null if the record belongs to the feed in no copy. */
  readonly became: ReadonlyMap<string, readonly Piece[] | null>
  /** Schedules that the feed names and the Read API does not have. */
  readonly missingSchedules: readonly string[]
  readonly shown: ReadonlySet<string>
  readonly shownFrom: ReadonlySet<EventTime['start']>
}

export function traceKey(kind: FeedKind, id: string): string {
  return `${kind} ${id}`
}

export function nothingOf(view: View, window: CalendarWindow, nothing: Reason): Situation {
  return { ...view, window, nothing, departed: [], states: [], disputed: [], served: null }
}

/**
 * Refreshes copies as a poll would, since otherwise it would explain another calendar than the one that is served; stores
 * nothing about feed or link.
 */
export async function situationOf(
  deps: MakingDeps,
  source: Source,
  { feed: opened, link, labels }: View,
): Promise<Situation> {
  const { copies, clock, staleMs, served: ofLink } = deps
  const { company } = source.connection
  const requestsOf = (feed: Feed): readonly CollectionRequest[] =>
    feedRequests(feed, company).map((it) => (ofLink ? it : { ...it, ofDraft: true }))
  const found = async () => {
    const standing = await source.standing(requestsOf(opened))
    const { left } = standing
    const feed = ofLink && left.length > 0 ? await ofLink.departures.present(opened, left) : opened
    const { states, proof } = await source.current(requestsOf(feed), standing)
    const isRefreshed = states.some(({ refreshed }) => refreshed)
    if (ofLink && link && isRefreshed) await refuseClosed(ofLink, link)
    const { unsettled } = isRefreshed ? await source.standing(requestsOf(feed)) : standing
    const disputed = unsettled.filter((it) => !it.isOwner && it.absentSince === null)
    const departed = opened.userIds.filter((id) => !feed.userIds.includes(id))
    return { feed, link, labels, departed, states, disputed, proof }
  }
  const current = await found().catch((error: unknown) => {
    if (asAppError(error)?.code !== 'gone') throw error
    return null
  })
  const window = calendarWindow(clock.now(), opened.timezone, opened.options.window)
  if (!current) {
    return nothingOf({ feed: opened, link, labels }, window, {
      code: 'feed_closed',
      at: clock.now(),
    })
  }
  const { proof, ...situation } = current
  try {
    const shown = await withKnownSchedules(copies, null, source, current.feed, current.states)
    const wasServed = link !== null && link.publication !== null
    const now = clock.now()
    const served = serviceability({ ...shown, wasServed, proof, now, staleMs })
    const isMisnamed = shown.states.some(({ misnamed }) => misnamed)
    const leavesMissing =
      served.leavesMissing === 'unproven' && isMisnamed ? 'misnamed' : served.leavesMissing
    return {
      ...situation,
      ...shown,
      window,
      served: { heads: served.heads, leavesMissing },
      nothing: null,
    }
  } catch (error) {
    return { ...situation, window, served: null, nothing: unavailable(error) }
  }
}

/** The calendar as far as it can be served; undefined if a copy has changed. */
export async function traceCalendar(
  { copies, clock, served: ofLink }: MakingDeps,
  source: Source,
  situation: Situation,
): Promise<TracedCalendar | undefined> {
  const { feed, link, window, served } = situation
  const became = new Map<string, readonly Piece[] | null>()
  const none = {
    records: null,
    became,
    missingSchedules: [],
    shown: new Set<string>(),
    shownFrom: new Set<EventTime['start']>(),
  }
  if (!served) return { ...situation, ...none }
  const ledger = ofLink && link ? await ofLink.ledgers.findLedger(link) : null
  const { id, company } = source.connection
  const records = await loadRecords({ copies, userIds: feed.userIds }, id, served.heads)
  if (!records) return undefined
  const endsAt = link && certainEnd(link)
  const notices = link && endsAt !== null ? [linkEndsNotice(feed, link.label, endsAt)] : []
  const trace: Trace = (kind, record, pieces) => {
    const key = traceKey(kind, record.id)
    const before = became.get(key)
    became.set(key, pieces && before ? [...before, ...pieces] : (pieces ?? before ?? null))
  }
  try {
    const calendar = { feed, company, window, records }
    const { agenda, setAside } = await expandCalendar(calendar, notices, undefined, trace)
    const revisions = ledger && new Revisions(ledger, clock.now())
    const revise: Revisions['of'] = (event) => revisions?.of(event) ?? neverChanged
    const { events } = renderCalendar({ ...feed, description: null, agenda, revise })
    const missing = setAside.filter(({ reason }) => reason === 'missing_schedule')
    return {
      ...situation,
      records,
      became,
      missingSchedules: missing.map((it) => it.id),
      shown: new Set(events.map(({ uid }) => uid)),
      shownFrom: new Set(events.map(({ event }) => event.time.start)),
    }
  } catch (error) {
    return { ...situation, ...none, nothing: unavailable(error) }
  }
}

const neverChanged = { sequence: 0, changedAt: 0 }

/** The UIDs of those events of these pieces that the calendar has. */
export function shownAmong(
  pieces: readonly Piece[],
  { shown, shownFrom }: TracedCalendar,
): readonly string[] {
  // In a large calendar, most shifts are never made.
  const near = pieces.filter((piece) => !isSetAside(piece) && shownFrom.has(piece.time.start))
  const events = near.flatMap((piece): readonly CalendarEvent[] => {
    if (isSetAside(piece)) return []
    return isGroup(piece) ? piece.events() : [piece]
  })
  return [...new Set(events.map(({ uid }) => uid).filter((uid) => shown.has(uid)))]
}

function unavailable(error: unknown): Reason {
  const fault = asAppError(error)
  if (fault?.code !== 'unavailable') throw error
  return { code: 'unavailable', message: fault.message }
}
