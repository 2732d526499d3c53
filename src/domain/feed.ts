import type { Audience, FeedOptions, OwnOptions } from './feed-options.ts'
import type { Instant } from './world.ts'

/** A calendar for one person (`own`) or about several (`others`). */
export interface Feed {
  readonly id: string
  readonly companyId: string
  readonly userIds: readonly string[]
  readonly audience: Audience
  readonly name: string
  /** The first name in a name that nobody has set, so that it follows the language; null if somebody has. */
  readonly namedAfter: string | null
  /** IANA zone of the window's edges and of times in texts. */
  readonly timezone: string
  readonly locale: Locale
  /** What is set for this feed: only this is kept. */
  readonly ownOptions: OwnOptions
  /** What follows from that. */
  readonly options: FeedOptions
  /** Rises with every change of the above. */
  readonly revision: number
  /** Whether leaves have ever shaped it: then it is never served without them again. */
  readonly leavesShown: boolean
  /** The keys of projects' and invoices' collections with records that it has been served with. */
  readonly shownCollections: readonly string[]
  readonly createdAt: Instant
  readonly revokedAt: Instant | null
  /** Since when a revoked feed says so in a calendar, for 30 days; null: by status 410. */
  readonly purgedAt: Instant | null
  readonly closedAt: Instant | null
  readonly closedBecause: string | null
}

/** Why a feed was closed when its id became another person's: it never opens again. */
export const anotherPerson = 'another_person'

/** `closed`: by the bridge, because the person left. */
export const feedStates = ['open', 'revoked', 'closed'] as const
export type FeedState = (typeof feedStates)[number]

export const locales = ['en', 'de'] as const
export type Locale = (typeof locales)[number]
/** The languages, each by its own name. */
export const localeNames: Readonly<Record<Locale, string>> = { en: 'English', de: 'Deutsch' }
