import type { Feed } from './feed.ts'
import type { Instant } from './instant.ts'
import type { Leaver, LeavingShare } from './leaver.ts'

/** Who has left, as far as their feeds must know. */
export interface LeaverStore {
  findLeaver(companyId: string, userId: string): Promise<Leaver | undefined>
  /** Replaces what was kept of that person; nothing is kept of one in no feed. */
  keepLeaver(leaver: Leaver): Promise<void>
  forgetLeaver(companyId: string, userId: string): Promise<void>
  /** Those of the users who are believed to have left. */
  listLeft(companyId: string, userIds: readonly string[]): Promise<readonly string[]>
  /** Those believed to have left at that instant or later. */
  listLeftSince(companyId: string, since: Instant): Promise<readonly Leaver[]>
  /**
   * Takes the leaver in feeds not revoked who was asked for longest ago, before `readBefore`, and notes that they are asked for
   * now: each for one node alone. Undefined where there is none.
   */
  takeLeaverToRead(
    companyId: string,
    readBefore: Instant,
    now: Instant,
  ): Promise<Leaver | undefined>
  /** Of the people in feeds that are open or were closed since, leavers among them whether believed or not. */
  shareOfLeaving(companyId: string, closedSince: Instant): Promise<LeavingShare>
  /** Others in open feeds of the company who are not known to leave: the next ones by id. */
  listNeighbours(companyId: string, userId: string, limit: number): Promise<readonly string[]>
  /** The feeds of audience own of that person that are not revoked. */
  listOwnFeeds(companyId: string, userId: string): Promise<readonly Feed[]>
}

/** What is kept longer than it is needed. */
export interface RetentionStore {
  /** Open feeds of that person whose options say that leaves are shown in full. */
  listFeedsInFull(companyId: string, userId: string): Promise<readonly Feed[]>
  /** Copies of leaves that hold reasons. */
  listCopiesWithReasons(): Promise<readonly KeptCopy[]>
  /** Copies that the Read API last confirmed before that instant. */
  listCopiesBefore(fetchedBefore: Instant): Promise<readonly KeptCopy[]>
  /** Whether the company has an open feed at all, with that user, or whose options name that id. */
  hasOpenFeed(companyId: string, use: { userId?: string; names?: string }): Promise<boolean>
  /** Drops the copy and, with that of a person's leaves, what was noted of whose they are. */
  purgeCopy(copy: KeptCopy): Promise<void>
  /** Drops what is known of people leaving who are in no feed but revoked ones. */
  purgeLeavers(): Promise<void>
  /** Drops the ledgers of feeds revoked or closed before that instant; gives their number. */
  purgeLedgers(endedBefore: Instant): Promise<number>
}

/** Names one copy in the store. */
export interface KeptCopy {
  readonly connectionId: string
  readonly key: string
}

/** Takes a person out of everything that is kept. */
export interface ErasureStore {
  /** Every feed with that person, revoked and closed ones as well. */
  listFeedsOf(userId: string): Promise<readonly Feed[]>
  /** Removes the feed with all that belongs to it. */
  deleteFeed(feedId: string): Promise<void>
  /** Removes the person's copies, claims and all else that is kept by user; gives the number of copies. */
  deletePerson(userId: string): Promise<number>
  /** Every copy of a project's tasks: they name people too. */
  listTaskCopies(): Promise<readonly KeptCopy[]>
  /**
   * Leaves no deleted bytes in the database's files, where that is the program's to do: PostgreSQL does it by itself in time.
   * `unavailable` while others use the database too much.
   */
  forgetDeleted(): Promise<void>
}
