import type { Kysely, SelectQueryBuilder } from 'kysely'

import type { Database } from '../database/database.ts'
import type { Departure, DepartureShare, DepartureStore } from '../domain/departure.ts'
import type { Feed } from '../domain/feed.ts'
import type { Instant } from '../domain/world.ts'
import { holdPersonInFeed } from './feed-store.ts'
import { changeRow, feedOf, feedsWith } from './rows.ts'
import type { DepartureRow, StoreTables } from './tables.ts'

/** People who have left or may have, one row each. */
export class SqlDepartureStore implements DepartureStore {
  readonly #database: Database<StoreTables>

  constructor(database: Database<StoreTables>) {
    this.#database = database
  }

  async findDeparture(companyId: string, userId: string): Promise<Departure | undefined> {
    const row = await this.#departures(companyId).where('user_id', '=', userId).executeTakeFirst()
    return row && departureOf(row)
  }

  async keepDeparture(departure: Departure): Promise<void> {
    const { companyId, userId, because, since, readAt, leftAt } = departure
    const rest = { because, since, read_at: readAt, left_at: leftAt }
    await this.#queries.transaction().execute(async (transaction) => {
      if (!(await holdPersonInFeed(this.#database, transaction, userId))) return
      await transaction
        .insertInto('departures')
        .values({ company_id: companyId, user_id: userId, ...rest })
        .onConflict((conflict) => conflict.columns(['company_id', 'user_id']).doUpdateSet(rest))
        .execute()
    })
  }

  async forgetDeparture(companyId: string, userId: string): Promise<void> {
    await this.#queries
      .deleteFrom('departures')
      .where('company_id', '=', companyId)
      .where('user_id', '=', userId)
      .execute()
  }

  async listLeft(companyId: string, userIds: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#departures(companyId)
      .where('user_id', 'in', userIds)
      .where('left_at', 'is not', null)
      .execute()
    return rows.map((row) => row.user_id)
  }

  async listLeftSince(companyId: string, since: Instant): Promise<readonly Departure[]> {
    const rows = await this.#departures(companyId).where('left_at', '>=', since).execute()
    return rows.map(departureOf)
  }

  async takeDepartureToRead(
    companyId: string,
    readBefore: Instant,
    now: Instant,
  ): Promise<Departure | undefined> {
    const row = await this.#longestUnread(companyId, readBefore)
    if (!row) return undefined
    const unread = this.#queries
      .updateTable('departures')
      .where('company_id', '=', companyId)
      .where('user_id', '=', row.user_id)
      .where('read_at', '=', row.read_at)
    if (await changeRow(unread.set({ read_at: now }))) return departureOf({ ...row, read_at: now })
    // Another node has taken it: there may be a next one.
    return this.takeDepartureToRead(companyId, readBefore, now)
  }

  async shareOfDepartures(companyId: string, closedSince: Instant): Promise<DepartureShare> {
    const { people, leaving } = await feedsOfPeople(this.#queries)
      .leftJoin('departures', (join) =>
        join
          .onRef('departures.company_id', '=', 'feeds.company_id')
          .onRef('departures.user_id', '=', 'feed_users.user_id'),
      )
      .select((rows) => [
        rows.fn.count<number>('feed_users.user_id').distinct().as('people'),
        rows.fn.count<number>('departures.user_id').distinct().as('leaving'),
      ])
      .where('feeds.company_id', '=', companyId)
      .where('feeds.revoked_at', 'is', null)
      .where((row) =>
        row.or([row('feeds.closed_at', 'is', null), row('feeds.closed_at', '>=', closedSince)]),
      )
      .where((row) =>
        row.or([
          row('departures.left_at', 'is', null),
          row('departures.left_at', '>=', closedSince),
        ]),
      )
      .executeTakeFirstOrThrow()
    return { people, leaving }
  }

  async listNeighbours(
    companyId: string,
    userId: string,
    limit: number,
  ): Promise<readonly string[]> {
    const after = await this.#people(companyId, limit).where('user_id', '>', userId).execute()
    const missing = limit - after.length
    const before =
      missing > 0
        ? await this.#people(companyId, missing).where('user_id', '<', userId).execute()
        : []
    return [...after, ...before].map((row) => row.user_id)
  }

  async listOwnFeeds(companyId: string, userId: string): Promise<readonly Feed[]> {
    const rows = await feedsWith(this.#queries, userId)
      .where('feeds.company_id', '=', companyId)
      .where('feeds.audience', '=', 'own')
      .where('feeds.revoked_at', 'is', null)
      .execute()
    return rows.map(feedOf)
  }

  get #queries(): Kysely<StoreTables> {
    return this.#database.queries
  }

  #departures(companyId: string): SelectQueryBuilder<StoreTables, 'departures', DepartureRow> {
    return this.#queries.selectFrom('departures').selectAll().where('company_id', '=', companyId)
  }

  #people(companyId: string, limit: number) {
    return feedsOfPeople(this.#queries)
      .select('feed_users.user_id')
      .distinct()
      .where('feeds.company_id', '=', companyId)
      .where('feeds.revoked_at', 'is', null)
      .where('feeds.closed_at', 'is', null)
      .where((person) =>
        person.not(
          person.exists(
            person
              .selectFrom('departures')
              .select('departures.user_id')
              .where('departures.company_id', '=', companyId)
              .where('departures.user_id', '=', person.ref('feed_users.user_id')),
          ),
        ),
      )
      .orderBy('feed_users.user_id')
      .limit(limit)
  }

  #longestUnread(companyId: string, readBefore: Instant): Promise<DepartureRow | undefined> {
    return this.#departures(companyId)
      .where('read_at', '<=', readBefore)
      .where((departure) =>
        departure.exists(
          feedsOfPeople(this.#queries)
            .select('feeds.id')
            .where('feed_users.user_id', '=', departure.ref('departures.user_id'))
            .where('feeds.company_id', '=', departure.ref('departures.company_id'))
            .where('feeds.revoked_at', 'is', null),
        ),
      )
      .orderBy('read_at')
      .limit(1)
      .executeTakeFirst()
  }
}

function feedsOfPeople(
  queries: Kysely<StoreTables>,
): SelectQueryBuilder<StoreTables, 'feed_users' | 'feeds', object> {
  return queries.selectFrom('feed_users').innerJoin('feeds', 'feeds.id', 'feed_users.feed_id')
}

function departureOf({ company_id: companyId, user_id: userId, ...row }: DepartureRow): Departure {
  const { because, since, read_at: readAt, left_at: leftAt } = row
  return { companyId, userId, because, since, readAt, leftAt }
}
