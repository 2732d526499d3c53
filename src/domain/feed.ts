import type { Audience, FeedOptions, OwnOptions } from './feed-options.ts'
import type { Instant } from './world.ts'

/** A calendar for one person (`own`) or about several (`others`). */
export interface Feed {
  readonly id: string
  readonly companyId: string
  /** For a team, its present members. */
  readonly userIds: readonly string[]
  readonly team: Team | null
  readonly audience: Audience
  readonly name: string
  /** The first name in a name that nobody has set, so that it follows the language; null if somebody has. */
  readonly namedAfter: string | null
  /** IANA zone of the window's edges and of times in texts. */
  readonly timezone: string
  readonly locale: Locale
  /** Whether the language is set for this feed; otherwise it is the company's default. */
  readonly isLocaleSet: boolean
  /** What is set for this feed: only this is kept. */
  readonly ownOptions: OwnOptions
  readonly defaults: KeptDefaults
  /** As `ownOptions` and the defaults make them. */
  readonly options: FeedOptions
  /** Rises with every change of the above. */
  readonly revision: number
  /** Whether leaves have ever shaped it: then it is never served without them again. */
  readonly leavesShown: boolean
  /**
   * The keys of collections of projects and invoices that it has shown records of, and, where it may have several people, of
   * leaves.
   */
  readonly shownCollections: readonly string[]
  readonly createdAt: Instant
  readonly revokedAt: Instant | null
  /** Since when a revoked feed says so in a calendar, for 30 days; null: by status 410. */
  readonly purgedAt: Instant | null
  readonly closedAt: Instant | null
  readonly closedBecause: string | null
}

/** Everybody who reports to a person, directly or at any depth; that person is no member. */
export interface Team {
  readonly managerId: string
  readonly depth: TeamDepth
}

export const teamDepths = ['direct', 'all'] as const
export type TeamDepth = (typeof teamDepths)[number]

/** A team is never of one person: if it has one member now, others still read its calendar. */
export function isOfOnePerson({ team, userIds }: Pick<Feed, 'team' | 'userIds'>): boolean {
  return team === null && userIds.length === 1
}

/** Whether the feed ends with the person: it shows nobody else, or it is the feed of their team. */
export function endsWithPerson(
  { team, userIds }: Pick<Feed, 'team' | 'userIds'>,
  userId: string,
): boolean {
  return team ? team.managerId === userId : userIds.every((id) => id === userId)
}

/** What feeds of a company show unless they set it themselves. */
export interface CompanyDefaults extends Readonly<Record<Audience, OwnOptions>> {
  readonly locale: Locale | null
  /** `{firstName}` stands for the first name of the feed's person. */
  readonly name: string | null
}

export interface KeptDefaults extends CompanyDefaults {
  /** Rises with every change; 0 until the first one. */
  readonly revision: number
}

export const noDefaults: KeptDefaults = {
  revision: 0,
  locale: null,
  name: null,
  own: {},
  others: {},
}

/** Why a feed was closed when its id became another person's: it never opens again. */
export const anotherPerson = 'another_person'

/** `closed`: by the bridge, because the person left. */
export const feedStates = ['open', 'revoked', 'closed'] as const
export type FeedState = (typeof feedStates)[number]

export const locales = ['en', 'de'] as const
export type Locale = (typeof locales)[number]
/** The language of feeds for which nobody has set one. */
export const programLocale: Locale = 'en'
/** The languages, each by its own name. */
export const localeNames: Readonly<Record<Locale, string>> = { en: 'English', de: 'Deutsch' }
