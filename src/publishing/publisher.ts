import { setImmediate as turn } from 'node:timers/promises'

import PQueue from 'p-queue'

import { expandCalendar, type Expansion } from '../calendar/expand.ts'
import { type CalendarSource, Kept } from '../calendar/expansion.ts'
import { type CalendarWindow, calendarWindow } from '../calendar/local-time.ts'
import { linkEndsNotice } from '../calendar/notices.ts'
import { renderCalendar } from '../calendar/render.ts'
import { feedRequests, loadRecords, markShown } from '../copies/feed-collections.ts'
import { LogOnce } from '../copies/log-once.ts'
import type { CurrentCollections } from '../copies/source.ts'
import type { Connection } from '../domain/connection.ts'
import type { CopyStore } from '../domain/copy.ts'
import { AppError } from '../domain/errors.ts'
import type { FeedStore } from '../domain/feed-store.ts'
import type { LedgerStore, Publication } from '../domain/ledger.ts'
import { certainEnd, type FeedLink, linkName, type LinkStore, shownFeed } from '../domain/link.ts'
import { Recent } from '../domain/memo.ts'
import type { Clock, Log } from '../domain/world.ts'
import type { Departures } from '../people/departures.ts'
import { type CalendarSummary, summaryOf } from './first-days.ts'
import { type ShownFeed, withKnownSchedules } from './known-schedules.ts'
import { type RevisedLedger, Revisions } from './ledger.ts'
import { findAgain, type OpenLink, refuseClosed, refuseEnded } from './open-link.ts'
import {
  type CalendarForm,
  type CalendarValidators,
  fingerprintOf,
  type MadeCalendar,
  nextPublication,
  published,
  type PublishedCalendar,
  unchanged,
  weakTag,
} from './publication.ts'
import { type Answer, type ReadyAnswers, validityOf } from './ready-answers.ts'
import { type CalendarState, serviceability } from './serviceability.ts'

const attemptsMax = 20
/** Per node: each holds the copies and the text of a calendar in memory, and they share one processor. */
const madeAtOnce = 2
const keptBytesMax = 24 * 1024 * 1024

/** What calendars are published with. */
interface PublisherDeps {
  readonly feeds: FeedStore
  readonly links: LinkStore
  readonly copies: CopyStore
  readonly ledgers: LedgerStore
  readonly departures: Departures
  readonly ready: ReadyAnswers
  readonly clock: Clock
  readonly log: Log
  readonly freshMs: number
  readonly staleMs: number
  /** Of the program and its time-zone data: either may change bytes. */
  readonly versions: string
}

/** A calendar, and the state of which it was made, with what the link serves now. */
type Made = MadeCalendar & { readonly state: CalendarState }

/** Turns a link into a calendar: the last good copies, revised by the link's ledger, rendered once. */
export class Publisher {
  readonly #deps: PublisherDeps
  readonly #logOnce: LogOnce
  readonly #kept = new KeptCalendars(keptBytesMax)
  readonly #queue = new PQueue({ concurrency: madeAtOnce })
  readonly #inFlight = new Map<string, Promise<PublishedCalendar>>()

  constructor(deps: PublisherDeps) {
    this.#deps = deps
    this.#logOnce = new LogOnce(deps.log)
  }

  /** Brings the link's collections up to date and says what may be served: `unavailable` where nothing may, `gone` once the person has left, `not_found` once the feed was removed. */
  async assess(opened: OpenLink): Promise<CalendarState> {
    const { clock, staleMs } = this.#deps
    const { feed, states, proof } = await this.#read(opened)
    const at = clock.now()
    const wasServed = opened.link.publication !== null
    const serviceable = serviceability({ feed, states, wasServed, proof, now: at, staleMs })
    const window = calendarWindow(at, feed.timezone, feed.options.window)
    const open = { ...opened, feed: await markShown(this.#deps, feed, serviceable.heads) }
    const fingerprint = fingerprintOf(this.#deps.versions, open, serviceable.heads, window)
    const departed = opened.feed.userIds.filter((id) => !feed.userIds.includes(id))
    const found = { states, proof, departed, window, at }
    return { ...open, ...found, serviceability: serviceable, fingerprint }
  }

  /** The calendar, or only its validators for a client that has it; made once for all who ask for the same at the same time. */
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

  /** The calendar in that form, even for a client that has it. */
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

  /** Keeps the answer for those who ask next. */
  #ready<T extends Answer>(state: CalendarState, form: CalendarForm, answer: T): T {
    this.#deps.ready.keep({ link: state.link, ...answer }, form, validityOf(state, this.#deps))
    return answer
  }

  /** The records that cannot be shown, and what the first days hold; undefined while copies change underneath. */
  async summary(state: CalendarState): Promise<CalendarSummary | undefined> {
    const expansion = await this.#queue.add(() => this.#expand(state))
    return expansion && summaryOf(expansion, this.#deps.clock.now(), state.feed.timezone)
  }

  /** The feed of its present people, its schedules known, with its collections brought up to date. */
  async #read({ feed: opened, link, source }: OpenLink): Promise<ShownFeed & CurrentCollections> {
    const { departures, copies, feeds } = this.#deps
    const { company } = source.connection
    const standing = await source.standing(feedRequests(opened, company))
    const { left } = standing
    const feed = left.length > 0 ? await departures.present(opened, left) : opened
    const { states, proof } = await source.current(feedRequests(feed, company), standing)
    if (states.some(({ refreshed }) => refreshed)) await refuseClosed(this.#deps, link)
    if (feed.options.shifts.scheduleIds !== null) return { feed, states, proof }
    return { ...(await withKnownSchedules(copies, feeds, source, feed, states)), proof }
  }

  /** Tries again on what is there now, while copies or other nodes' publications change underneath. */
  async #untilStable(state: CalendarState): Promise<Made> {
    const { clock } = this.#deps
    let current = state
    for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
      const made = await this.#queue.add(() => this.#tryRender(current))
      if (made) return made
      const { feed, link } = await findAgain(this.#deps, current.link)
      refuseEnded(feed, link, clock.now())
      current = await this.assess({ ...current, feed: shownFeed(feed, link), link })
    }
    throw new AppError('unavailable', 'The calendar changes too fast to be written; ask again.', {
      retryAfterMs: 5000,
    })
  }

  /**
   * The ledger's version is read before the copies: anyone who writes it next has seen copies at least as new as
   * those behind the version before. Undefined if another node was faster, or a copy has changed.
   */
  async #tryRender(state: CalendarState): Promise<Made | undefined> {
    const { ledgers, clock } = this.#deps
    const { feed, link, fingerprint } = state
    const ledger = await ledgers.findLedger(link)
    const kept = feed.userIds.length > 1 ? this.#kept.find(state) : undefined
    const expansion = await this.#expand(state, kept)
    if (!expansion) return undefined
    await turn()
    const revisions = new Revisions(ledger, clock.now())
    const { agenda } = expansion
    const revise: Revisions['of'] = (event) => revisions.of(event)
    const rendered = renderCalendar({ ...feed, description: null, agenda, revise, kept })
    if (kept) this.#kept.keep(state, kept)
    const revised = revisions.after(rendered.events.length)
    const before = link.publication
    const isAsBefore = before?.fingerprint === fingerprint && !revised.changed
    const etag = isAsBefore ? before.etag : weakTag(rendered.bytes)
    const publication = nextPublication(before, etag, fingerprint, clock.now())
    if (!(await this.#keep(link, publication, revised))) return undefined
    return { feed, publication, state: { ...state, link: { ...link, publication } }, ...rendered }
  }

  /** What the link serves now and its ledger, together; false if another node was faster. */
  async #keep(
    link: FeedLink,
    publication: Publication,
    { ledger, changed }: RevisedLedger,
  ): Promise<boolean> {
    const { ledgers, links } = this.#deps
    if (publication === link.publication) return !changed || ledgers.saveLedger(link, ledger)
    return links.savePublication(link, link.publication, publication, changed ? ledger : undefined)
  }

  /** Undefined if a copy is no longer the one that the state names. */
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

/** Everything that a calendar is made of but its records. */
interface CalendarFrame {
  readonly feed: CalendarSource['feed']
  readonly source: { readonly connection: Pick<Connection, 'id' | 'company'> }
  readonly window: CalendarWindow
}

/**
 * What calendars of several people were made of last, within a fixed number of bytes: where one of them changes, the
 * others' parts stand. One person's calendar is as fast made again.
 */
export class KeptCalendars {
  readonly #recent: Recent<Kept>

  constructor(bytesMax: number) {
    this.#recent = new Recent(bytesMax)
  }

  /** What is kept of that calendar; at first nothing. */
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
