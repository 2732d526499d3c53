import type { Feed } from './feed.ts'
import type { Instant } from './world.ts'

/** A person who by the Read API is no longer active, or no longer there. */
export interface Departure {
  readonly companyId: string
  readonly userId: string
  readonly because: DepartureReason
  /** When that was first read. */
  readonly since: Instant
  /** When the person was last asked for. */
  readonly readAt: Instant
  /** When it was believed: then their own feeds are closed and their events end elsewhere; null while it is not. */
  readonly leftAt: Instant | null
}

/** `user_inactive`: the user says so itself; `user_missing`: the Read API does not know the user any more. */
export type DepartureReason = 'user_inactive' | 'user_missing'

/** What the Read API says of a person. */
export type PersonState = 'active' | DepartureReason

/** Whoever reads a user tells it what was read. */
export interface DepartureWatch {
  /** Takes note of a person's state, and of what follows for their feeds; the same again counts once an hour. */
  note(companyId: string, userId: string, state: PersonState): Promise<void>
}

/** How many of a company's people in feeds are leaving: too many at once are a fault and no truth. */
export interface DepartureShare {
  readonly people: number
  readonly leaving: number
}

/** Who has left, as far as their feeds must know. */
export interface DepartureStore {
  findDeparture(companyId: string, userId: string): Promise<Departure | undefined>
  /** Replaces what was kept of that person; nothing is kept of one in no feed. */
  keepDeparture(departure: Departure): Promise<void>
  forgetDeparture(companyId: string, userId: string): Promise<void>
  /** Those of the users who are believed to have left. */
  listLeft(companyId: string, userIds: readonly string[]): Promise<readonly string[]>
  /** Those believed to have left at that instant or later. */
  listLeftSince(companyId: string, since: Instant): Promise<readonly Departure[]>
  /**
   * Takes the departure in feeds not revoked who was asked for longest ago, before `readBefore`, and notes that they are asked for
   * now: each for one node alone. Undefined where there is none.
   */
  takeDepartureToRead(
    companyId: string,
    readBefore: Instant,
    now: Instant,
  ): Promise<Departure | undefined>
  /** Of the people in feeds that are open or were closed since, departures among them whether believed or not. */
  shareOfDepartures(companyId: string, closedSince: Instant): Promise<DepartureShare>
  /** Others in open feeds of the company who are not known to leave: the next ones by id. */
  listNeighbours(companyId: string, userId: string, limit: number): Promise<readonly string[]>
  /** The feeds of audience own of that person that are not revoked. */
  listOwnFeeds(companyId: string, userId: string): Promise<readonly Feed[]>
}
