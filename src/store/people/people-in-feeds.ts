import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'

import type { DepartedMember } from '../../domain/departure.ts'
import type { StoreTables } from '../tables.ts'

/** Everyone in a feed, once for each feed. */
export function peopleInFeeds(
  queries: Kysely<StoreTables>,
): SelectQueryBuilder<StoreTables, 'feed_users' | 'feeds', object> {
  return queries.selectFrom('feed_users').innerJoin('feeds', 'feeds.id', 'feed_users.feed_id')
}

/** People in open feeds who are not known to leave, in random order. */
export async function listStaying(
  queries: Kysely<StoreTables>,
  companyId: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await peopleInFeeds(queries)
    .select('feed_users.user_id')
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
    .groupBy('feed_users.user_id')
    .orderBy(sql`random()`)
    .limit(limit)
    .execute()
  return rows.map((row) => row.user_id)
}

/** Those in open feeds who are believed to have left, by user and feed. */
export function listLeftInFeeds(
  queries: Kysely<StoreTables>,
  companyId: string,
  limit: number,
): Promise<readonly DepartedMember[]> {
  return peopleInFeeds(queries)
    .innerJoin('departures', 'departures.user_id', 'feed_users.user_id')
    .select(['feed_users.user_id as userId', 'feeds.id as feedId'])
    .where('departures.company_id', '=', companyId)
    .where('departures.left_at', 'is not', null)
    .where('feeds.company_id', '=', companyId)
    .where('feeds.revoked_at', 'is', null)
    .where('feeds.closed_at', 'is', null)
    .orderBy('feed_users.user_id')
    .orderBy('feeds.id')
    .limit(limit)
    .execute()
}
