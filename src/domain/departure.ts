import type { Misnamed } from './errors.ts'
import type { Feed } from './feed.ts'
import type { User } from './user.ts'
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
  /** Whether they had been read as active before, or had a feed: who was gone when first seen leaves nobody's calendar. */
  readonly wasHere: boolean
  /** Whether it came together with too many others: then only a week confirms it. */
  readonly isHeldBack: boolean
  /** Whether the others have been asked, and too few leave for that. With neither mark it is undecided. */
  readonly isCleared: boolean
}

/** `user_inactive`: the user says so itself; `user_missing`: the Read API does not know the user any more. */
export type DepartureReason = 'user_inactive' | 'user_missing'

/** What the Read API says of a person. */
export type PersonState = 'active' | DepartureReason

/** Anyone who reads a user tells it what was read. */
export interface DepartureWatch {
  /**
   * Takes note of a person's state, of the record where there is one, and of what follows for their feeds; the same
   * again counts once an hour. False where the record may be somebody else's than the one who was known by that id: then
   * nothing of it counts.
   */
  note(companyId: string, userId: string, state: PersonState, user?: User): Promise<boolean>
  /**
   * Takes note that the Read API answered for that id with a person of another one; false where it does not say so again now,
   * or has called somebody so before and the other id is not merely another way to write the same.
   */
  noteMisnamed(companyId: string, userId: string, fault: Misnamed): Promise<boolean>
}

/** How many of how many people leave. */
export interface DepartureShare {
  readonly people: number
  readonly leaving: number
}

/** Who has left and is in an open feed still. */
export interface DepartedMember {
  readonly userId: string
  readonly feedId: string
}

/** What follows for those who are undecided: all who leave are held back, or these are cleared. */
export type DepartureVerdict = 'hold back' | { readonly clear: readonly string[] }

/** What a verdict is about: those first read at or after `since`. */
export interface DepartureHearing {
  readonly since: Instant
  readonly now: Instant
  readonly judge: (recent: RecentDepartures) => DepartureVerdict
}

/** Who of a company has been leaving since some instant; those who had left before are not counted at all. */
export interface RecentDepartures {
  /** Of all known people. */
  readonly known: DepartureShare
  /** Those among them who had been here before. */
  readonly wereHere: number
  /** Those among them who are held back. */
  readonly heldBack: number
  /** Of the people in feeds that are not revoked. */
  readonly inFeeds: DepartureShare
}

/** Who has left or may have, of the people in feeds and of the directory. */
export interface DepartureStore {
  findDeparture(companyId: string, userId: string): Promise<Departure | undefined>
  /**
   * Keeps what was read of that person, or replaces it; whether it is believed or held back stays, and whether it is cleared
   * unless the reason is another. Nothing is kept of one whom nobody knows.
   */
  keepDeparture(departure: Departure): Promise<void>
  /** Notes when it was believed, unless it has been held back or let go since; true if it was noted. */
  believeDeparture(departure: Departure, leftAt: Instant): Promise<boolean>
  /** Those that are neither believed nor held back nor cleared. */
  listUndecided(companyId: string): Promise<readonly Departure[]>
  /**
   * Judges by the counts as they stand and keeps the verdict, one after the other over all nodes. Of the cleared, those who say
   * of themselves that they are inactive are believed at `now` and given. What is believed is never held back.
   */
  decide(
    companyId: string,
    hearing: DepartureHearing,
  ): Promise<{ readonly isHeldBack: boolean; readonly believed: readonly Departure[] }>
  forgetDeparture(companyId: string, userId: string): Promise<void>
  /** Those of the users who are believed to have left. */
  listLeft(companyId: string, userIds: readonly string[]): Promise<readonly string[]>
  /**
   * Takes the departure in feeds not revoked who was asked for longest ago, before `readBefore` or by a clock that ran ahead, and
   * notes that they are asked for now: each for one node alone. Undefined where there is none.
   */
  takeDepartureToRead(
    companyId: string,
    readBefore: Instant,
    now: Instant,
  ): Promise<Departure | undefined>
  /** How many are held back, of all known people. */
  heldBackShare(companyId: string): Promise<DepartureShare>
  /** Those in open feeds who are believed to have left, by user and feed; at most `limit`. */
  listLeftInFeeds(companyId: string, limit: number): Promise<readonly DepartedMember[]>
  /** Whether a feed that is not revoked has that person. */
  isInFeed(companyId: string, userId: string): Promise<boolean>
  /** People in open feeds of the company who are not known to leave, in random order. */
  listStaying(companyId: string, limit: number): Promise<readonly string[]>
  /** The feeds of audience own of that person that are not revoked. */
  listOwnFeeds(companyId: string, userId: string): Promise<readonly Feed[]>
}
