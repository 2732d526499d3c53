import PQueue from 'p-queue'

import { calendarWindow } from '../../calendar/local-time.ts'
import { loadRecords } from '../../copies/feed-collections.ts'
import type { Source } from '../../copies/source.ts'
import type { CopyHead } from '../../domain/copy.ts'
import { AppError } from '../../domain/errors.ts'
import type { FeedOptions } from '../../domain/feed-options.ts'
import type { Feed } from '../../domain/feed.ts'
import { feedKindOf, type RecordKind } from '../../domain/kinds.ts'
import { isPrivate } from '../../domain/leave.ts'
import { boundedFeed, type FeedLink, shownFeed } from '../../domain/link.ts'
import { addDays, type PlainDate } from '../../domain/plain-date.ts'
import type { Instant } from '../../domain/world.ts'
import { createRests } from '../../json/rest.ts'
import { type OpenLink, sourceOf } from '../open-link.ts'
import { explainedSources } from './explained-sources.ts'
import {
  concerningKeys,
  datesIn,
  type FoundRecord,
  isOn,
  joined,
  recordsOf,
} from './found-records.ts'
import {
  traceCalendar,
  type TracedCalendar,
  type MakingDeps,
  nothingOf,
  type Situation,
  situationOf,
  type View,
} from './made-calendar.ts'
import {
  type Explanation,
  type ExplainedRecord,
  isByLink,
  isShown,
  type Reason,
} from './reasons.ts'
import { type Verdict, verdictOn } from './why.ts'

const attemptsMax = 5
/** At once: each needs as much memory as making a calendar. */
const madeAtOnce = 1

export interface ExplainerDeps extends MakingDeps {
  /** By company. */
  readonly sources: ReadonlyMap<string, Source>
}

export interface ExplanationScope {
  /** Only records that touch it, in the feed's zone. */
  readonly date?: PlainDate | undefined
  readonly kind?: RecordKind | undefined
}

/** A record with what its person knows it by. */
export interface RecognisedRecord extends ExplainedRecord {
  readonly title: string | null
  /** Whether the calendar shows it as leave that is not approved yet. */
  readonly isPending: boolean
}

type WithFound = ExplainedRecord & { readonly found: FoundRecord }

/**
 * Says of every record that was read for a feed whether a calendar has it, and why or why not. It makes the calendar as it
 * would be served now, and stores nothing about it.
 */
export class Explainer {
  readonly #deps: ExplainerDeps
  readonly #queue = new PQueue({ concurrency: madeAtOnce })

  constructor(deps: ExplainerDeps) {
    this.#deps = deps
  }

  /** As these links together show it; without links, as the feed is set. */
  async explainFeed(
    feed: Feed,
    links: readonly FeedLink[],
    scope: ExplanationScope,
  ): Promise<Explanation> {
    const { records, ...explained } = await this.#explain(feed, viewsOf(feed, links), scope)
    return { ...explained, records: records.map(({ found: _, ...record }) => record) }
  }

  /** Like `explainFeed`, for the one person of the feed: everything that is known to be theirs. */
  async explainOwn(
    feed: Feed,
    links: readonly FeedLink[],
    scope: ExplanationScope,
  ): Promise<Explanation<RecognisedRecord>> {
    const { records, ...explained } = await this.#explain(feed, viewsOf(feed, links), scope)
    const recognised = records.filter(isTheirs).map(({ found, ...it }) => ({
      ...it,
      title: titleOf(found, allOfLeave),
      isPending: isPending(it, found),
    }))
    return { ...explained, records: recognised }
  }

  /**
   * For the holder of a link: no kinds that the link may not show, and, if the holder may be somebody else, only what the
   * calendar has. `feed` is as it is set.
   */
  async explainLink(
    { feed, link }: Pick<OpenLink, 'feed' | 'link'>,
    scope: ExplanationScope,
  ): Promise<Explanation<RecognisedRecord>> {
    const shown = shownFeed(feed, link)
    const { options } = boundedFeed(feed, link)
    const { records, ...explained } = await this.#explain(feed, viewsOf(feed, [link]), scope)
    const isOwn = feed.audience === 'own' && link.choices.onlyAway !== true
    const told = records.filter((it) => {
      return options[feedKindOf[it.kind]].show && (it.shown || (isOwn && isTheirs(it)))
    })
    const isByDay = shown.options.leaves.as === 'day'
    const away = isByDay ? onePerPerson(told, feed.userIds) : told
    const recognised = away.map(({ found, ...record }) => ({
      ...record,
      // Where leave is not shown, no reason may tell of it.
      reason:
        record.reason.code === 'during_leave' && !options.leaves.show
          ? ({ code: 'no_shifts' } as const)
          : record.reason,
      title: isOwn ? titleOf(found, shown.options.leaves) : null,
      // A day of absence counts several leaves.
      isPending: !isByDay && isPending(record, found),
    }))
    return { ...explained, records: recognised }
  }

  /** Tries again while copies change. */
  async #explain(
    feed: Feed,
    views: readonly View[],
    scope: ExplanationScope,
  ): Promise<Explanation<WithFound>> {
    for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
      const situations: Situation[] = []
      for (const view of views) situations.push(await this.#situationOf(feed, view))
      const explained = await this.#queue.add(() => this.#tryExplain(feed, situations, scope))
      if (explained) return explained
    }
    throw new AppError('unavailable', 'The records changed while they were read; ask again.')
  }

  async #situationOf(feed: Feed, view: View): Promise<Situation> {
    const now = this.#deps.clock.now()
    const end = endOf(feed, view.link, now)
    if (!end) return situationOf(this.#deps, sourceOf(this.#deps, feed), view)
    return nothingOf(view, calendarWindow(now, feed.timezone, feed.options.window), end)
  }

  /** Undefined if a copy has changed. Makes one calendar at a time, since a feed may have hundreds of links. */
  async #tryExplain(
    feed: Feed,
    situations: readonly Situation[],
    scope: ExplanationScope,
  ): Promise<Explanation<WithFound> | undefined> {
    const source = sourceOf(this.#deps, feed)
    const { company } = source.connection
    const found = await this.#find(source, feed, situations)
    const [first] = situations
    if (!found || !first) return undefined
    const { date, kind } = scope
    const asked = { set: feed, company, date }
    const told = new Map<FoundRecord, Told>()
    const rests = createRests()
    for (const situation of situations) {
      const calendar = await traceCalendar(this.#deps, source, situation)
      if (!calendar) return undefined
      for (const id of calendar.missingSchedules) addKnown(found, { kind: 'schedule', id })
      const frame = { ...situation, company }
      for (const it of found.values()) {
        if (rests.isDue()) await rests.take()
        if (kind !== undefined && kind !== it.kind) continue
        // Links may show the same leave on other days.
        if (date !== undefined && !isOn(date, it, frame)) continue
        const verdict = await verdictOn(it, calendar, asked)
        const about = told.get(it) ?? {
          reason: verdict.reason,
          hiddenOn: [],
          uids: new Set<string>(),
          dates: datesIn(it, frame),
        }
        told.set(it, about)
        addVerdict(about, verdict, calendar)
      }
    }
    const records = [...told].map(([it, about]) => ({ ...explainedRecord(it, about), found: it }))
    const at = this.#deps.clock.now()
    const dates = { first: first.window.start, last: addDays(first.window.end, -1) }
    return { at, dates, records: records.toSorted(byDate), sources: explainedSources(situations) }
  }

  /**
   * Every record that concerns the feed, from copies or known only by id, by its kind and id; undefined if a copy has changed.
   */
  async #find(
    source: Source,
    feed: Feed,
    situations: readonly Situation[],
  ): Promise<Map<string, FoundRecord> | undefined> {
    const { copies } = this.#deps
    const { id, company } = source.connection
    const read = new Map<string, CopyHead>()
    for (const { served } of situations) {
      for (const head of served?.heads ?? []) read.set(head.key, head)
    }
    const keys = concerningKeys(feed, company)
    const heads = await copies.findHeads(id, keys)
    const kept = new Map(heads.map((head) => [head.key, head]))
    // In the order of a calendar: of copies that began together, the later one wins.
    const asRead = keys.flatMap((key) => read.get(key) ?? kept.get(key) ?? [])
    const all = await loadRecords({ copies, userIds: feed.userIds }, id, asRead)
    if (!all) return undefined
    const found = new Map<string, FoundRecord>()
    const rests = createRests()
    for (const it of recordsOf(feed, all)) {
      const name = nameOf(it)
      found.set(name, joined(found.get(name), it))
      if (rests.isDue()) await rests.take()
    }
    for (const { leaveId, userId } of situations.flatMap(({ disputed }) => disputed)) {
      addKnown(found, { kind: 'leave', id: leaveId }, [userId])
    }
    return found
  }
}

type NamedRecord = Pick<FoundRecord, 'kind' | 'id'>

function nameOf({ kind, id }: NamedRecord): string {
  return `${kind} ${id}`
}

/** Adds records of which only the id is known. */
function addKnown(
  found: Map<string, FoundRecord>,
  named: NamedRecord,
  userIds: readonly string[] = [],
): void {
  const name = nameOf(named)
  const known = { ...named, userIds, subjects: [], record: undefined, others: [] }
  if (!found.has(name)) found.set(name, known)
}

function viewsOf(feed: Feed, links: readonly FeedLink[]): readonly View[] {
  const alike = Map.groupBy(links, ({ choices, endsAt, awaitsPoll, publication }) =>
    JSON.stringify([choices, endsAt, awaitsPoll, publication === null]),
  )
  const views = [...alike.values()].flatMap((group) => {
    const labels = group.map(({ label }) => label)
    return group.slice(0, 1).map((link) => ({ feed: shownFeed(feed, link), link, labels }))
  })
  return views.length > 0 ? views : [{ feed, link: null, labels: [] }]
}

/** A leave without proof, or one that two people get, may be somebody else's. */
function isTheirs({ reason }: ExplainedRecord): boolean {
  return reason.code !== 'leaves_unproven' && reason.code !== 'belongs_to_another'
}

/** Days of absence tell who is away, but neither the dates of a leave nor how many there are. */
function onePerPerson(
  records: readonly WithFound[],
  userIds: readonly string[],
): readonly WithFound[] {
  const leaves = records.filter(({ kind }) => kind === 'leave')
  const away = userIds.flatMap((userId) => {
    const one = leaves.find(({ found }) => found.userIds.includes(userId))
    return one ? [{ ...one, userId, dates: null }] : []
  })
  return [...away, ...records.filter(({ kind }) => kind !== 'leave')]
}

/** What several calendars together say of a record. */
interface Told extends Pick<ExplainedRecord, 'dates'> {
  reason: Reason
  readonly hiddenOn: ExplainedRecord['hiddenOn'][number][]
  readonly uids: Set<string>
}

function addVerdict(told: Told, { reason, uids }: Verdict, { labels }: TracedCalendar): void {
  if (rankOf(reason) < rankOf(told.reason)) told.reason = reason
  if (isByLink(reason)) told.hiddenOn.push(...labels.map((label) => ({ ...reason, label })))
  for (const uid of uids) told.uids.add(uid)
}

/** If links differ, a record that one of them shows is shown; otherwise a reason that holds for all of them says most. */
function rankOf(reason: Reason): number {
  if (isShown(reason)) return 0
  if (isByLink(reason)) return 3
  return reason.code === 'unavailable' ? 2 : 1
}

function explainedRecord(
  { kind, id, userIds }: FoundRecord,
  { reason, hiddenOn, uids, dates }: Told,
): ExplainedRecord {
  const [userId = null] = userIds
  return {
    kind,
    id,
    userId: userIds.length > 1 ? null : userId,
    shown: isShown(reason),
    reason,
    hiddenOn,
    uids: [...uids],
    dates,
  }
}

function byDate(one: ExplainedRecord, other: ExplainedRecord): number {
  return orderOf(one) < orderOf(other) ? -1 : 1
}

/** Schedules and records without a date come last. */
function orderOf({ dates, kind, id }: ExplainedRecord): string {
  return `${dates?.first ?? '~'} ${kind} ${id}`
}

const allOfLeave = { detail: 'full', privateCategories: [] } as const

/** What its person knows it by, as far as the calendar shows that. */
function titleOf(
  { record }: FoundRecord,
  { detail, privateCategories }: Pick<FeedOptions['leaves'], 'detail' | 'privateCategories'>,
): string | null {
  if (record?.kind === 'leave') {
    const isAbsent = detail === 'absent' || isPrivate(record.record, privateCategories)
    return isAbsent ? null : (record.record.leaveType?.name ?? null)
  }
  if (record?.kind === 'task') return record.record.title ?? null
  return record?.kind === 'schedule' ? (record.record.name ?? null) : null
}

function isPending({ shown }: Pick<ExplainedRecord, 'shown'>, { record }: FoundRecord): boolean {
  return shown && record?.kind === 'leave' && record.record.status === 'PENDING'
}

/** Which of link and feed ended first; null if neither has. */
function endOf(feed: Feed, link: FeedLink | null, now: Instant): Reason | null {
  const ends = [
    { code: 'link_ended', at: link?.endsAt ?? null },
    { code: 'feed_revoked', at: feed.revokedAt },
  ] as const
  const given = ends.flatMap(({ code, at }) => (at !== null && at <= now ? [{ code, at }] : []))
  const [first] = given.toSorted((one, other) => one.at - other.at)
  if (first) return first
  return feed.closedAt !== null && feed.closedAt <= now
    ? { code: 'feed_closed', at: feed.closedAt }
    : null
}
