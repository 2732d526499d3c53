import { expandCalendar, type Expansion, type SetAside } from '../calendar/expand.ts'
import { linkEndsNotice } from '../calendar/notices.ts'
import { fittingEvents, renderCalendar } from '../calendar/render.ts'
import { calendarWindow } from '../calendar/window.ts'
import { feedRequests, loadRecords, newlyShown } from '../copies/feed-collections.ts'
import { ToldOnce } from '../copies/told-once.ts'
import type { RevisedEvent } from '../domain/calendar-event.ts'
import type { CopyStore } from '../domain/copy.ts'
import { AppError } from '../domain/errors.ts'
import type { FeedStore } from '../domain/feed.ts'
import type { LedgerStore } from '../domain/ledger.ts'
import { linkName, type LinkStore, type Publication, shownFeed } from '../domain/link.ts'
import type { Clock, Log } from '../domain/world.ts'
import type { Departures } from '../people/departures.ts'
import { type FeedReading, withKnownSchedules } from './known-schedules.ts'
import { reviseEvents } from './ledger.ts'
import { type OpenLink, refuseEnded } from './open-link.ts'
import {
  BodyCache,
  EncodedBody,
  fingerprintOf,
  nextPublication,
  type PublishedCalendar,
} from './publication.ts'
import { type CalendarState, serviceability } from './serviceability.ts'

const attemptsMax = 20

interface PublisherDeps {
  readonly feeds: Pick<FeedStore, 'changeFeed' | 'markLeavesShown' | 'markShown'>
  readonly links: Pick<LinkStore, 'findByTokenHash' | 'savePublication'>
  readonly copies: Pick<CopyStore, 'findCopy'>
  readonly ledgers: LedgerStore
  readonly departures: Pick<Departures, 'present' | 'refuseEnded'>
  readonly clock: Clock
  readonly log: Log
  readonly staleMs: number
  /** Of the program and its time-zone data: either may change bytes. */
  readonly versions: string
}

/** Turns a link into a calendar: the last good copies, revised by the link's ledger, rendered once. */
export class Publisher {
  readonly #deps: PublisherDeps
  readonly #bodies = new BodyCache()
  readonly #toldOnce: ToldOnce
  readonly #underWay = new Map<string, Promise<PublishedCalendar>>()

  constructor(deps: PublisherDeps) {
    this.#deps = deps
    this.#toldOnce = new ToldOnce(deps.log)
  }

  /** Brings the link's collections up to date and says what may be served: `unavailable` where nothing may, `gone` once the person has left, `not_found` once the feed was removed. */
  async assess(opened: OpenLink): Promise<CalendarState> {
    const { feeds, clock, staleMs } = this.#deps
    const { feed, states } = await this.#read(opened)
    const proof = await opened.source.proof()
    const now = clock.now()
    const wasServed = opened.link.publication !== null
    const serviceable = serviceability({ feed, states, wasServed, proof, now, staleMs })
    const shown = newlyShown(feed, serviceable.heads)
    if (shown.length > 0) await feeds.markShown(feed.id, shown)
    const window = calendarWindow(now, feed.timezone, feed.options.window)
    const open = { ...opened, feed }
    const fingerprint = fingerprintOf(this.#deps.versions, open, serviceable.heads, window)
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
    const underWay =
      this.#underWay.get(name) ??
      this.#untilStable(state, (current) => this.#tryRender(current)).finally(() =>
        this.#underWay.delete(name),
      )
    this.#underWay.set(name, underWay)
    return underWay
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

  /** The feed of its present people, its schedules known, with its collections brought up to date. */
  async #read({ feed: opened, source }: OpenLink): Promise<FeedReading> {
    const { departures } = this.#deps
    const feed = await departures.present(opened)
    const states = await source.current(feedRequests(feed, source.connection.company))
    if (states.some(({ refreshed }) => refreshed)) await departures.refuseEnded(feed)
    if (feed.options.shifts.scheduleIds !== null) return { feed, states }
    return withKnownSchedules(this.#deps, source, { feed, states })
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
    const isKept =
      publication === link.publication ||
      (await this.#deps.links.savePublication(link, link.publication, publication))
    if (!isKept) return undefined
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
    const ledger = await ledgers.findLedger(link)
    const expansion = await this.#expand(state)
    if (!expansion) return undefined
    const { label, endsAt } = link
    const notices = endsAt === null ? [] : [linkEndsNotice({ feed, label, endsAt })]
    const events = [...notices, ...expansion.events]
    const revised = reviseEvents(ledger, events, clock.now())
    if (revised.changed && !(await ledgers.saveLedger(link, revised.ledger))) return undefined
    return revised.events
  }

  /** Undefined if a copy is no longer the one that the state names. */
  async #expand(state: CalendarState): Promise<Expansion | undefined> {
    const { feed, source, window, serviceability: served } = state
    const { id, company } = source.connection
    const { copies, feeds } = this.#deps
    const records = await loadRecords(copies, id, served.heads)
    if (!records) return undefined
    const showsLeaves = [...records.leaves.values()].some((leaves) => leaves.length > 0)
    if (showsLeaves && !feed.leavesShown) await feeds.markLeavesShown(feed.id)
    try {
      const expansion = expandCalendar({ feed, company, window, records })
      for (const { kind, id: record, cause } of expansion.setAside) {
        if (cause) this.#toldOnce.unreadable({ company: company.id, kind, record }, cause)
      }
      return expansion
    } catch (error) {
      this.#toldOnce.unreadable({ company: company.id, feed: feed.id }, error)
      throw error
    }
  }

  async #reread(state: CalendarState): Promise<CalendarState> {
    const found = await this.#deps.links.findByTokenHash(state.link.tokenHash)
    if (!found) throw new AppError('not_found', 'There is no such calendar.')
    refuseEnded(found.feed, found.link, this.#deps.clock.now())
    return this.assess({ ...state, feed: shownFeed(found.feed, found.link), link: found.link })
  }
}

function asRendered(
  { feed: { name, locale }, window: { turn } }: CalendarState,
  events: readonly RevisedEvent[],
): Parameters<typeof renderCalendar>[0] {
  return { name, description: null, locale, turn, events }
}
