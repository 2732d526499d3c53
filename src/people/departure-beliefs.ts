import type { Connection } from '../domain/connection.ts'
import type { Departure, DepartureWatch, PersonState } from '../domain/departure.ts'
import type { Instant } from '../domain/world.ts'
import { closeBelieved, openFeeds } from './departed-feeds.ts'
import { type DepartureInquiriesDeps, inquire } from './departure-inquiries.ts'
import { answersOtherwise } from './person-state.ts'

const dayMs = 86_400_000
/** After so long even what too many do together is believed. */
const heldBackMs = 7 * dayMs

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

interface UnderWay {
  /** Whether there is more to decide than it began with. */
  isBehind: boolean
  ended: Promise<void>
}

/** Decides of whom it is believed that they have left, and closes and opens their feeds. */
export class DepartureBeliefs {
  readonly #deps: DepartureInquiriesDeps
  readonly #watch: DepartureWatch
  /** By company. */
  readonly #inquiries = new Map<string, UnderWay>()
  readonly #closing = new AbortController()

  /** `watch` is told what others answer who are asked. */
  constructor(deps: DepartureInquiriesDeps, watch: DepartureWatch) {
    this.#deps = deps
    this.#watch = watch
  }

  /** Takes note of what was read, and of what follows for the person's feeds; for others who have to be asked first it does not wait. */
  async heed(connection: Connection, { state, ...person }: PersonSighting): Promise<void> {
    const { before } = person
    if (state !== 'active') await this.#heedLeaving(connection, { ...person, state })
    else if (before) await this.welcomeBack(before)
  }

  async welcomeBack(departure: Departure): Promise<void> {
    await this.#deps.departures.forgetDeparture(departure.companyId, departure.userId)
    await openFeeds(this.#deps, departure)
  }

  /** Decides of those who are undecided. Never fails: who is undecided then is so the next time. */
  inquire(connection: Connection): Promise<void> {
    const { id } = connection.company
    const before = this.#inquiries.get(id)
    if (before) {
      before.isBehind = true
      return before.ended
    }
    const underWay = { isBehind: true, ended: Promise.resolve() }
    this.#inquiries.set(id, underWay)
    underWay.ended = this.#inquireUntilDone(connection, underWay)
    return underWay.ended
  }

  /** Waits until nobody is being asked. */
  async ended(): Promise<void> {
    await Promise.all([...this.#inquiries.values()].map(({ ended }) => ended))
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('closing'))
    await this.ended()
  }

  async #inquireUntilDone(connection: Connection, underWay: UnderWay): Promise<void> {
    const { signal } = this.#closing
    const { id } = connection.company
    try {
      while (underWay.isBehind && !signal.aborted) {
        underWay.isBehind = false
        await inquire(this.#deps, { watch: this.#watch, connection, signal })
      }
    } catch (error) {
      if (!signal.aborted) this.#deps.log.error({ company: id, error }, 'inquiry_failed')
    } finally {
      this.#inquiries.delete(id)
    }
  }

  async #heedLeaving(connection: Connection, leaving: Leaving): Promise<void> {
    const departure = await this.#record(connection.company.id, leaving)
    if (departure.leftAt !== null) return closeBelieved(this.#deps, departure)
    if (departure.isHeldBack || departure.isCleared) {
      return this.#believeWhenDue(connection, departure)
    }
    void this.inquire(connection)
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
      isCleared: before?.isCleared === true && before.because === state,
    }
    await departures.keepDeparture(departure)
    return departure
  }

  /** As it stands now: it may have been held back since. */
  async #believeWhenDue(connection: Connection, { companyId, userId }: Departure): Promise<void> {
    const { departures } = this.#deps
    const departure = await departures.findDeparture(companyId, userId)
    if (!departure || !(await isBelievable(connection, departure))) return
    if (await departures.believeDeparture(departure, departure.readAt)) {
      await closeBelieved(this.#deps, departure)
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
  { because, since, readAt, isHeldBack, isCleared }: Departure,
): Promise<boolean> {
  const confirmedMs = readAt - since
  if (!isHeldBack && !isCleared) return false
  if (isHeldBack && confirmedMs < heldBackMs) return false
  if (because === 'user_inactive') return true
  return confirmedMs >= dayMs && answersOtherwise(connection, since)
}
