import type { CopyName } from './copy.ts'
import type { Feed } from './feed.ts'

/** Takes a person out of everything that is kept. */
export interface ErasureStore {
  /** Every feed with that person, revoked and closed ones as well. */
  listFeedsOf(userId: string): Promise<readonly Feed[]>
  /** Removes the feed with all that belongs to it. */
  deleteFeed(feedId: string): Promise<void>
  /** Removes the person's copies, by their keys, with claims and all else that is kept by user; gives the number of copies. */
  deletePerson(userId: string, copyKeys: readonly string[]): Promise<number>
  /** Every copy of a project's tasks: they name people too. */
  listTaskCopies(): Promise<readonly CopyName[]>
  /**
   * Leaves no deleted bytes in the database's files, where that is the program's to do: PostgreSQL does it by itself in time.
   * `unavailable` while others use the database too much.
   */
  forgetDeleted(): Promise<void>
}
