import type { Feed } from './feed.ts'
import type { Person } from './person.ts'
import type { PersonReference } from './user.ts'
import { dayMs, type Instant, type Maybe } from './world.ts'

/** `left`: Get user says so; `held`: the id may now be somebody else's; `unread` and `misnamed` as in `Person`. */
export const listedStates = ['active', 'left', 'held', 'unread', 'misnamed'] as const
export type ListedState = (typeof listedStates)[number]

/** `none`: people without a calendar of their own; `unpolled`: people with one that no calendar program has asked for. */
export const missingFeeds = ['none', 'unpolled'] as const
export type MissingFeed = (typeof missingFeeds)[number]

/**
 * Whom HR looks for. `no-calendar`: people who are here and have no open calendar of their own; `never-subscribed`: no program
 * has asked for it; `quiet`: see `isQuiet`; `trouble`: see `Trouble`; `left`: see `ListedState`.
 */
export const peopleGroups = ['no-calendar', 'never-subscribed', 'quiet', 'trouble', 'left'] as const
export type PeopleGroup = (typeof peopleGroups)[number]

/**
 * `held`: the id may be another person's; `misnamed`: the Read API answers with another id; `heldBack`: left with too many others
 * at once; `mailRefused`: the last mail about their calendar was not taken; `disputed`: leaves that also came for somebody else.
 */
export type Trouble = 'held' | 'misnamed' | 'heldBack' | 'mailRefused' | 'disputed'

/** An older refusal says nothing of the address of today. */
const refusalCountsMs = 30 * dayMs

export function refusalsCountSince(now: Instant): Instant {
  return now - refusalCountsMs
}

export type GroupCounts = Readonly<Record<PeopleGroup, number>>

/** Where the groups of a company are looked for. */
export interface GroupsOf {
  readonly companyId: string
  readonly connectionId: string
  readonly now: Instant
}

/** A person's place in the list. */
export interface PeoplePlace {
  readonly sortName: string
  readonly userId: string
}

export interface PeopleFilter {
  readonly companyId: string
  /** Only people with this text in their name, mail address or id, in any case. */
  readonly search?: Maybe<string>
  readonly state?: Maybe<ListedState>
  readonly feed?: Maybe<MissingFeed>
  readonly userIds?: Maybe<readonly string[]>
  readonly group?: Maybe<Omit<GroupsOf, 'companyId'> & { readonly name: PeopleGroup }>
  readonly after?: Maybe<PeoplePlace>
  readonly limit: number
}

export interface ListedPerson
  extends PeoplePlace, Pick<Person, 'firstName' | 'lastName' | 'email' | 'readAt'> {
  readonly state: ListedState
  readonly manager: PersonReference | null
  /** Whether they left with too many others at once: their calendars continue for now. */
  readonly isHeldBack: boolean
}

/** Lists the people directory, by name. */
export interface PeopleListStore {
  list(filter: PeopleFilter): Promise<readonly ListedPerson[]>
  countClaims(
    connectionId: string,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, CountedClaims>>
  countGroups(of: GroupsOf): Promise<GroupCounts>
  /** Calendars of their own, ended ones too, the oldest first. */
  listOwnFeeds(companyId: string, userIds: readonly string[]): Promise<readonly OwnFeed[]>
  /** Those of these feeds about which the last mail was not taken. */
  listMailRefused(feedIds: readonly string[], now: Instant): Promise<readonly string[]>
}

export interface OwnFeed {
  readonly feed: Feed
  /** Whether a calendar program has ever asked for it. */
  readonly isPolled: boolean
}

/** How many leaves of a person also came for somebody else, and how many no longer come because the person is refused or has left. */
export interface CountedClaims {
  readonly disputed: number
  readonly refused: number
}
