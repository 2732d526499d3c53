import type { Audience, FeedOptions, OwnOptions } from './feed-options.ts'
import type { Instant } from './world.ts'

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
  /** Rises with every change of the above. */
  readonly revision: number
  /** Whether leaves have ever shaped this feed: then it is never again served without them. */
  readonly leavesShown: boolean
  /** The keys of the projects' and invoices' collections of which it has ever been served with records. */
  readonly shownCollections: readonly string[]
  readonly createdAt: Instant
  readonly revokedAt: Instant | null
  /** Since when a revoked feed says so in a calendar, for 30 days; null: only by status 410. */
  readonly purgedAt: Instant | null
  readonly closedAt: Instant | null
  readonly closedBecause: string | null
}

/** Why a feed was closed of somebody who had an id before that is another person's now: it never opens again, and is in nobody's way. */
export const anotherPerson = 'another_person'

/** Whether a feed is served, was ended by hand, or was closed by the bridge since its person left. */
export const feedStates = ['open', 'revoked', 'closed'] as const
export type FeedState = (typeof feedStates)[number]

/** The languages that a calendar can be in. */
export const locales = ['en', 'de'] as const
export type Locale = (typeof locales)[number]
