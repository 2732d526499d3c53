import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely'

import {
  type ListedPerson,
  type ListedState,
  type MissingFeed,
  type PeopleFilter,
  type PeopleListStore,
  type PeoplePlace,
} from '../domain/people-list.ts'
import { foldedMail, foldedText } from '../domain/person.ts'
import { holds, inRanges, isOfCompany, isOpen } from './rows.ts'
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
  }
}

async function placesIn(
  { queries, dialect }: StoreDatabase,
  filter: PeopleFilter,
): Promise<readonly PeoplePlace[]> {
  const { companyId, search, state, feed, after, limit } = filter
  const isFiltered = search != null || state != null || feed != null
  if (!isFiltered || dialect === 'postgres') return pageOf(queries, filter).limit(limit).execute()
  const found: PeoplePlace[] = []
  await inRanges<PeopleFilter['after']>(after ?? null, async (from) => {
    const all = pageOf(queries, { companyId, after: from })
    const end = await all.offset(peopleAtOnce).limit(1).executeTakeFirst()
    const some = pageOf(queries, { ...filter, after: from, until: end })
    found.push(...(await some.limit(limit - found.length).execute()))
    return found.length < limit ? end : undefined
  })
  return found
}

type Page = Omit<PeopleFilter, 'limit'> & { readonly until?: PeoplePlace | undefined }

/** The places of the people between two places, without a limit. */
export function pageOf(
  queries: Queries,
  { companyId, search, state, feed, after, until }: Page,
): SelectQueryBuilder<StoreTables, 'people', PeoplePlace> {
  const conditions: RawBuilder<SqlBool>[] = []
  if (after) conditions.push(sql`(sort_name, user_id) > ${placeOf(after)}`)
  if (until) conditions.push(sql`(sort_name, user_id) <= ${placeOf(until)}`)
  if (state != null) conditions.push(isInState(companyId, state))
  if (feed != null) conditions.push(lacksFeed(companyId, feed))
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

function isNamed(search: string): RawBuilder<SqlBool> {
  const name = holds(sql.ref('sortName'), foldedText(search))
  const mail = holds(sql.ref('foldedEmail'), foldedMail(search))
  // Databases lower ASCII letters only, as folding does with addresses. An id with others is found as it is written.
  const id = holds(sql`lower(user_id)`, foldedMail(search))
  const lowerId = holds(sql`lower(user_id)`, search.toLowerCase())
  return sql`(${name} or ${mail} or ${id} or ${lowerId})`
}

function isInState(companyId: string, state: ListedState): RawBuilder<SqlBool> {
  const isHeld = sql`user_id in (select user_id from newcomers where company_id = ${companyId})`
  if (state === 'held') return sql`${isHeld}`
  if (state === 'misnamed') return sql`state = 'misnamed' and not ${isHeld}`
  const hasLeft = sql`user_id in (select user_id from departures
    where company_id = ${companyId} and left_at is not null)`
  if (state !== 'left') return sql`state = ${state} and not ${isHeld} and not ${hasLeft}`
  return sql`state <> 'misnamed' and not ${isHeld}
    and (state in ('user_inactive', 'user_missing') or ${hasLeft})`
}

function lacksFeed(companyId: string, missing: MissingFeed): RawBuilder<SqlBool> {
  const own = sql`select 1 from feed_users join feeds on feeds.id = feed_users.feed_id
    where feed_users.user_id = people.user_id and ${isOfCompany(companyId)}
      and feeds.audience = 'own' and ${isOpen}`
  if (missing === 'none') return sql`not exists (${own})`
  return sql`exists (${own} and feeds.polled = 0) and not exists (${own} and feeds.polled = 1)`
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
