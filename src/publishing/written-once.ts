/** Calendars without a ledger: exports, previews and ended calendars. */
import { type Absences, listAbsences } from '../calendar/absences.ts'
import { createAgenda, expandCalendar, type Expansion } from '../calendar/expand.ts'
import { calendarWindow, type CalendarWindow } from '../calendar/local-time.ts'
import { endedNotice } from '../calendar/notices.ts'
import { renderCalendar } from '../calendar/render.ts'
import type { WrittenEvent } from '../calendar/vevent.ts'
import type { CollectionState } from '../copies/failures.ts'
import { feedRequests, loadRecords } from '../copies/feed-collections.ts'
import type { CollectionRequest } from '../copies/kinds.ts'
import type { Source } from '../copies/source.ts'
import type { CopyStore } from '../domain/copy.ts'
import { AppError, asAppError } from '../domain/errors.ts'
import type { Feed } from '../domain/feed.ts'
import type { RecordsBySubject } from '../domain/kinds.ts'
import type { Clock, Instant } from '../domain/world.ts'
import { type FeedCondition, feedConditions } from './feed-condition.ts'
import { type FirstDays, summaryOf } from './first-days.ts'
import { withKnownSchedules } from './known-schedules.ts'
import { type EndedLink, sourceOf } from './open-link.ts'
import {
  type CalendarForm,
  calendarJson,
  type PublishedCalendar,
  published,
  weakTag,
} from './publication.ts'
import { serviceability, type Serviceability } from './serviceability.ts'

export interface ExportDeps {
  /** By company. */
  readonly sources: ReadonlyMap<string, Source>
  readonly copies: CopyStore
  readonly clock: Clock
  readonly staleMs: number
}

/** Nothing that `work` reads is stored. */
export type Exporting = <T>(work: (deps: ExportDeps) => Promise<T>) => Promise<T>

/** The calendar of a draft, and why leave is missing, if it is. `unavailable` as for a feed. */
export async function exportCalendar(
  deps: ExportDeps,
  draft: Feed,
): Promise<{ readonly text: string } & Pick<Serviceability, 'leavesMissing'>> {
  const source = sourceOf(deps, draft)
  const requests = draftRequests(draft, source)
  const { text, serviceability: served } = await writeOnce(deps, source, draft, requests)
  return { text, leavesMissing: served.leavesMissing }
}

function draftRequests(draft: Feed, { connection }: Source): readonly CollectionRequest[] {
  return feedRequests(draft, connection.company).map((it) => ({ ...it, ofDraft: true }))
}

export interface PreviewedCalendar {
  /** null while nothing can be served. */
  readonly text: string | null
  readonly conditions: readonly FeedCondition[]
  readonly firstDays?: FirstDays | undefined
}

/** `isDraft`: the feed is not stored, so that nobody needs to be in it. */
export async function previewCalendar(
  deps: ExportDeps,
  feed: Feed,
  { isDraft = false } = {},
): Promise<PreviewedCalendar> {
  const source = sourceOf(deps, feed)
  const open = { link: { endsAt: null, awaitsPoll: false }, feed, source }
  try {
    const requests = isDraft
      ? draftRequests(feed, source)
      : feedRequests(feed, source.connection.company)
    const { text, expansion, ...made } = await writeOnce(deps, source, feed, requests)
    const { setAside, firstDays } = summaryOf(expansion, made.at, feed.timezone)
    return { text, conditions: feedConditions(open, { ...made, source }, setAside), firstDays }
  } catch (error) {
    if (!asAppError(error)) throw error
    return { text: null, conditions: feedConditions(open, null, []) }
  }
}

/** The calendar as `.json`, without those who have left. `unavailable` as for a feed, `conflict` if it has ended. */
export async function previewJson(deps: ExportDeps, feed: Feed): Promise<string> {
  if (feed.revokedAt !== null || feed.closedAt !== null) {
    throw new AppError('conflict', `The feed ${feed.id} has ended.`)
  }
  const source = sourceOf(deps, feed)
  const { company } = source.connection
  const { left } = await source.standing(feedRequests(feed, company))
  const present = { ...feed, userIds: feed.userIds.filter((id) => !left.includes(id)) }
  const written = await writeOnce(deps, source, present, feedRequests(present, company))
  return calendarJson(written.feed, written.events)
}

export type FeedAbsences = Absences & Pick<Serviceability, 'leavesMissing'>

/**
 * Who is away on each day of the calendar, without those who have left. People with leave that cannot be read are told apart, unless
 * they are all: then `unavailable`, as for a feed.
 */
export async function readAbsences(deps: ExportDeps, feed: Feed): Promise<FeedAbsences> {
  const source = sourceOf(deps, feed)
  const { company } = source.connection
  const requestsOf = (of: Feed): readonly CollectionRequest[] =>
    feedRequests(of, company).map((request) => ({ ...request, ofDraft: true }))
  const { left } = await source.standing(requestsOf(feed))
  const present = { ...feed, userIds: feed.userIds.filter((id) => !left.includes(id)) }
  const { states } = await source.current(requestsOf(present))
  const ofLeaves = states.filter(({ request }) => request.collection.kind === 'leaves')
  const unread = ofLeaves.filter(({ head }) => !head)
  const served =
    unread.length < ofLeaves.length ? states.filter((state) => !unread.includes(state)) : states
  const requests = served.map(({ request }) => request)
  const { serviceability: able, ...once } = await readOnce(deps, source, present, requests)
  return { ...listAbsences({ ...once, company }), leavesMissing: able.leavesMissing }
}

interface ReadOnce {
  readonly feed: Feed
  readonly records: RecordsBySubject
  readonly window: CalendarWindow
  readonly states: readonly CollectionState[]
  readonly serviceability: Serviceability
  readonly at: Instant
}

async function readOnce(
  { copies, clock, staleMs }: ExportDeps,
  source: Source,
  given: Feed,
  requests: readonly CollectionRequest[],
): Promise<ReadOnce> {
  const current = await source.current(requests)
  const { proof } = current
  const { feed, states } = await withKnownSchedules(copies, null, source, given, current.states)
  const at = clock.now()
  const served = serviceability({ feed, states, proof, now: at, staleMs })
  const { heads } = served
  const records = await loadRecords({ copies, userIds: feed.userIds }, source.connection.id, heads)
  if (!records) {
    throw new AppError('unavailable', 'The records changed while they were read; ask again.')
  }
  const window = calendarWindow(at, feed.timezone, feed.options.window)
  return { feed, records, window, states, serviceability: served, at }
}

interface WrittenOnce extends Omit<ReadOnce, 'records' | 'window'> {
  readonly text: string
  readonly events: readonly WrittenEvent[]
  readonly expansion: Expansion
}

/**
 * Every event has SEQUENCE 0 and the start of the window as its change, so that the same records give the same bytes.
 * `unavailable` as for a feed.
 */
async function writeOnce(
  deps: ExportDeps,
  source: Source,
  given: Feed,
  requests: readonly CollectionRequest[],
): Promise<WrittenOnce> {
  const { records, window, ...read } = await readOnce(deps, source, given, requests)
  const { feed } = read
  const { company } = source.connection
  const expansion = await expandCalendar({ feed, company, window, records })
  const { name, locale } = feed
  const { agenda } = expansion
  const revise = () => ({ sequence: 0, changedAt: Date.parse(window.start) })
  const { bytes, events } = renderCalendar({ name, description: null, locale, agenda, revise })
  return { ...read, text: bytes.toString(), events, expansion }
}

/**
 * One event says that the calendar has ended. Always the same bytes, with a Last-Modified after everything that the link
 * has served.
 */
export async function endedCalendar(
  { feed, link, endedAt }: EndedLink,
  form: CalendarForm,
): Promise<PublishedCalendar> {
  const { name, locale } = feed
  const second = Math.floor(endedAt / 1000) * 1000
  const turn = new Date(endedAt).toISOString().slice(0, 10)
  const agenda = createAgenda([endedNotice(feed, endedAt)], turn)
  const revise = () => ({ sequence: 0, changedAt: second })
  const rendered = renderCalendar({ name, description: null, locale, agenda, revise })
  const lastModified = Math.max(second, (link.publication?.lastModified ?? 0) + 1000)
  const publication = { fingerprint: 'ended', etag: weakTag(rendered.bytes), lastModified }
  return published({ feed, publication, ledger: { entries: [] }, ...rendered }, form)
}
