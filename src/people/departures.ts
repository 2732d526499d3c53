/*
 * People leave, and Read APIs break: both look the same for one person. So a user who says of itself that it is inactive is
 * believed at once, one that is not found only a day later, and neither while too many leave together.
 */
import type { Connection } from '../domain/connection.ts'
import type {
  Departure,
  DepartureShare,
  DepartureStore,
  DepartureWatch,
  PersonState,
} from '../domain/departure.ts'
import { AppError } from '../domain/errors.ts'
import type { Feed, FeedStore } from '../domain/feed.ts'
import { type Clock, type Log, repeat } from '../domain/world.ts'
import { closeFeeds, openFeeds } from './departed-feeds.ts'
import { findDepartureShare } from './departure-share.ts'
import { answersOtherwise, askForPerson } from './person-state.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const neighboursMax = 5

/** What was read of a person, and what was kept of them before. */
interface Sighting {
  readonly userId: string
  readonly state: PersonState
  readonly before: Departure | undefined
}

export interface DeparturesDeps {
  readonly departures: DepartureStore
  readonly feeds: Pick<FeedStore, 'changeFeed' | 'findFeed'>
  /** By company. */
  readonly connections: ReadonlyMap<string, Connection>
  readonly clock: Clock
  readonly log: Log
}

/** Closes the feeds of those who have left, and opens them again when they are back. */
export class Departures implements DepartureWatch {
  readonly #deps: DeparturesDeps
  #end: (() => Promise<void>) | undefined

  constructor(deps: DeparturesDeps) {
    this.#deps = deps
  }

  /** From now on asks once a day for everyone who has left or may have. */
  start(): void {
    const work = (signal: AbortSignal): Promise<void> => this.readAgain(signal)
    this.#end ??= repeat({ name: 'departures', everyMs: hourMs, work }, this.#deps)
  }

  async close(): Promise<void> {
    await this.#end?.()
  }

  /** The feed without those of its users who have left; an own feed is closed instead: `gone`. */
  async present(feed: Feed): Promise<Feed> {
    const left = new Set(await this.#deps.departures.listLeft(feed.companyId, feed.userIds))
    if (left.size === 0) return feed
    if (feed.audience === 'others') {
      return { ...feed, userIds: feed.userIds.filter((id) => !left.has(id)) }
    }
    for (const userId of left) await this.#closeUnlessBack(feed, userId)
    await this.refuseEnded(feed)
    return feed
  }

  /** Fails where the feed has been closed (`gone`) or removed (`not_found`) since it was read. */
  async refuseEnded({ id }: Feed): Promise<void> {
    const feed = await this.#deps.feeds.findFeed(id)
    if (!feed) throw new AppError('not_found', 'There is no such calendar.')
    if (feed.closedAt !== null) throw new AppError('gone', 'This calendar has ended.')
  }

  async note(companyId: string, userId: string, state: PersonState): Promise<void> {
    const { departures, clock, connections } = this.#deps
    const before = await departures.findDeparture(companyId, userId)
    if (before?.because === state && clock.now() - before.readAt < hourMs) return
    const connection = connections.get(companyId)
    if (connection) await this.#heed(connection, { userId, state, before })
  }

  /** How many are held back, since they are too many to be believed; null where none is. */
  heldBack(companyId: string): Promise<DepartureShare | null> {
    const { departures, clock } = this.#deps
    return findDepartureShare(departures, companyId, clock.now() - dayMs)
  }

  /** Asks for everyone who was asked for a day ago or longer, each on one node alone. */
  async readAgain(signal: AbortSignal): Promise<void> {
    for (const connection of this.#deps.connections.values()) {
      await this.#readAgainIn(connection, signal)
    }
  }

  async #readAgainIn(connection: Connection, signal: AbortSignal): Promise<void> {
    const { departures, clock } = this.#deps
    const now = clock.now()
    while (!signal.aborted) {
      const before = await departures.takeDepartureToRead(connection.company.id, now - dayMs, now)
      if (!before) return
      const { userId } = before
      const state = await askForPerson(connection, userId, signal)
      if (state) await this.#heed(connection, { userId, state, before })
    }
  }

  async #heed(connection: Connection, { userId, state, before }: Sighting): Promise<void> {
    if (state === 'active') {
      if (before) await this.#welcomeBack(before)
      return
    }
    if (state === 'user_missing' && !(await answersOtherwise(connection))) return
    const readAt = this.#deps.clock.now()
    const departure = {
      companyId: connection.company.id,
      userId,
      because: state,
      since: before?.because === state ? before.since : readAt,
      readAt,
      leftAt: before ? before.leftAt : null,
    }
    await this.#deps.departures.keepDeparture(departure)
    if (!isBelievable(departure)) return
    if (await this.#isOneOfTooMany(connection, departure)) await this.#holdBack(departure)
    else await this.#believe(departure)
  }

  async #believe(departure: Departure): Promise<void> {
    const leftAt = departure.leftAt ?? departure.readAt
    await this.#deps.departures.keepDeparture({ ...departure, leftAt })
    await closeFeeds(this.#deps, departure)
  }

  async #welcomeBack(departure: Departure): Promise<void> {
    await this.#deps.departures.forgetDeparture(departure.companyId, departure.userId)
    await openFeeds(this.#deps, departure)
  }

  /** A feed made after its person had left: they may be back since. */
  async #closeUnlessBack({ companyId }: Feed, userId: string): Promise<void> {
    const { departures, connections } = this.#deps
    const departure = await departures.findDeparture(companyId, userId)
    const connection = connections.get(companyId)
    if (!departure || !connection) return
    const state = await askForPerson(connection, userId)
    await (state === 'active' ? this.#welcomeBack(departure) : closeFeeds(this.#deps, departure))
  }

  async #isOneOfTooMany(connection: Connection, departure: Departure): Promise<boolean> {
    if (await this.heldBack(departure.companyId)) return true
    return departure.leftAt === null && this.#doNeighboursLeave(connection, departure)
  }

  /** Feeds that nobody polls tell of nobody leaving: so some of the others are asked for before one is closed. */
  async #doNeighboursLeave(
    connection: Connection,
    { companyId, userId }: Departure,
  ): Promise<boolean> {
    const ids = await this.#deps.departures.listNeighbours(companyId, userId, neighboursMax)
    const states = await Promise.all(ids.map((id) => askForPerson(connection, id)))
    const leaving = states.filter((state) => state !== undefined && state !== 'active')
    return leaving.length > ids.length / 2
  }

  /** Too many at once: those who were believed within a day are doubted again, and their feeds open. */
  async #holdBack({ companyId }: Departure): Promise<void> {
    const { departures, clock, log } = this.#deps
    const share = await this.heldBack(companyId)
    log.warn({ company: companyId, ...share }, 'departures_held_back')
    if (!share) return
    for (const believed of await departures.listLeftSince(companyId, clock.now() - dayMs)) {
      await departures.keepDeparture({ ...believed, leftAt: null })
      await openFeeds(this.#deps, believed)
    }
  }
}

/** One that is not found may be found again tomorrow. */
function isBelievable({ because, since, readAt }: Departure): boolean {
  return because === 'user_inactive' || readAt - since >= dayMs
}
