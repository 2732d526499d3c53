import type { Connection } from '../domain/connection.ts'
import type { Departure, DepartureStore, PersonState } from '../domain/departure.ts'
import type { FeedStore } from '../domain/feed.ts'
import type { Clock, Instant, Log } from '../domain/world.ts'
import { closeFeeds, openFeeds } from './departed-feeds.ts'
import { leavesTooMany } from './departure-share.ts'
import { answersOtherwise, askForPerson } from './person-state.ts'

const dayMs = 86_400_000
/** After so long even what too many do together is believed. */
const heldBackMs = 7 * dayMs
const neighboursMax = 5

/** What was read of a person, and what was kept of them before. */
export interface PersonSighting {
  readonly userId: string
  readonly state: PersonState
  readonly before: Departure | undefined
  /** Whether the person had been read as active before. */
  readonly wasActive: boolean
}

interface Leaving extends PersonSighting {
  readonly state: Departure['because']
}

export interface DepartureBeliefsDeps {
  readonly departures: DepartureStore
  readonly feeds: Pick<FeedStore, 'changeFeed'>
  readonly clock: Clock
  readonly log: Log
}

/** Decides of whom it is believed that they have left, and closes and opens their feeds. */
export class DepartureBeliefs {
  readonly #deps: DepartureBeliefsDeps
  /** By company: nobody is believed while it is being found out whether many leave. */
  readonly #doubts = new Map<string, Promise<void>>()

  constructor(deps: DepartureBeliefsDeps) {
    this.#deps = deps
  }

  /** Takes note of what was read, and of what follows for the person's feeds. */
  async heed(connection: Connection, { state, ...person }: PersonSighting): Promise<void> {
    const { before } = person
    if (state !== 'active') await this.#heedLeaving(connection, { ...person, state })
    else if (before) await this.welcomeBack(before)
  }

  async welcomeBack(departure: Departure): Promise<void> {
    await this.#deps.departures.forgetDeparture(departure.companyId, departure.userId)
    await openFeeds(this.#deps, departure)
  }

  async #heedLeaving(connection: Connection, leaving: Leaving): Promise<void> {
    const departure = await this.#record(connection.company.id, leaving)
    if (departure.leftAt !== null) return closeFeeds(this.#deps, departure)
    if (!leaving.before) await this.#inTurn(connection, () => this.#doubt(connection, departure))
    await this.#believeWhenDue(connection, departure)
  }

  async #record(
    companyId: string,
    { userId, state, before, wasActive }: Leaving,
  ): Promise<Departure> {
    const { departures, clock } = this.#deps
    const readAt = clock.now()
    const departure = {
      companyId,
      userId,
      because: state,
      since: firstReadAt(before, state, readAt),
      readAt,
      leftAt: before?.leftAt ?? null,
      wasHere: before?.wasHere ?? (wasActive || (await departures.isInFeed(companyId, userId))),
      isHeldBack: before?.isHeldBack ?? false,
    }
    await departures.keepDeparture(departure)
    return departure
  }

  /** One after the other for each company. */
  async #inTurn({ company: { id } }: Connection, work: () => Promise<void>): Promise<void> {
    const before = this.#doubts.get(id) ?? Promise.resolve()
    const turn = before.then(work)
    // Whoever has the turn is told of a failure; the next ones go on.
    const settled = turn.catch(() => undefined)
    this.#doubts.set(id, settled)
    await turn.finally(() => {
      if (this.#doubts.get(id) === settled) this.#doubts.delete(id)
    })
  }

  /** Holds everybody of the day back where too many leave. */
  async #doubt(connection: Connection, departure: Departure): Promise<void> {
    const { companyId } = departure
    if (await this.#leaveTooMany(companyId)) return this.#holdBack(companyId)
    const neighbours = await this.#askNeighbours(connection, departure)
    if (neighbours.doMostLeave || (await this.#leaveTooMany(companyId))) {
      await this.#holdBack(companyId)
    }
    for (const leaving of neighbours.leaving) await this.#believeWhenDue(connection, leaving)
  }

  async #leaveTooMany(companyId: string): Promise<boolean> {
    const { departures, clock } = this.#deps
    return leavesTooMany(await departures.recentDepartures(companyId, clock.now() - dayMs))
  }

  /** Feeds that nobody polls tell of nobody leaving: so some of the others are asked for before one is closed. */
  async #askNeighbours(
    connection: Connection,
    { companyId, userId }: Departure,
  ): Promise<{ readonly doMostLeave: boolean; readonly leaving: readonly Departure[] }> {
    const { departures } = this.#deps
    const isInFeed = await departures.isInFeed(companyId, userId)
    const ids = isInFeed ? await departures.listNeighbours(companyId, userId, neighboursMax) : []
    const record = async (id: string): Promise<Departure | undefined> => {
      const state = await askForPerson(connection, id)
      if (state === undefined || state === 'active') return undefined
      return this.#record(companyId, { userId: id, state, before: undefined, wasActive: true })
    }
    const leaving = (await Promise.all(ids.map(record))).filter((it) => it !== undefined)
    return { doMostLeave: leaving.length > ids.length / 2, leaving }
  }

  /** Those who were believed within the day are doubted again, and their feeds open. */
  async #holdBack(companyId: string): Promise<void> {
    const { departures, clock, log } = this.#deps
    const believed = await departures.holdBackSince(companyId, clock.now() - dayMs)
    const share = await departures.heldBackShare(companyId)
    log.warn({ company: companyId, ...share }, 'departures_held_back')
    for (const departure of believed) await openFeeds(this.#deps, departure)
  }

  /** As it stands now: it may have been held back since. */
  async #believeWhenDue(connection: Connection, { companyId, userId }: Departure): Promise<void> {
    const { departures } = this.#deps
    const departure = await departures.findDeparture(companyId, userId)
    if (!departure || !(await isBelievable(connection, departure))) return
    if (await departures.believeDeparture(departure, departure.readAt)) {
      await closeFeeds(this.#deps, departure)
    }
  }
}

/** A node's clock may have run ahead when it was first read. */
function firstReadAt(
  before: Departure | undefined,
  because: Departure['because'],
  now: Instant,
): Instant {
  if (!before || (before.because !== because && !before.isHeldBack)) return now
  return Math.min(before.since, now)
}

/** One that is not found may be found again tomorrow. */
async function isBelievable(
  connection: Connection,
  { because, since, readAt, isHeldBack }: Departure,
): Promise<boolean> {
  if (isHeldBack && readAt - since < heldBackMs) return false
  if (because === 'user_inactive') return true
  return readAt - since >= dayMs && answersOtherwise(connection, since)
}
