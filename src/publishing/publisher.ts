import { setImmediate as turn } from 'node:timers/promises'

import PQueue from 'p-queue'

import { expandCalendar, type Expansion } from '../calendar/expand.ts'
import { type CalendarSource, Kept } from '../calendar/expansion.ts'
import { type CalendarWindow, calendarWindow } from '../calendar/local-time.ts'
import { linkEndsNotice } from '../calendar/notices.ts'
import { renderCalendar } from '../calendar/render.ts'
import { type CollectionState, headIn } from '../copies/failures.ts'
import { feedRequests, loadRecords, markShown } from '../copies/feed-collections.ts'
import { LogOnce } from '../copies/log-once.ts'
import type { CurrentCollections } from '../copies/source.ts'
import type { Connection, Standing } from '../domain/connection.ts'
import type { CopyStore } from '../domain/copy.ts'
import { AppError } from '../domain/errors.ts'
import type { FeedStore } from '../domain/feed-store.ts'
import type { LedgerStore, NextLedger, Publication } from '../domain/ledger.ts'
import {
  certainEnd,
  type FeedLink,
  linkName,
  type LinkStore,
  shownFeed,
  syncName,
} from '../domain/link.ts'
import type { Measures } from '../domain/measures.ts'
import { Recent } from '../domain/memo.ts'
import type { Clock, Log } from '../domain/world.ts'
import type { Departures } from '../people/departures.ts'
import { type CalendarSummary, summaryOf } from './first-days.ts'
import { type ShownFeed, withKnownSchedules } from './known-schedules.ts'
import { nextLedger, Revisions } from './ledger.ts'
import { findAgain, type OpenLink, refuseClosed, refuseEnded } from './open-link.ts'
import {
  type CalendarForm,
  type CalendarValidators,
  fingerprintOf,
  type MadeCalendar,
  nextModified,
  nextPublication,
  published,
  type PublishedCalendar,
  unchanged,
  weakTag,
} from './publication.ts'
import { type Answer, type ReadyAnswers, validityOf } from './ready-answers.ts'
import { type CalendarState, serviceability } from './serviceability.ts'

const attemptsMax = 20
/** Per node: each calendar needs memory for copies and text, and they share a processor. */
const madeAtOnce = 2
const keptBytesMax = 24 * 1024 * 1024

interface PublisherDeps {
  readonly feeds: FeedStore
  readonly links: LinkStore
  readonly copies: CopyStore
  readonly ledgers: LedgerStore
  readonly departures: Departures
  readonly ready: ReadyAnswers
  readonly clock: Clock
  readonly log: Log
  readonly measures?: Pick<Measures, 'countRender' | 'countSetAside' | 'watchQueue'> | undefined
  readonly freshMs: number
  readonly staleMs: number
  /** Of program and time-zone data: both may change bytes. */
  readonly versions: string
}

type Made = MadeCalendar & { readonly state: CalendarState }

/** Makes the calendar of a link from the last good copies, with the revisions of its ledger. */
export class Publisher {
  readonly #deps: PublisherDeps
  readonly #logOnce: LogOnce
  readonly #kept = new KeptCalendars(keptBytesMax)
  readonly #queue = new PQueue({ concurrency: madeAtOnce })
  readonly #inFlight = new Map<string, Promise<PublishedCalendar>>()

  constructor(deps: PublisherDeps) {
    this.#deps = deps
    this.#logOnce = new LogOnce(deps.log)
    deps.measures?.watchQueue('calendars', () => this.#queue.size)
  }

  /**
   * Refreshes the link's collections and decides what can be served. `unavailable` if nothing can, `gone` once the person
   * has left, `not_found` once the feed was removed.
   */
  async assess(opened: OpenLink): Promise<CalendarState> {
    const { clock, staleMs } = this.#deps
    const { feed, states, proof } = await this.#read(opened)
    const at = clock.now()
    const wasServed = opened.link.publication !== null
    const serviceable = serviceability({ feed, states, wasServed, proof, now: at, staleMs })
    const window = calendarWindow(at, feed.timezone, feed.options.window)
    const open = {
      ...opened,
      feed: await markShown(this.#deps, feed, opened.feed.userIds, serviceable.heads),
    }
    const fingerprint = fingerprintOf(this.#deps.versions, open, serviceable.heads, window)
    const departed = opened.feed.userIds.filter((id) => !feed.userIds.includes(id))
    const found = { states, proof, departed, window, at }
    return { ...open, ...found, serviceability: serviceable, fingerprint }
  }

  /** The calendar, or only its validators for a client that has it; simultaneous requests share the work. */
  async answer(
    state: CalendarState,
    form: CalendarForm,
    isKnown: (validators: CalendarValidators) => boolean,
  ): Promise<Answer> {
    const validators = unchanged(state, form)
    const isAsBefore = validators !== null && isKnown(validators)
    if (isAsBefore) return this.#ready(state, form, { validators, body: null })
    return this.publish(state, form)
  }

  /** The calendar, even if the client has it. */
  async publish(state: CalendarState, form: CalendarForm): Promise<PublishedCalendar> {
    const validators = unchanged(state, form)
    const body = validators && this.#deps.ready.findBody(state.link, form, validators.etag)
    if (validators && body) return this.#ready(state, form, { validators, body })
    const name = `${linkName(state.link)} ${form} ${state.fingerprint}`
    const making =
      this.#inFlight.get(name) ?? this.#make(state, form).finally(() => this.#inFlight.delete(name))
    this.#inFlight.set(name, making)
    return making
  }

  async #make(state: CalendarState, form: CalendarForm): Promise<PublishedCalendar> {
    const made = await this.#untilStable(state)
    return this.#ready(made.state, form, await published(made, form))
  }

  #ready<T extends Answer>(state: CalendarState, form: CalendarForm, answer: T): T {
    const { name, timezone, companyId } = state.feed
    const feed = { name, timezone, companyId }
    const { link } = state
    this.#deps.ready.keep({ link, feed, ...answer }, form, validityOf(state, this.#deps))
    return answer
  }

  /** For the page; undefined while copies change. */
  async summary(state: CalendarState): Promise<CalendarSummary | undefined> {
    const expansion = await this.#queue.add(() => this.#expand(state))
    return expansion && summaryOf(expansion, this.#deps.clock.now(), state.feed.timezone)
  }

  /** The feed with its current people and schedules, its collections refreshed. */
  async #read({
    feed: opened,
    link,
    source,
  }: OpenLink): Promise<ShownFeed & Pick<CurrentCollections, 'proof'>> {
    const { departures, copies, feeds } = this.#deps
    const { company } = source.connection
    const standing = await source.standing(feedRequests(opened, company))
    const { left } = standing
    const feed = left.length > 0 ? await departures.present(opened, left) : opened
    const current = await source.current(feedRequests(feed, company), standing)
    const { states, proof } = current
    if (mayHaveClosed(current, standing)) await refuseClosed(this.#deps, link)
    if (feed.options.shifts.scheduleIds !== null) return { feed, states, proof }
    return { ...(await withKnownSchedules(copies, feeds, source, feed, states)), proof }
  }

  /** Retries while copies change or other nodes publish. */
  async #untilStable(state: CalendarState): Promise<Made> {
    const { clock } = this.#deps
    let current = state
    for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
      const made = await this.#queue.add(() => this.#measured(current))
      if (made) return made
      const { feed, link } = await findAgain(this.#deps, current.link)
      refuseEnded(feed, link, clock.now())
      current = await this.assess({ ...current, feed: shownFeed(feed, link), link })
    }
    throw new AppError('unavailable', 'The calendar changes too fast to be written; ask again.', {
      retryAfterMs: 5000,
    })
  }

  async #measured(state: CalendarState): Promise<Made | undefined> {
    const begun = performance.now()
    const made = await this.#tryRender(state)
    if (made) this.#deps.measures?.countRender((performance.now() - begun) / 1000)
    return made
  }

  /**
   * Reads the ledger before the copies: the node that writes the next version has read copies at least as new. Undefined if
   * another node was faster, or a copy has changed.
   */
  async #tryRender(state: CalendarState): Promise<Made | undefined> {
    const { ledgers, clock } = this.#deps
    const { feed, link, fingerprint } = state
    const ledger = await ledgers.findLedger(link)
    const kept = feed.userIds.length > 1 ? this.#kept.find(state) : undefined
    const expansion = await this.#expand(state, kept)
    if (!expansion) return undefined
    for (const { kind } of expansion.setAside) {
      this.#deps.measures?.countSetAside(feed.companyId, kind)
    }
    await turn()
    const before = link.publication
    const now = clock.now()
    const at = nextModified(before, ledger.history, now)
    const revisedFor = { link: syncName(link), at, before: before?.lastModified }
    const revisions = new Revisions(ledger, now, revisedFor)
    const { agenda } = expansion
    const revise: Revisions['of'] = (event) => revisions.of(event)
    const rendered = renderCalendar({ ...feed, description: null, agenda, revise, kept })
    if (kept) this.#kept.keep(state, kept)
    const revised = revisions.after(rendered.events.length)
    const isAsBefore = before?.fingerprint === fingerprint && !revised.changed
    const etag = isAsBefore ? before.etag : weakTag(rendered.bytes)
    const publication = nextPublication(before, etag, fingerprint, at)
    const next = nextLedger(ledger, revised, publication.etag === before?.etag)
    if (!(await this.#keep(link, publication, next))) return undefined
    const served = { ...state, link: { ...link, publication } }
    return { feed, publication, ledger: next ?? ledger, state: served, ...rendered }
  }

  /** Stores publication and ledger together; false if another node was faster. */
  async #keep(
    link: FeedLink,
    publication: Publication,
    next: NextLedger | undefined,
  ): Promise<boolean> {
    const { ledgers, links } = this.#deps
    if (publication === link.publication) return !next || ledgers.saveLedger(link, next)
    return links.savePublication(link, link.publication, publication, next)
  }

  /** Undefined if a copy has changed. */
  async #expand(state: CalendarState, kept?: Kept): Promise<Expansion | undefined> {
    const { feed, link, source, window, serviceability: served } = state
    const { id, company } = source.connection
    const { copies } = this.#deps
    const records = await loadRecords({ copies, userIds: feed.userIds }, id, served.heads)
    if (!records) return undefined
    const endsAt = certainEnd(link)
    const notices = endsAt === null ? [] : [linkEndsNotice(feed, link.label, endsAt)]
    try {
      const expansion = await expandCalendar({ feed, company, window, records }, notices, kept)
      for (const { kind, id: record, cause } of expansion.setAside) {
        if (cause) this.#logOnce.unreadable({ company: company.id, kind, record }, cause)
      }
      return expansion
    } catch (error) {
      this.#logOnce.unreadable({ company: company.id, feed: feed.id }, error)
      throw error
    }
  }
}

/**
 * A refresh closes a feed only if it reads a person's record. It may also have done so before this poll joined it: then it does
 * more than confirm its copy, as it does in most polls.
 */
function mayHaveClosed({ states, personsRead }: CurrentCollections, standing: Standing): boolean {
  return personsRead || states.some((state) => state.refreshed && !isConfirmed(state, standing))
}

function isConfirmed({ request, head, held }: CollectionState, standing: Standing): boolean {
  const before = headIn(standing, request)
  return !held && head?.contentHash === before?.contentHash && head?.fetchedAt !== before?.fetchedAt
}

interface CalendarFrame {
  readonly feed: CalendarSource['feed']
  readonly source: { readonly connection: Pick<Connection, 'id' | 'company'> }
  readonly window: CalendarWindow
}

/**
 * Parts of recent calendars of several people, within a number of bytes: if one person changes, the others' parts are
 * reused. A calendar of one person is made as fast again.
 */
export class KeptCalendars {
  readonly #recent: Recent<Kept>

  constructor(bytesMax: number) {
    this.#recent = new Recent(bytesMax)
  }

  find(frame: CalendarFrame): Kept {
    return this.#recent.find(keyOf(frame)) ?? new Kept()
  }

  keep(frame: CalendarFrame, kept: Kept): void {
    this.#recent.keep(keyOf(frame), kept, kept.bytes)
  }
}

function keyOf({ feed, source, window }: CalendarFrame): string {
  const { id, company } = source.connection
  return JSON.stringify([id, company, feed, window])
}
