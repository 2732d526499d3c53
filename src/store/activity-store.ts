import { type Expression, type Kysely, sql } from 'kysely'

import type { Database } from '../database/database.ts'
import type { ClientActivity, LinkPolls, ActivityStore } from '../domain/activity.ts'
import { inParts } from './rows.ts'
import type { ActivityRow, StoreTables } from './tables.ts'

/** A row has seven values. */
const rowsMax = 1000

/** Who asked for which link, per link and family of clients; it ends with the link. */
export class SqlActivityStore implements ActivityStore {
  readonly #queries: Kysely<StoreTables>

  constructor({ queries }: Database<StoreTables>) {
    this.#queries = queries
  }

  async addActivity(polls: readonly LinkPolls[]): Promise<void> {
    // In one order on every node, so that none waits for a row that the other holds.
    const inOrder = polls.toSorted((a, b) => Buffer.compare(a.tokenHash, b.tokenHash))
    for (const some of inParts(inOrder, rowsMax)) await this.#add(some)
  }

  async listActivity(feedIds: readonly string[]): Promise<readonly ClientActivity[]> {
    if (feedIds.length === 0) return []
    const rows = await this.#queries
      .selectFrom('activity')
      .innerJoin('links', 'links.token_hash', 'activity.token_hash')
      .selectAll('activity')
      .select(['links.feed_id', 'links.label'])
      .where('links.feed_id', 'in', feedIds)
      .orderBy('links.feed_id')
      .orderBy('links.label')
      .orderBy('activity.client')
      .execute()
    return rows.map(activityOf)
  }

  async #add(polls: readonly LinkPolls[]): Promise<void> {
    const known = await this.#queries
      .selectFrom('links')
      .select('token_hash')
      .where(
        'token_hash',
        'in',
        polls.map(({ tokenHash }) => tokenHash),
      )
      .execute()
    const hashes = new Set(known.map((row) => hex(row.token_hash)))
    const rows = polls.filter(({ tokenHash }) => hashes.has(hex(tokenHash))).map(activityRow)
    if (rows.length === 0) return
    await this.#queries
      .insertInto('activity')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['token_hash', 'client']).doUpdateSet((both) => ({
          polls: both('activity.polls', '+', both.ref('excluded.polls')),
          last_status: later('last_status'),
          last_polled_at: later('last_polled_at'),
          has_change_of: both.fn.coalesce(later('has_change_of'), 'activity.has_change_of'),
        })),
      )
      .execute()
    await this.#markPolled(rows.filter(({ client }) => client !== 'browser'))
  }

  /** One by one, so that nodes that mark the same feeds never wait for each other in a circle; each feed once in its life. */
  async #markPolled(rows: readonly ActivityRow[]): Promise<void> {
    if (rows.length === 0) return
    const hashes = rows.map((row) => row.token_hash)
    const unmarked = await this.#queries
      .selectFrom('feeds')
      .select('id')
      .where('polled', '=', 0)
      .where('id', 'in', (feeds) =>
        feeds.selectFrom('links').select('feed_id').where('token_hash', 'in', hashes),
      )
      .execute()
    for (const { id } of unmarked) {
      await this.#queries.updateTable('feeds').set({ polled: 1 }).where('id', '=', id).execute()
    }
  }
}

/** The column of whichever row is of the later poll: batches of several nodes come in any order. */
function later<C extends 'last_status' | 'last_polled_at' | 'has_change_of'>(
  column: C,
): Expression<ActivityRow[C]> {
  return sql`case when excluded.last_polled_at >= activity.last_polled_at
    then ${sql.ref(`excluded.${column}`)} else ${sql.ref(`activity.${column}`)} end`
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

function activityRow({ tokenHash, client, polls, ...last }: LinkPolls): ActivityRow {
  const { firstPolledAt, lastPolledAt, lastStatus, hasChangeOf } = last
  return {
    token_hash: tokenHash,
    client,
    first_polled_at: firstPolledAt,
    last_polled_at: lastPolledAt,
    last_status: lastStatus,
    polls,
    has_change_of: hasChangeOf,
  }
}

function activityOf(row: ActivityRow & { feed_id: string; label: string }): ClientActivity {
  const { label, client, polls } = row
  return {
    feedId: row.feed_id,
    label,
    client,
    firstPolledAt: row.first_polled_at,
    lastPolledAt: row.last_polled_at,
    lastStatus: row.last_status,
    polls,
    hasChangeOf: row.has_change_of,
  }
}
