import type { Kysely } from 'kysely'

import type { FeedCounts } from '../domain/feed.ts'
import type { StoreTables } from './tables.ts'

/** Counts all feeds by how they stand, by one walk through the index of their ends. */
export async function countFeeds(queries: Kysely<StoreTables>): Promise<FeedCounts> {
  const { all, revoked, closed } = await queries
    .selectFrom('feeds')
    .select(({ fn, eb }) => [
      fn.countAll<number>().as('all'),
      fn.count<number>('revoked_at').as('revoked'),
      fn
        .count<number>(eb.case().when('revoked_at', 'is', null).then(eb.ref('closed_at')).end())
        .as('closed'),
    ])
    .executeTakeFirstOrThrow()
  return { open: all - revoked - closed, closed, revoked }
}
