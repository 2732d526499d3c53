import type { Kysely, SelectQueryBuilder } from 'kysely'

import type { StoreTables } from '../tables.ts'

/** Everyone in a feed, once for each feed. */
export function peopleInFeeds(
  queries: Kysely<StoreTables>,
): SelectQueryBuilder<StoreTables, 'feed_users' | 'feeds', object> {
  return queries.selectFrom('feed_users').innerJoin('feeds', 'feeds.id', 'feed_users.feed_id')
}

/** Others in open feeds who are not known to leave: the next ones by id, from the first on where there are no more. */
export async function listNeighbours(
  queries: Kysely<StoreTables>,
  companyId: string,
  userId: string,
  limit: number,
): Promise<readonly string[]> {
  const after = await staying(queries, companyId, limit).where('user_id', '>', userId).execute()
  const missing = limit - after.length
  const before =
    missing > 0
      ? await staying(queries, companyId, missing).where('user_id', '<', userId).execute()
      : []
  return [...after, ...before].map((row) => row.user_id)
}

function staying(queries: Kysely<StoreTables>, companyId: string, limit: number) {
  return peopleInFeeds(queries)
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
