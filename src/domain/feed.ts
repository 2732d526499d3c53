import {
  type Audience,
  type Choices,
  type FeedOptions,
  type OwnOptions,
  withChoices,
} from './feed-options.ts'
import type { Instant } from './instant.ts'

/** A calendar for one person (`own`) or about several (`others`). */
export interface Feed {
  readonly id: string
  readonly companyId: string
  readonly userIds: readonly string[]
  readonly audience: Audience
  readonly name: string
  /** IANA zone: the edges of the window and the times written in texts. */
  readonly timezone: string
  readonly locale: Locale
  /** What is set for this feed; the only form in which options are kept. */
  readonly ownOptions: OwnOptions
  /** The options whole, as they follow from what is set. */
  readonly options: FeedOptions
  /** What the holder of the link has hidden or lowered on the page; null where nothing. */
  readonly choices: Choices | null
  /** Rises with every change of the above. */
  readonly revision: number
  /** Whether leaves have ever shaped this feed: then it is never again served without them. */
  readonly leavesShown: boolean
  readonly createdAt: Instant
  readonly revokedAt: Instant | null
  /** Whether a revoked feed says so in a calendar for 30 days (true) or only by status 410 (false). */
  readonly purged: boolean
  readonly closedAt: Instant | null
  readonly closedBecause: string | null
}

/** The languages that a calendar can be in. */
export const locales = ['en', 'de'] as const
export type Locale = (typeof locales)[number]

/** The feed as a link shows it: with what its holder has hidden or lowered. */
export function shownFeed(feed: Feed): Feed {
  return { ...feed, options: withChoices(feed.options, feed.choices) }
}

/** One secret address of a feed. Only the SHA-256 of its token is known. */
export interface FeedLink {
  readonly feedId: string
  readonly label: string
  readonly tokenHash: Uint8Array
  readonly createdAt: Instant
  /** When the link ends, or ended; null while it has no end. */
  readonly endsAt: Instant | null
  /** When it was told to end; null while it has no end. */
  readonly endingSince: Instant | null
  /** Whether the link, once ended, says so in a calendar for 30 days (true) or only by status 410 (false). */
  readonly purged: boolean
  readonly publication: Publication | null
}

/** What a link served last: enough to answer "has anything changed?" without rendering. */
export interface Publication {
  readonly fingerprint: string
  /** The entity tag with its quotes and weakness mark (RFC 9110 section 8.8.3). */
  readonly etag: string
  readonly lastModified: Instant
}
