import type { Person } from './person.ts'
import type { PersonReference } from './user.ts'
import type { Maybe } from './world.ts'

/** `left`: Get user says so; `held`: the id may now be somebody else's; `unread` and `misnamed` as in `Person`. */
export const listedStates = ['active', 'left', 'held', 'unread', 'misnamed'] as const
export type ListedState = (typeof listedStates)[number]

/** `none`: people without a calendar of their own; `unpolled`: people with one that no calendar program has asked for. */
export const missingFeeds = ['none', 'unpolled'] as const
export type MissingFeed = (typeof missingFeeds)[number]

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
}

/** How many leaves of a person also came for somebody else, and how many no longer come because the person is refused or has left. */
export interface CountedClaims {
  readonly disputed: number
  readonly refused: number
}
