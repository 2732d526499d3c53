import type { Misnamed } from './errors.ts'
import type { Feed } from './feed.ts'
import type { User } from './user.ts'
import type { Instant } from './world.ts'

export interface Departure {
  readonly companyId: string
  readonly userId: string
  readonly because: DepartureReason
  readonly since: Instant
  readonly readAt: Instant
  /** When it was believed: then their own feeds are closed, and their events elsewhere end. */
  readonly leftAt: Instant | null
  /** Whether they were active before, or had a feed; somebody who was gone when first seen leaves no calendar. */
  readonly wasHere: boolean
  /** Whether too many others departed with them: then only a week confirms it. */
  readonly isHeldBack: boolean
  /** Whether the others were asked, and are not too many. With neither mark it is undecided. */
  readonly isCleared: boolean
}

/** `user_inactive`: the user record says so; `user_missing`: the Read API has no such user any more. */
export type DepartureReason = 'user_inactive' | 'user_missing'

export type PersonState = 'active' | DepartureReason

export interface DepartureWatch {
  /**
   * Notes a person's state, the record if there is one, and what follows for their feeds; a repetition counts once an hour.
   * False if the record may be somebody else's: then nothing of it counts.
   */
  note(companyId: string, userId: string, state: PersonState, user?: User): Promise<boolean>
  /** Notes that the Read API answered with another id; false if it does not repeat that, or if that id is somebody else's. */
  noteMisnamed(companyId: string, userId: string, fault: Misnamed): Promise<boolean>
}

export interface DepartureShare {
  readonly people: number
  readonly leaving: number
}

/** The departures of a company that are held back. */
export interface HeldBack {
  readonly count: number
  /** When the last of them was first read; 0 without any. */
  readonly until: Instant
}

export interface DepartedMember {
  readonly userId: string
  readonly feedId: string
}

/** Either everybody who is leaving is held back, or these are cleared. */
export type DepartureVerdict = 'hold back' | { readonly clear: readonly string[] }

/** Recent departures of a company; people who had left before are not counted at all. */
export interface RecentDepartures {
  readonly known: DepartureShare
  readonly wereHere: number
  readonly heldBack: number
  readonly inFeeds: DepartureShare
}

export interface DepartureStore {
  findDeparture(companyId: string, userId: string): Promise<Departure | undefined>
  /** Keeps a reading. What was decided stays, but `isCleared` only for the same reason. Ignores unknown people. */
  keepDeparture(departure: Departure): Promise<void>
  /** False if it has been held back or withdrawn since. */
  believeDeparture(departure: Departure, leftAt: Instant): Promise<boolean>
  /**
   * Believes the held-back departures that were first read until then, if they are still so many, and returns them; otherwise
   * undefined.
   */
  believeHeldBack(
    companyId: string,
    heldBack: HeldBack,
    leftAt: Instant,
  ): Promise<readonly Departure[] | undefined>
  listUndecided(companyId: string): Promise<readonly Departure[]>
  /**
   * Judges the departures since then by the current counts, one node after the other, and keeps the verdict. Cleared
   * inactive people are believed at `now` and given. A believed departure is never held back.
   */
  decide(
    companyId: string,
    hearing: {
      readonly since: Instant
      readonly now: Instant
      readonly judge: (recent: RecentDepartures) => DepartureVerdict
    },
  ): Promise<{ readonly isHeldBack: boolean; readonly believed: readonly Departure[] }>
  forgetDeparture(companyId: string, userId: string): Promise<void>
  listLeft(companyId: string, userIds: readonly string[]): Promise<readonly string[]>
  /** Takes, for one node only, the departure in unrevoked feeds that was read longest ago, before `readBefore`. */
  takeDepartureToRead(
    companyId: string,
    readBefore: Instant,
    now: Instant,
  ): Promise<Departure | undefined>
  heldBackShare(companyId: string): Promise<DepartureShare>
  listLeftInFeeds(companyId: string, limit: number): Promise<readonly DepartedMember[]>
  isInFeed(companyId: string, userId: string): Promise<boolean>
  listStaying(companyId: string, limit: number): Promise<readonly string[]>
  listOwnFeeds(companyId: string, userId: string): Promise<readonly Feed[]>
}
