import type { AuditEvent } from './access/audit-entry.ts'
import type { Creation } from './creation.ts'
import type { Feed, FeedState } from './feed.ts'
import type { FeedLink } from './link.ts'
import type { Instant, Maybe } from './world.ts'

/** The feeds. An audit event is noted in the same transaction as the change. */
export interface FeedStore {
  createFeed(feed: Feed, link: FeedLink): Promise<void>
  /** All or nothing; `conflict` if an id, a token or the key exists. */
  createFeeds(
    feeds: readonly FeedWithLink[],
    creation?: Creation,
    auditEvent?: AuditEvent,
  ): Promise<void>
  /** Adds, in one step, the feeds that no unrevoked or earlier one equals in company, users and name; gives their ids. */
  createMissingFeeds(
    feeds: readonly FeedWithLink[],
    auditEvent?: AuditEvent,
  ): Promise<ReadonlySet<string>>
  /** False if its person has or had a feed of their own. */
  createOnlyFeed(feed: FeedWithLink, auditEvent?: AuditEvent): Promise<boolean>
  findCreation(keyHash: string): Promise<Creation | undefined>
  findFeed(id: string): Promise<Feed | undefined>
  listFeeds(filter: FeedFilter): Promise<readonly Feed[]>
  countFeeds(): Promise<Readonly<Record<FeedState, number>>>
  /** By company; without companies that have none. */
  countOpenFeeds(): Promise<ReadonlyMap<string, number>>
  /**
   * Replaces the feed by what `change` makes of it, with the next revision, and gives it as it is kept. If another change
   * came in between, `change` is asked again; `conflict` if that happens all the time.
   */
  changeFeed(id: string, change: FeedChange, auditEvent?: AuditEvent): Promise<Feed | undefined>
  /** Notes with what it has been served, and forgets the leave of people who are not in it any more. */
  markShown(feedId: string, shown: ShownMarks): Promise<void>
}

export interface ShownMarks {
  /** `shownCollections`. */
  readonly keys: readonly string[]
  /** `leavesShown`. */
  readonly leaves: boolean
}

/** Null leaves the feed as it is. Of its options, `ownOptions` count. */
export type FeedChange = (feed: Feed) => Feed | null | Promise<Feed | null>

export interface FeedWithLink {
  readonly feed: Feed
  readonly link: FeedLink
}

export interface FeedFilter {
  readonly companyId?: Maybe<string>
  readonly userIds?: Maybe<readonly string[]>
  readonly unrevoked?: Maybe<boolean>
  readonly state?: Maybe<FeedState>
  /** Only feeds that no calendar program has asked for; a browser is none. */
  readonly neverPolled?: Maybe<boolean>
  /** Only the feed with this id, and feeds with this text in their name, or in an id or a name of their people. */
  readonly search?: Maybe<string>
  readonly after?: Maybe<{ readonly createdAt: Instant; readonly id: string }>
  readonly limit: number
}
