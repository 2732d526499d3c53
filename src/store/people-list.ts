import { setImmediate as turn } from 'node:timers/promises'

import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely'

import {
  type GroupCounts,
  type GroupsOf,
  type ListedPerson,
  type ListedState,
  type PeopleFilter,
  peopleGroups,
  type PeopleListStore,
  type PeoplePlace,
} from '../domain/people-list.ts'
import { foldedMail, foldedText } from '../domain/person.ts'
import { isInGroup, isInState, isLastMailRefused, lacksFeed } from './people-groups.ts'
import { feedColumns, feedOf, holds, inRanges, isOfCompany, members } from './rows.ts'
import type { PersonRow, Queries, StoreDatabase, StoreTables } from './tables.ts'

/** SQLite reads in parts, so that other requests are served while a filter looks through a hundred thousand people. */
const peopleAtOnce = 4000

/** Pages of the people directory, read by an index. */
export function peopleListStore(database: StoreDatabase): PeopleListStore {
  const { queries } = database
  return {
    async list(filter) {
      for (;;) {
        const places = await placesIn(database, filter)
        const people = await describe(queries, filter.companyId, places)
        // Somebody was erased meanwhile. A short page would look like the last one, so read it again.
        if (people.length === places.length) return people
      }
    },
    async countClaims(connectionId, userIds) {
      if (userIds.length === 0) return new Map()
      const rows = await queries
        .selectFrom('leaveOwners')
        .select(({ fn }) => [
          'userId',
          fn.sum<number>('contested').as('disputed'),
          fn.sum<number>('isGone').as('refused'),
        ])
        .where('connectionId', '=', connectionId)
        .where('userId', 'in', userIds)
        .groupBy('userId')
        .execute()
      return new Map(rows.map(({ userId, disputed, refused }) => [userId, { disputed, refused }]))
    },
    countGroups: (of) => countGroups(database, of),
    async listOwnFeeds(companyId, userIds) {
      if (userIds.length === 0) return []
      const rows = await members(queries)
        .select(feedColumns)
        .select('feeds.polled')
        .where('feedUsers.userId', 'in', userIds)
        .where(isOfCompany(companyId))
        .where('feeds.audience', '=', 'own')
        .execute()
      // With an order, SQLite would follow its index through all feeds.
      return rows
        .toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1))
        .map(({ polled, ...row }) => ({ feed: feedOf(row), isPolled: polled === 1 }))
    },
    async listMailRefused(feedIds, now) {
      if (feedIds.length === 0) return []
      const rows = await queries
        .selectFrom('audit')
        .select('feedId')
        .distinct()
        .where('feedId', 'in', feedIds)
        .where(isLastMailRefused(now))
        .execute()
      return rows.flatMap(({ feedId }) => feedId ?? [])
    },
  }
}

async function placesIn(
  database: StoreDatabase,
  filter: PeopleFilter,
): Promise<readonly PeoplePlace[]> {
  const { companyId, search, state, feed, group, after, limit } = filter
  const isFiltered = search != null || state != null || feed != null
  if (!isFiltered || group != null || database.dialect === 'postgres')
    return pageOf(database, filter).limit(limit).execute()
  const found: PeoplePlace[] = []
  await inRanges<PeopleFilter['after']>(after ?? null, async (from) => {
    const all = pageOf(database, { companyId, after: from })
    const end = await all.offset(peopleAtOnce).limit(1).executeTakeFirst()
    const some = pageOf(database, { ...filter, after: from, until: end })
    found.push(...(await some.limit(limit - found.length).execute()))
    return found.length < limit ? end : undefined
  })
  return found
}

/** One statement for each group, with pauses for other work. */
async function countGroups(
  { queries, dialect }: StoreDatabase,
  of: GroupsOf,
): Promise<GroupCounts> {
  const counted = { 'no-calendar': 0, 'never-subscribed': 0, quiet: 0, trouble: 0, left: 0 }
  for (const name of peopleGroups) {
    const { rows } = await sql<{ found: number }>`select count(*) as found from people
      where company_id = ${of.companyId} and ${isInGroup(name, of, dialect)}`.execute(queries)
    counted[name] = rows[0]?.found ?? 0
    await turn()
  }
  return counted
}

type Page = Omit<PeopleFilter, 'limit'> & { readonly until?: PeoplePlace | undefined }

/** The places of the people between two places, without a limit. */
export function pageOf(
  { queries, dialect }: Pick<StoreDatabase, 'queries' | 'dialect'>,
  { companyId, userIds, search, state, feed, group, after, until }: Page,
): SelectQueryBuilder<StoreTables, 'people', PeoplePlace> {
  const conditions: RawBuilder<SqlBool>[] = []
  if (after) conditions.push(sql`(sort_name, user_id) > ${placeOf(after)}`)
  if (until) conditions.push(sql`(sort_name, user_id) <= ${placeOf(until)}`)
  if (userIds != null) conditions.push(sql`user_id in (${sql.join([...userIds])})`)
  if (state != null) conditions.push(isInState(companyId, state))
  if (feed != null) conditions.push(lacksFeed(companyId, feed))
  if (group != null) conditions.push(isInGroup(group.name, { ...group, companyId }, dialect))
  if (search != null) conditions.push(isNamed(search))
  return queries
    .selectFrom('people')
    .select(['sortName', 'userId'])
    .where('companyId', '=', companyId)
    .where((of) => of.and(conditions))
    .orderBy('sortName')
    .orderBy('userId')
}

function placeOf({ sortName, userId }: PeoplePlace): RawBuilder<unknown> {
  return sql`(${sortName}, ${userId})`
}

/** Whether a row of `people`, by that alias, has the text in its name, its address or its id. */
export function isNamed(
  search: string,
  alias = 'people',
  userId = sql.ref(`${alias}.userId`),
): RawBuilder<SqlBool> {
  const name = holds(sql.ref(`${alias}.sortName`), foldedText(search))
  const mail = holds(sql.ref(`${alias}.foldedEmail`), foldedMail(search))
  // Databases lower ASCII letters only, as folding does with addresses. An id with others is found as it is written.
  const ids = [...new Set([foldedMail(search), search.toLowerCase()])]
  const id = ids.map((text) => holds(sql`lower(${userId})`, text))
  return sql`(${sql.join([name, mail, ...id], sql` or `)})`
}

/** The people at these places, in the same order. */
async function describe(
  queries: Queries,
  companyId: string,
  places: readonly PeoplePlace[],
): Promise<readonly ListedPerson[]> {
  if (places.length === 0) return []
  const rows = await queries
    .selectFrom('people')
    .leftJoin('people as managers', (both) =>
      both
        .onRef('managers.companyId', '=', 'people.companyId')
        .onRef('managers.userId', '=', 'people.managerId'),
    )
    .leftJoin('departures', (both) =>
      both
        .onRef('departures.companyId', '=', 'people.companyId')
        .onRef('departures.userId', '=', 'people.userId'),
    )
    .leftJoin('newcomers', (both) =>
      both
        .onRef('newcomers.companyId', '=', 'people.companyId')
        .onRef('newcomers.userId', '=', 'people.userId'),
    )
    .select(['people.userId', 'people.sortName', 'people.state', 'people.managerId'])
    .select(['people.firstName', 'people.lastName', 'people.email', 'people.readAt'])
    .select(['managers.firstName as managerFirst', 'managers.lastName as managerLast'])
    .select(['leftAt', 'heldBack', 'newcomers.since as heldSince'])
    .where('people.companyId', '=', companyId)
    .where(
      'people.userId',
      'in',
      places.map(({ userId }) => userId),
    )
    .execute()
  const known = new Map(rows.map((row) => [row.userId, listedOf(row)]))
  return places.flatMap(({ userId }) => known.get(userId) ?? [])
}

type ListedRow = Omit<ListedPerson, 'state' | 'manager' | 'isHeldBack'> &
  Pick<PersonRow, 'state' | 'managerId'> & {
    readonly managerFirst: string | null
    readonly managerLast: string | null
    readonly leftAt: number | null
    readonly heldBack: number | null
    readonly heldSince: number | null
  }

function listedOf({
  managerId: id,
  managerFirst: firstName,
  managerLast: lastName,
  leftAt,
  heldBack,
  heldSince,
  state,
  ...person
}: ListedRow): ListedPerson {
  return {
    ...person,
    state: heldSince === null ? listedState(state, leftAt !== null) : 'held',
    manager: id === null ? null : { id, firstName, lastName },
    isHeldBack: heldBack === 1 && leftAt === null,
  }
}

/** As `isInState` finds them. */
function listedState(state: PersonRow['state'], hasLeft: boolean): ListedState {
  if (state === 'misnamed') return state
  if (state === 'user_inactive' || state === 'user_missing' || hasLeft) return 'left'
  return state
}
