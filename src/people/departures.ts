import { repeat } from '../copies/repeated-work.ts'
import type { Connection } from '../domain/connection.ts'
/*
 * People leave, and Read APIs break: both look the same for one person. So a user who says of itself that it is inactive is
 * believed at once, one that is not found only a day later, and neither while too many leave together.
 */
import type {
  Departure,
  DepartureReason,
  DepartureShare,
  DepartureStore,
} from '../domain/departure.ts'
import { AppError, asAppError } from '../domain/errors.ts'
import type { Feed, FeedStore } from '../domain/feed.ts'
import type { User } from '../domain/user.ts'
import type { Clock, Log } from '../domain/world.ts'
import { leavesTooMany } from './departure-share.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const neighboursMax = 5

/** What one reading of a user said. */
export type PersonReading = 'active' | DepartureReason

interface Reading {
  readonly userId: string
  readonly reading: PersonReading
  /** What was kept of the person before. */
  readonly before: Departure | undefined
}

interface DeparturesDeps {
  readonly leavers: DepartureStore
  readonly feeds: Pick<FeedStore, 'changeFeed' | 'findFeed'>
  readonly connections: ReadonlyMap<string, Connection>
  readonly clock: Clock
  readonly log: Log
}

/** Closes the feeds of those who have left, and opens them again when they are back. */
export class Departures {
  readonly #deps: DeparturesDeps
  #end: (() => Promise<void>) | undefined

  constructor(deps: DeparturesDeps) {
    this.#deps = deps
  }

  /** From now on asks once a day for everyone who has left or may have. */
  start(): void {
    const work = (signal: AbortSignal): Promise<void> => this.readAgain(signal)
    this.#end ??= repeat({ name: 'leavers', everyMs: hourMs, work }, this.#deps)
  }

  async close(): Promise<void> {
    await this.#end?.()
  }

  /** The feed without those of its users who have left; an own feed is closed instead: `gone`. */
  async present(feed: Feed): Promise<Feed> {
    const left = new Set(await this.#deps.leavers.listLeft(feed.companyId, feed.userIds))
    if (left.size === 0) return feed
    if (feed.audience === 'own') {
      for (const userId of left) await this.#closeUnlessBack(feed, userId)
      await this.refuseEnded(feed)
      return feed
    }
    return { ...feed, userIds: feed.userIds.filter((id) => !left.has(id)) }
  }

  /** Fails where the feed has been closed (`gone`) or removed (`not_found`) since it was read. */
  async refuseEnded({ id }: Feed): Promise<void> {
    const feed = await this.#deps.feeds.findFeed(id)
    if (!feed) throw new AppError('not_found', 'There is no such calendar.')
    if (feed.closedAt !== null) throw new AppError('gone', 'This calendar has ended.')
  }

  /** Takes note of what the Read API said of a person, and of what follows for their feeds; the same again counts once an hour. */
  async note(connection: Connection, userId: string, reading: PersonReading): Promise<void> {
    const { leavers, clock } = this.#deps
    const before = await leavers.findDeparture(connection.company.id, userId)
    if (before?.because === reading && clock.now() - before.readAt < hourMs) return
    await this.#heed(connection, { userId, reading, before })
  }

  /** How many are held back, since they are too many to be believed; null where none is. */
  async heldBack(companyId: string): Promise<DepartureShare | null> {
    const { leavers, clock } = this.#deps
    const share = await leavers.shareOfDepartures(companyId, clock.now() - dayMs)
    return leavesTooMany(share) ? share : null
  }

  /** Asks for everyone who was asked for a day ago or longer, each on one node alone. */
  async readAgain(signal: AbortSignal): Promise<void> {
    for (const connection of this.#deps.connections.values()) {
      await this.#readAgainIn(connection, signal)
    }
  }

  async #readAgainIn(connection: Connection, signal: AbortSignal): Promise<void> {
    const { leavers, clock } = this.#deps
    const now = clock.now()
    while (!signal.aborted) {
      const before = await leavers.takeDepartureToRead(connection.company.id, now - dayMs, now)
      if (!before) return
      const { userId } = before
      const reading = await readPerson(connection, userId, signal)
      if (reading) await this.#heed(connection, { userId, reading, before })
    }
  }

  async #heed(connection: Connection, { userId, reading, before }: Reading): Promise<void> {
    if (reading === 'active') {
      if (before) await this.#welcomeBack(before)
      return
    }
    if (reading === 'user_missing' && !(await answersOtherwise(connection))) return
    const readAt = this.#deps.clock.now()
    const departure = {
      companyId: connection.company.id,
      userId,
      because: reading,
      since: before?.because === reading ? before.since : readAt,
      readAt,
      leftAt: before ? before.leftAt : null,
    }
    await this.#deps.leavers.keepDeparture(departure)
    if (isBelievable(departure) && !(await this.#holdsBack(connection, departure))) {
      await this.#believe(departure)
    }
  }

  async #believe(departure: Departure): Promise<void> {
    await this.#deps.leavers.keepDeparture({
      ...departure,
      leftAt: departure.leftAt ?? departure.readAt,
    })
    await this.#close(departure)
  }

  #close(departure: Departure): Promise<void> {
    const closed = { closedAt: this.#deps.clock.now(), closedBecause: departure.because }
    return this.#change(departure, (feed) => (feed.closedAt === null ? closed : null))
  }

  /** A feed made after its person had left: they may be back since. */
  async #closeUnlessBack({ companyId }: Feed, userId: string): Promise<void> {
    const { leavers, connections } = this.#deps
    const departure = await leavers.findDeparture(companyId, userId)
    const connection = connections.get(companyId)
    if (!departure || !connection) return
    const reading = await readPerson(connection, userId)
    await (reading === 'active' ? this.#welcomeBack(departure) : this.#close(departure))
  }

  /** Too many at once: those who were believed within a day are doubted again, and their feeds open. */
  async #holdsBack(connection: Connection, departure: Departure): Promise<boolean> {
    const { leavers, clock, log } = this.#deps
    const { companyId } = departure
    const share = await this.heldBack(companyId)
    if (!share && !(await this.#neighboursLeaveToo(connection, departure))) return false
    log.warn({ company: companyId, ...share }, 'leavers_held_back')
    const lately = share ? await leavers.listLeftSince(companyId, clock.now() - dayMs) : []
    for (const believed of lately) {
      await leavers.keepDeparture({ ...believed, leftAt: null })
      await this.#open(believed)
    }
    return true
  }

  /** Feeds that nobody polls tell of nobody leaving: so some of the others are asked for before one is closed. */
  async #neighboursLeaveToo(
    connection: Connection,
    { companyId, userId, leftAt }: Departure,
  ): Promise<boolean> {
    if (leftAt !== null) return false
    const ids = await this.#deps.leavers.listNeighbours(companyId, userId, neighboursMax)
    const readings = await Promise.all(ids.map((id) => readPerson(connection, id)))
    const leaving = readings.filter((reading) => reading !== undefined && reading !== 'active')
    return leaving.length > ids.length / 2
  }

  async #welcomeBack(departure: Departure): Promise<void> {
    await this.#deps.leavers.forgetDeparture(departure.companyId, departure.userId)
    await this.#open(departure)
  }

  #open(departure: Departure): Promise<void> {
    return this.#change(departure, (feed) =>
      feed.closedAt === null ? null : { closedAt: null, closedBecause: null },
    )
  }

  async #change(
    { companyId, userId }: Departure,
    change: (feed: Feed) => Pick<Feed, 'closedAt' | 'closedBecause'> | null,
  ): Promise<void> {
    for (const { id } of await this.#deps.leavers.listOwnFeeds(companyId, userId)) {
      await this.#changeFeed(id, change)
    }
  }

  async #changeFeed(
    id: string,
    change: (feed: Feed) => Pick<Feed, 'closedAt' | 'closedBecause'> | null,
  ): Promise<void> {
    const { feeds, log } = this.#deps
    let before: Feed | undefined
    const after = await feeds.changeFeed(id, (feed) => {
      before = feed
      const changed = change(feed)
      return changed && { ...feed, ...changed }
    })
    if (!after || after.closedAt === before?.closedAt) return
    const { companyId: company, closedAt, closedBecause } = after
    const data = { company, feed: id, closedAt, closedBecause }
    log.info(data, closedAt === null ? 'feed_opened' : 'feed_closed')
  }
}

/** What a user as answered by the Read API says of itself; only an explicit `false` means that they have left. */
export function readingOf({ isActive }: Pick<User, 'isActive'>): PersonReading {
  return isActive === false ? 'user_inactive' : 'active'
}

/** One that is not found may be found again tomorrow. */
function isBelievable({ because, since, readAt }: Departure): boolean {
  return because === 'user_inactive' || readAt - since >= dayMs
}

async function answersOtherwise({ api }: Connection): Promise<boolean> {
  return api.list('schedules', {}).then(
    () => true,
    (error: unknown) => {
      if (!asAppError(error)) throw error
      return false
    },
  )
}

/** Undefined where the Read API said nothing of the person. */
async function readPerson(
  { api }: Connection,
  userId: string,
  signal?: AbortSignal,
): Promise<PersonReading | undefined> {
  try {
    return readingOf(await api.get('user', userId, signal))
  } catch (error) {
    const code = asAppError(error)?.code
    if (code === undefined) throw error
    return code === 'upstream_not_found' ? 'user_missing' : undefined
  }
}
