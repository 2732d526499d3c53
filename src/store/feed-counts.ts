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

/** By company, those that are neither revoked nor closed. */
export async function countOpenFeeds(
  queries: Kysely<StoreTables>,
): Promise<ReadonlyMap<string, number>> {
  const rows = await queries
    .selectFrom('feeds')
    .select(({ fn }) => ['company_id', fn.countAll<number>().as('open')])
    .where('revoked_at', 'is', null)
    .where('closed_at', 'is', null)
    .groupBy('company_id')
    .orderBy('company_id')
    .execute()
  return new Map(rows.map(({ company_id: companyId, open }) => [companyId, open]))
}
