import type { AuditEvent } from './access/audit-entry.ts'
import type { Feed, FeedState } from './feed.ts'
import type { FeedLink } from './link.ts'
import type { Instant, Maybe } from './world.ts'

/** The feeds. Where a method is told the audit event, it is noted together with what it changes, or not at all. */
export interface FeedStore {
  /** Adds a feed with its first link; `conflict` if the id or the token exists. */
  createFeed(feed: Feed, link: FeedLink): Promise<void>
  /** Adds feeds, each with its first link, and notes the creation: all or nothing. `conflict` if an id, a token or the key exists. */
  createFeeds(
    feeds: readonly FeedWithLink[],
    creation?: Creation,
    auditEvent?: AuditEvent,
  ): Promise<void>
  /**
   * Adds those of the feeds whose company, users and name no unrevoked feed has, in one step against all other such
   * calls; gives the ids of those added.
   */
  createMissingFeeds(
    feeds: readonly FeedWithLink[],
    auditEvent?: AuditEvent,
  ): Promise<ReadonlySet<string>>
  /** Adds the feed unless its person has or had one of their own, in one step against all other such calls; false where so. */
  createOnlyFeed(feed: FeedWithLink, auditEvent?: AuditEvent): Promise<boolean>
  /** What was made under that key, while it is known. */
  findCreation(keyHash: string): Promise<Creation | undefined>
  findFeed(id: string): Promise<Feed | undefined>
  /** In order of creation, then id; a page holds at most `limit`. */
  listFeeds(filter: FeedFilter): Promise<readonly Feed[]>
  countFeeds(): Promise<FeedCounts>
  /** How many feeds of each company are open; one that has none is left out. */
  countOpenFeeds(): Promise<ReadonlyMap<string, number>>
  /**
   * Replaces the feed by what `change` makes of it, its revision one higher, and gives it as it is kept; where another
   * change came between, `change` is asked again. Null leaves the feed as it is. Undefined if there is no such feed,
   * `conflict` if others change it all the time.
   */
  changeFeed(id: string, change: FeedChange, auditEvent?: AuditEvent): Promise<Feed | undefined>
  /** Notes that leaves have shaped the feed; the revision stays. */
  markLeavesShown(feedId: string): Promise<void>
  /** Adds to the collections that the feed has been served with; the revision stays. */
  markShown(feedId: string, keys: readonly string[]): Promise<void>
}

/** How many feeds there are: open, closed by the bridge itself, or revoked. */
export interface FeedCounts {
  readonly open: number
  readonly closed: number
  readonly revoked: number
}

/** What becomes of a feed; of its options those that are set count, the whole ones follow from them. */
export type FeedChange = (feed: Feed) => Feed | null | Promise<Feed | null>

export interface FeedWithLink {
  readonly feed: Feed
  readonly link: FeedLink
}

export interface FeedFilter {
  readonly companyId?: Maybe<string>
  /** Only feeds with one of these people in them. */
  readonly userIds?: Maybe<readonly string[]>
  /** Only feeds that have not been revoked. */
  readonly unrevoked?: Maybe<boolean>
  readonly state?: Maybe<FeedState>
  /** Only feeds that no calendar program has asked for yet; a browser keeps nothing and is none. */
  readonly neverPolled?: Maybe<boolean>
  /** Only feeds with this id, or with this text in their name, in the id of one in them or in a name that is known of one. */
  readonly search?: Maybe<string>
  /** Only feeds after this one in the order of the list. */
  readonly after?: Maybe<{ readonly createdAt: Instant; readonly id: string }>
  readonly limit: number
}

/** What a request with an Idempotency-Key has made, so that the same request again makes nothing. */
export interface Creation {
  /** Hash of the key. */
  readonly keyHash: string
  /** Hash of what was asked for: another request must not use the key. */
  readonly requestHash: string
  /** In the order of the request. */
  readonly feedIds: readonly string[]
  readonly createdAt: Instant
}

/** For how long a key is known. */
export const creationKeptMs = 86_400_000
