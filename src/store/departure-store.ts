import type { Kysely, SelectQueryBuilder } from 'kysely'

import type { Database, Dialect } from '../database/database.ts'
import type { Departure, DepartureShare, DepartureStore } from '../domain/departure.ts'
import type { Feed } from '../domain/feed.ts'
import type { Instant } from '../domain/world.ts'
import { feedOf } from './feed-rows.ts'
import { isInFeed } from './people-in-feeds.ts'
import type { DepartureRow, StoreTables } from './tables.ts'

/** People who have left or may have, one row each. */
export class SqlDepartureStore implements DepartureStore {
  readonly #queries: Kysely<StoreTables>
  readonly #dialect: Dialect

  constructor({ queries, dialect }: Database<StoreTables>) {
    this.#queries = queries
    this.#dialect = dialect
  }

  async findDeparture(companyId: string, userId: string): Promise<Departure | undefined> {
    const row = await this.#queries
      .selectFrom('leavers')
      .selectAll()
      .where('company_id', '=', companyId)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return row && departureOf(row)
  }

  async keepDeparture({
    companyId,
    userId,
    because,
    since,
    readAt,
    leftAt,
  }: Departure): Promise<void> {
    const rest = { because, since, read_at: readAt, left_at: leftAt }
    await this.#queries.transaction().execute(async (transaction) => {
      if (!(await isInFeed(transaction, this.#dialect, userId))) return
      await transaction
        .insertInto('leavers')
        .values({ company_id: companyId, user_id: userId, ...rest })
        .onConflict((conflict) => conflict.columns(['company_id', 'user_id']).doUpdateSet(rest))
        .execute()
    })
  }

  async forgetDeparture(companyId: string, userId: string): Promise<void> {
    await this.#queries
      .deleteFrom('leavers')
      .where('company_id', '=', companyId)
      .where('user_id', '=', userId)
      .execute()
  }

  async listLeft(companyId: string, userIds: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#queries
      .selectFrom('leavers')
      .select('user_id')
      .where('company_id', '=', companyId)
      .where('user_id', 'in', userIds)
      .where('left_at', 'is not', null)
      .execute()
    return rows.map((row) => row.user_id)
  }

  async listLeftSince(companyId: string, since: Instant): Promise<readonly Departure[]> {
    const rows = await this.#queries
      .selectFrom('leavers')
      .selectAll()
      .where('company_id', '=', companyId)
      .where('left_at', '>=', since)
      .execute()
    return rows.map(departureOf)
  }

  async takeDepartureToRead(
    companyId: string,
    readBefore: Instant,
    now: Instant,
  ): Promise<Departure | undefined> {
    const row = await this.#longestUnread(companyId, readBefore)
    if (!row) return undefined
    const { numUpdatedRows } = await this.#queries
      .updateTable('leavers')
      .set({ read_at: now })
      .where('company_id', '=', companyId)
      .where('user_id', '=', row.user_id)
      .where('read_at', '=', row.read_at)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) return departureOf({ ...row, read_at: now })
    return this.takeDepartureToRead(companyId, readBefore, now)
  }

  async shareOfDepartures(companyId: string, closedSince: Instant): Promise<DepartureShare> {
    const { people, leaving } = await feedsOfPeople(this.#queries)
      .leftJoin('leavers', (join) =>
        join
          .onRef('leavers.company_id', '=', 'feeds.company_id')
          .onRef('leavers.user_id', '=', 'feed_users.user_id'),
      )
      .select((rows) => [
        rows.fn.count<number>('feed_users.user_id').distinct().as('people'),
        rows.fn.count<number>('leavers.user_id').distinct().as('leaving'),
      ])
      .where('feeds.company_id', '=', companyId)
      .where('feeds.revoked_at', 'is', null)
      .where((row) =>
        row.or([row('feeds.closed_at', 'is', null), row('feeds.closed_at', '>=', closedSince)]),
      )
      .where((row) =>
        row.or([row('leavers.left_at', 'is', null), row('leavers.left_at', '>=', closedSince)]),
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
    const rows = await feedsOfPeople(this.#queries)
      .selectAll('feeds')
      .where('feed_users.user_id', '=', userId)
      .where('feeds.company_id', '=', companyId)
      .where('feeds.audience', '=', 'own')
      .where('feeds.revoked_at', 'is', null)
      .execute()
    return rows.map(feedOf)
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
              .selectFrom('leavers')
              .select('leavers.user_id')
              .where('leavers.company_id', '=', companyId)
              .where('leavers.user_id', '=', person.ref('feed_users.user_id')),
          ),
        ),
      )
      .orderBy('feed_users.user_id')
      .limit(limit)
  }

  #longestUnread(companyId: string, readBefore: Instant): Promise<DepartureRow | undefined> {
    return this.#queries
      .selectFrom('leavers')
      .selectAll()
      .where('company_id', '=', companyId)
      .where('read_at', '<=', readBefore)
      .where((departure) =>
        departure.exists(
          feedsOfPeople(this.#queries)
            .select('feeds.id')
            .where('feed_users.user_id', '=', departure.ref('leavers.user_id'))
            .where('feeds.company_id', '=', departure.ref('leavers.company_id'))
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

function departureOf(row: DepartureRow): Departure {
  return {
    companyId: row.company_id,
    userId: row.user_id,
    because: row.because,
    since: row.since,
    readAt: row.read_at,
    leftAt: row.left_at,
  }
}
