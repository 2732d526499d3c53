import { type Expression, sql } from 'kysely'

import type { ActivityStore, LinkPolls } from '../domain/activity.ts'
import { inParts } from './rows.ts'
import type { Queries, StoreDatabase } from './tables.ts'

/** A row has seven values; SQLite allows 32,766 per statement. */
const rowsMax = 1000

/** Polls per link and client family; removed with the link. */
export function activityStore({ queries }: StoreDatabase): ActivityStore {
  return {
    async addActivity(polls) {
      // The same order on every node prevents deadlocks.
      const inOrder = polls.toSorted((a, b) => Buffer.compare(a.tokenHash, b.tokenHash))
      for (const some of inParts(inOrder, rowsMax)) await addPolls(queries, some)
    },
    async listActivity(feedIds) {
      if (feedIds.length === 0) return []
      const rows = await queries
        .selectFrom('activity')
        .innerJoin('links', 'links.tokenHash', 'activity.tokenHash')
        .selectAll('activity')
        .select(['links.feedId', 'links.label'])
        .where('links.feedId', 'in', feedIds)
        .orderBy('links.feedId')
        .orderBy('links.label')
        .orderBy('activity.client')
        .execute()
      return rows.map(({ tokenHash: _, ...row }) => row)
    },
  }
}

/** Ignores polls of links that no longer exist. */
async function addPolls(queries: Queries, polls: readonly LinkPolls[]): Promise<void> {
  const hashes = polls.map(({ tokenHash }) => tokenHash)
  const links = queries.selectFrom('links').select('tokenHash').where('tokenHash', 'in', hashes)
  const known = new Set((await links.execute()).map((row) => hex(row.tokenHash)))
  const rows = polls.filter(({ tokenHash }) => known.has(hex(tokenHash)))
  if (rows.length === 0) return
  await queries
    .insertInto('activity')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['tokenHash', 'client']).doUpdateSet((both) => ({
        polls: both('activity.polls', '+', both.ref('excluded.polls')),
        lastStatus: later('lastStatus'),
        lastPolledAt: later('lastPolledAt'),
        hasChangeOf: both.fn.coalesce(later('hasChangeOf'), 'activity.hasChangeOf'),
      })),
    )
    .execute()
  await markPolled(
    queries,
    rows.filter(({ client }) => client !== 'browser'),
  )
}

/** One statement per feed prevents deadlocks between nodes; each feed is marked once in its life. */
async function markPolled(queries: Queries, polls: readonly LinkPolls[]): Promise<void> {
  if (polls.length === 0) return
  const hashes = polls.map(({ tokenHash }) => tokenHash)
  const unmarked = await queries
    .selectFrom('feeds')
    .select('id')
    .where('polled', '=', 0)
    .where('id', 'in', (feeds) =>
      feeds.selectFrom('links').select('feedId').where('tokenHash', 'in', hashes),
    )
    .execute()
  for (const { id } of unmarked) {
    await queries.updateTable('feeds').set({ polled: 1 }).where('id', '=', id).execute()
  }
}

/** Keeps the value of the later poll: batches of several nodes arrive in any order. */
function later<C extends 'lastStatus' | 'lastPolledAt' | 'hasChangeOf'>(
  column: C,
): Expression<LinkPolls[C]> {
  return sql`case when excluded.last_polled_at >= activity.last_polled_at
    then ${sql.ref(`excluded.${column}`)} else ${sql.ref(`activity.${column}`)} end`
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
