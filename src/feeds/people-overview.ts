import { z } from 'zod'

import { type ActivityStore, type ClientFamily, isQuiet } from '../domain/activity.ts'
import { ofCompany } from '../domain/company.ts'
import type { Connection } from '../domain/connection.ts'
import type { Feed } from '../domain/feed.ts'
import {
  type GroupCounts,
  type ListedPerson,
  peopleGroups,
  type PeopleListStore,
  type Trouble,
} from '../domain/people-list.ts'
import { displayName } from '../domain/user.ts'
import type { Clock, Instant } from '../domain/world.ts'
import { parseQuery, textField } from './feed-input.ts'
import { readCursor, writeCursor } from './pages.ts'
import { lastPoll, placeSchema } from './people-listing.ts'

const overviewSchema = z.strictObject({
  search: textField.trim().max(200).optional(),
  group: z.enum(peopleGroups).optional(),
  // Names and ids may be long.
  cursor: z.string().max(3000).optional(),
  limit: z.int().min(1),
})

/** A person, their own calendars, and what is wrong. */
export interface PersonOverview extends Pick<
  ListedPerson,
  'userId' | 'email' | 'state' | 'isHeldBack'
> {
  readonly displayName: string
  /** The open calendars of their own. */
  readonly feeds: readonly Feed[]
  /** Whether they had one that was revoked. */
  readonly hadOne: boolean
  /** When a calendar program last asked for one of them, and which. */
  readonly lastPolledAt: Instant | null
  readonly client: ClientFamily | null
  readonly isNeverSubscribed: boolean
  readonly isQuiet: boolean
  readonly troubles: readonly Trouble[]
}

export interface PeopleOverviewPage {
  readonly people: readonly PersonOverview[]
  readonly nextCursor: string | null
}

interface PeopleOverviewDeps {
  readonly peopleList: PeopleListStore
  readonly activity: Pick<ActivityStore, 'listActivity'>
  /** By company. */
  readonly connections: ReadonlyMap<string, Pick<Connection, 'id'>>
  readonly clock: Clock
}

/** Counting reads everybody, so a count serves for a while. */
const countedForMs = 30_000

/** People as HR looks for them: by what is missing or wrong. */
export class PeopleOverviews {
  readonly #deps: PeopleOverviewDeps
  readonly #counted = new Map<
    string,
    { readonly at: Instant; readonly counts: Promise<GroupCounts> }
  >()

  constructor(deps: PeopleOverviewDeps) {
    this.#deps = deps
  }

  /** By name. `invalid` for a wrong query, `not_found` for an unknown company. */
  async list(companyId: string, query: object): Promise<PeopleOverviewPage> {
    const { id: connectionId } = ofCompany(this.#deps.connections, companyId)
    const { search, group, cursor, limit } = parseQuery(overviewSchema, query)
    const [sortName = '', userId = ''] = cursor ? readCursor(placeSchema, cursor) : []
    const now = this.#deps.clock.now()
    const found = await this.#deps.peopleList.list({
      companyId,
      search: search === '' ? null : search,
      group: group && { name: group, connectionId, now },
      after: cursor ? { sortName, userId } : null,
      limit: limit + 1,
    })
    const shown = found.slice(0, limit)
    const last = found.length > limit ? shown.at(-1) : undefined
    return {
      people: await this.#view({ companyId, connectionId, now }, shown),
      nextCursor: last ? writeCursor([last.sortName, last.userId]) : null,
    }
  }

  /** Those of them who are known, by name. `not_found` for an unknown company. */
  async listThese(
    companyId: string,
    userIds: readonly string[],
  ): Promise<readonly PersonOverview[]> {
    const { id: connectionId } = ofCompany(this.#deps.connections, companyId)
    if (userIds.length === 0) return []
    const filter = { companyId, userIds, limit: userIds.length }
    const found = await this.#deps.peopleList.list(filter)
    return this.#view({ companyId, connectionId, now: this.#deps.clock.now() }, found)
  }

  /** How many are in each group; half a minute old at most. */
  async countPeopleBy(companyId: string): Promise<GroupCounts> {
    const { id: connectionId } = ofCompany(this.#deps.connections, companyId)
    const now = this.#deps.clock.now()
    const known = this.#counted.get(companyId)
    if (known && now - known.at < countedForMs) return known.counts
    const counts = this.#deps.peopleList.countGroups({ companyId, connectionId, now })
    this.#counted.set(companyId, { at: now, counts })
    counts.catch(() => this.#counted.delete(companyId))
    return counts
  }

  async #view(
    of: { readonly companyId: string; readonly connectionId: string; readonly now: Instant },
    people: readonly ListedPerson[],
  ): Promise<readonly PersonOverview[]> {
    const { peopleList, activity } = this.#deps
    const userIds = people.map(({ userId }) => userId)
    const feeds = await peopleList.listOwnFeeds(of.companyId, userIds)
    const feedIds = feeds.map(({ feed }) => feed.id)
    const claims = await peopleList.countClaims(of.connectionId, userIds)
    const refused = new Set(await peopleList.listMailRefused(feedIds, of.now))
    const ofUser = Map.groupBy(feeds, ({ feed }) => feed.userIds[0])
    const ofFeed = Map.groupBy(await activity.listActivity(feedIds), ({ feedId }) => feedId)
    return people.map((person) => {
      const { userId, email, state, isHeldBack } = person
      const all = ofUser.get(userId) ?? []
      const open = all.filter(({ feed }) => feed.revokedAt === null && feed.closedAt === null)
      const polls = open.flatMap(({ feed }) => ofFeed.get(feed.id) ?? [])
      const last = lastPoll(polls)
      const { disputed = 0 } = claims.get(userId) ?? {}
      const hasRefused = open.some(({ feed }) => refused.has(feed.id))
      return {
        userId,
        displayName: displayName(person),
        email,
        state,
        isHeldBack,
        feeds: open.map(({ feed }) => feed),
        hadOne: all.some(({ feed }) => feed.revokedAt !== null),
        lastPolledAt: last?.lastPolledAt ?? null,
        client: last?.client ?? null,
        isNeverSubscribed: open.length > 0 && open.every(({ isPolled }) => !isPolled),
        isQuiet: isQuiet(polls, of.now),
        troubles: troublesOf(person, { hasRefused, disputed }),
      }
    })
  }
}

function troublesOf(
  { state, isHeldBack }: ListedPerson,
  { hasRefused, disputed }: { readonly hasRefused: boolean; readonly disputed: number },
): readonly Trouble[] {
  return [
    ...(state === 'held' || state === 'misnamed' ? [state] : []),
    ...(isHeldBack ? (['heldBack'] as const) : []),
    ...(hasRefused ? (['mailRefused'] as const) : []),
    ...(disputed > 0 ? (['disputed'] as const) : []),
  ]
}
