import { expandCalendar, type Expansion, type SetAside } from '../calendar/expand.ts'
import {
  eventContent,
  fittingEvents,
  renderCalendar,
  type RenderedCalendar,
} from '../calendar/render.ts'
import { calendarWindow, type CalendarWindow } from '../calendar/window.ts'
import { loadCalendarRecords } from '../copies/calendar-records.ts'
import { feedCollections } from '../copies/feed-requests.ts'
import type { LeaveProver } from '../copies/proof/leave-prover.ts'
import type { CollectionState, Snapshots } from '../copies/source.ts'
import type { CalendarEvent, RevisedEvent, Revision } from '../domain/calendar-event.ts'
import type { Connection } from '../domain/connection.ts'
import type { CopyStore } from '../domain/copy.ts'
import { AppError } from '../domain/errors.ts'
import { type Feed, shownFeed, type FeedStore } from '../domain/feed.ts'
import type { LedgerStore } from '../domain/ledger.ts'
import type { FeedLink, Publication, LinkStore } from '../domain/link.ts'
import type { Clock } from '../domain/world.ts'
import type { Departures } from '../people/departures.ts'
import { BodyCache } from './body-cache.ts'
import { EncodedBody } from './encoded-body.ts'
import { hashText } from './entity-tag.ts'
import { reviseLedger } from './ledger.ts'
import { endOf } from './link-end.ts'
import { linkNotices } from './link-notices.ts'
import { nextPublication } from './publication.ts'
import { serviceability, type Serviceability } from './serviceability.ts'

const attemptsMax = 20

/** A link that is open, its feed as it is shown, and the company it reads. */
export interface OpenLink {
  readonly link: FeedLink
  readonly feed: Feed
  readonly connection: Connection
}

/** What a link stands for now, before a byte of it is made. */
export interface CalendarState extends OpenLink {
  readonly states: readonly CollectionState[]
  readonly window: CalendarWindow
  readonly serviceability: Serviceability
  readonly fingerprint: string
}

/** A calendar with its validators (RFC 9110 section 8.8). */
export interface PublishedCalendar {
  readonly publication: Publication
  readonly body: EncodedBody
}

interface PublisherDeps {
  readonly feeds: Pick<FeedStore, 'markLeavesShown'>
  readonly links: Pick<LinkStore, 'findByTokenHash' | 'savePublication'>
  readonly copies: CopyStore
  readonly snapshots: Snapshots
  readonly ledgers: LedgerStore
  readonly prover: LeaveProver
  readonly leavers: Pick<Departures, 'present' | 'refuseEnded'>
  readonly clock: Clock
  readonly staleMs: number
  /** Of the program and its time-zone data: either may change bytes. */
  readonly versions: string
}

/** Turns a link into a calendar: the last good copies, revised by the feed's ledger, rendered once. */
export class Publisher {
  readonly #deps: PublisherDeps
  readonly #bodies = new BodyCache()
  readonly #rendering = new Map<string, Promise<PublishedCalendar>>()

  constructor(deps: PublisherDeps) {
    this.#deps = deps
  }

  /** Brings the link's collections up to date and says what may be served: `unavailable` where nothing may, `gone` once the person has left, `not_found` once the feed was removed. */
  async assess(opened: OpenLink): Promise<CalendarState> {
    const { snapshots, prover, leavers, clock, staleMs } = this.#deps
    const { connection } = opened
    const feed = await leavers.present(opened.feed)
    const open = { ...opened, feed }
    const states = await snapshots.current(connection, feedCollections(feed, connection.company))
    if (states.some(({ refreshed }) => refreshed)) await leavers.refuseEnded(feed)
    const proof = await prover.findProof(connection)
    const now = clock.now()
    const serviceable = serviceability({ feed, states, proof, now, staleMs })
    const window = calendarWindow(now, feed.timezone, feed.options.window)
    const fingerprint = this.#fingerprint(open, serviceable, window)
    return { ...open, states, window, serviceability: serviceable, fingerprint }
  }

  /** What the link served last, if nothing has changed since. */
  unchanged({ link, fingerprint }: CalendarState): Publication | null {
    return link.publication?.fingerprint === fingerprint ? link.publication : null
  }

  /** The calendar, made once for all who ask for the same at the same time. */
  async publish(state: CalendarState): Promise<PublishedCalendar> {
    const publication = this.unchanged(state)
    const body = publication && this.#bodies.find(linkName(state.link), publication.etag)
    if (publication && body) return { publication, body }
    const name = `${linkName(state.link)} ${state.fingerprint}`
    const rendering =
      this.#rendering.get(name) ??
      this.#render(state).finally(() => {
        this.#rendering.delete(name)
      })
    this.#rendering.set(name, rendering)
    return rendering
  }

  /** The very events of the calendar, for programs that do not read iCalendar. */
  events(state: CalendarState): Promise<readonly RevisedEvent[]> {
    return this.#untilStable(state, async (current) => {
      const events = await this.#revise(current)
      return events && fittingEvents(asRendered(current, events))
    })
  }

  /** What of the records cannot be shown, and why; nothing while copies change underneath. */
  async setAside(state: CalendarState): Promise<readonly SetAside[]> {
    return (await this.#expand(state))?.setAside ?? []
  }

  #render(state: CalendarState): Promise<PublishedCalendar> {
    return this.#untilStable(state, (current) => this.#tryRender(current))
  }

  /** Tries again on what is there now, while copies or other nodes' publications change underneath. */
  async #untilStable<T>(
    state: CalendarState,
    attempt: (state: CalendarState) => Promise<T | undefined>,
  ): Promise<T> {
    let current = state
    for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
      const result = await attempt(current)
      if (result !== undefined) return result
      current = await this.#reread(current)
    }
    throw new AppError('unavailable', 'The calendar changes too fast to be written; ask again.', {
      retryAfterMs: 5000,
    })
  }

  async #tryRender(state: CalendarState): Promise<PublishedCalendar | undefined> {
    const events = await this.#revise(state)
    if (!events) return undefined
    const { link, fingerprint } = state
    const text = renderCalendar(asRendered(state, events))
    const now = this.#deps.clock.now()
    const publication = nextPublication(link.publication, text, fingerprint, now)
    if (!(await this.#save(link, publication))) return undefined
    const body = await EncodedBody.of(text)
    this.#bodies.keep(linkName(link), publication.etag, body)
    return { publication, body }
  }

  /**
   * The ledger's version is read before the copies: whoever writes it next has seen copies at least as new as
   * those behind the version before. Undefined if another node was faster.
   */
  async #revise(state: CalendarState): Promise<readonly RevisedEvent[] | undefined> {
    const { ledgers, clock } = this.#deps
    const { feed, link } = state
    const ledger = await ledgers.findLedger(feed.id)
    const expansion = await this.#expand(state)
    if (!expansion) return undefined
    const events = [...linkNotices(link, feed), ...expansion.events]
    const subjects = events.map((event) => ({ uid: event.uid, content: eventContent(event) }))
    const revised = reviseLedger(ledger, subjects, clock.now())
    if (revised.changed && !(await ledgers.saveLedger(feed.id, revised.ledger))) return undefined
    return withRevisions(events, revised.revisions)
  }

  /** Undefined if a copy is no longer the one that the state names. */
  async #expand(state: CalendarState): Promise<Expansion | undefined> {
    const {
      feed,
      connection,
      window,
      serviceability: { heads },
    } = state
    const records = await loadCalendarRecords(this.#deps.copies, connection.id, heads)
    if (!records) return undefined
    const showsLeaves = [...records.leaves.values()].some((leaves) => leaves.length > 0)
    if (showsLeaves && !feed.leavesShown) await this.#deps.feeds.markLeavesShown(feed.id)
    return expandCalendar({ feed, company: connection.company, window, records })
  }

  async #save(link: FeedLink, publication: Publication): Promise<boolean> {
    if (publication === link.publication) return true
    return this.#deps.links.savePublication(link, link.publication, publication)
  }

  async #reread(state: CalendarState): Promise<CalendarState> {
    const found = await this.#deps.links.findByTokenHash(state.link.tokenHash)
    if (!found) throw new AppError('not_found', 'There is no such calendar.')
    const { feed, link } = found
    if (endOf(feed, link, this.#deps.clock.now())) {
      throw new AppError('gone', 'This calendar has ended.')
    }
    return this.assess({ ...state, feed: shownFeed(feed), link })
  }

  #fingerprint(
    { feed, link, connection }: OpenLink,
    { heads }: Serviceability,
    window: CalendarWindow,
  ): string {
    const content = heads.map(({ key, contentHash }) => [key, contentHash])
    const { companyId, userIds, audience, name, timezone, locale, options } = feed
    const shown = { companyId, userIds, audience, name, timezone, locale, options }
    const parts = [this.#deps.versions, shown, link.endsAt, connection.company, window, content]
    return hashText(JSON.stringify(parts))
  }
}

function asRendered(
  { feed: { name, locale }, window: { turn } }: CalendarState,
  events: readonly RevisedEvent[],
): RenderedCalendar {
  return { name, description: null, locale, turn, events }
}

function withRevisions(
  events: readonly CalendarEvent[],
  revisions: ReadonlyMap<string, Revision>,
): RevisedEvent[] {
  return events.flatMap((event) => {
    const revision = revisions.get(event.uid)
    if (!revision) return []
    return [{ ...event, sequence: revision.sequence, changedAt: revision.changedAt }]
  })
}

function linkName({ feedId, label }: FeedLink): string {
  return `${feedId} ${label}`
}
