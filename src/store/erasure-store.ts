import { type Kysely, sql, type Transaction } from 'kysely'

import type { Database } from '../database/database.ts'
import { type CopyName, keyPrefix } from '../domain/copy.ts'
import { AppError } from '../domain/errors.ts'
import type { Feed } from '../domain/feed.ts'
import type { ErasureStore } from '../domain/person.ts'
import { keepingOf } from './feed-store.ts'
import { feedOf, feedsWith, holds } from './rows.ts'
import type { StoreTables } from './tables.ts'

/** Takes a person out of every table, whichever company and connection the rows belong to. */
export class SqlErasureStore implements ErasureStore {
  readonly #database: Database<StoreTables>

  constructor(database: Database<StoreTables>) {
    this.#database = database
  }

  async listFeedsOf(userId: string): Promise<readonly Feed[]> {
    const rows = await feedsWith(this.#queries, userId)
      .orderBy('feeds.created_at')
      .orderBy('feeds.id')
      .execute()
    return rows.map(feedOf)
  }

  async deleteFeed(feedId: string): Promise<void> {
    await this.#queries.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('feeds').where('id', '=', feedId).execute()
      // A creation is known by the hash of what was asked for, the person's id in it.
      await transaction.deleteFrom('creations').where(holds('feed_ids', feedId)).execute()
    })
  }

  async deletePerson(userId: string, copyKeys: readonly string[]): Promise<number> {
    return this.#queries.transaction().execute(async (transaction) => {
      await this.#database.takeTurn(transaction, keepingOf(userId))
      const { numDeletedRows } = await transaction
        .deleteFrom('copies')
        .where('key', 'in', copyKeys)
        .executeTakeFirst()
      await deleteClaims(transaction, userId)
      await transaction.deleteFrom('departures').where('user_id', '=', userId).execute()
      // Findings name the people by whom a filter was tried; the next examination finds them anew.
      const named = JSON.stringify(userId).slice(1, -1)
      await transaction.deleteFrom('examinations').where(holds('findings', named)).execute()
      return Number(numDeletedRows)
    })
  }

  async listTaskCopies(): Promise<readonly CopyName[]> {
    return this.#queries
      .selectFrom('copies')
      .select(['connection_id as connectionId', 'key'])
      .where('key', 'like', `${keyPrefix('tasks')}%`)
      .execute()
  }

  async forgetDeleted(): Promise<void> {
    if (this.#database.dialect === 'postgres') return
    await sql`vacuum`.execute(this.#queries)
    const { rows } = await sql<{
      busy: number
    }>`pragma wal_checkpoint(truncate)`.execute(this.#queries)
    if (rows[0]?.busy === 0) return
    throw new AppError(
      'unavailable',
      'The database is in use, so deleted bytes remain; erase again.',
    )
  }

  get #queries(): Kysely<StoreTables> {
    return this.#database.queries
  }
}

/** A leave that only one person claims any longer is contested no more. */
async function deleteClaims(claims: Transaction<StoreTables>, userId: string): Promise<void> {
  await claims.deleteFrom('leave_owners').where('user_id', '=', userId).execute()
  await sql`
    update leave_owners set contested = 0 where contested = 1 and not exists (
      select 1 from leave_owners as other
      where other.connection_id = leave_owners.connection_id
        and other.leave_id = leave_owners.leave_id and other.user_id <> leave_owners.user_id)
  `.execute(claims)
}
