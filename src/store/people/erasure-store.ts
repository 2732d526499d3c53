import { type Kysely, sql, type Transaction } from 'kysely'

import type { Database } from '../../database/database.ts'
import { type CopyName, keyPrefix } from '../../domain/copy.ts'
import { AppError } from '../../domain/errors.ts'
import type { Feed } from '../../domain/feed.ts'
import type { ErasureStore } from '../../domain/person.ts'
import { claimsTurn } from '../claims.ts'
import { keepingOf } from '../feed-store.ts'
import { feedOf, feedsWith, holds } from '../rows.ts'
import type { StoreTables } from '../tables.ts'
import { directoryTurn } from './people-store.ts'
import { erasureMark } from './person-rows.ts'

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

  async deletePerson(
    userId: string,
    copyKeys: readonly string[],
    companyIds: readonly string[],
  ): Promise<number> {
    return this.#queries.transaction().execute(async (transaction) => {
      await this.#takeTurnsOfClaims(transaction)
      await this.#database.takeTurn(transaction, keepingOf(userId))
      await this.#database.takeTurn(transaction, directoryTurn)
      const { numDeletedRows } = await transaction
        .deleteFrom('copies')
        .where('key', 'in', copyKeys)
        .executeTakeFirst()
      await deleteClaims(transaction, userId)
      await transaction.deleteFrom('departures').where('user_id', '=', userId).execute()
      await deleteFromDirectory(transaction, userId, companyIds)
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

  /** A reading that is being noted writes claims of others anew: none is under way while a person's are taken out. */
  async #takeTurnsOfClaims(transaction: Transaction<StoreTables>): Promise<void> {
    const rows = await transaction
      .selectFrom('leave_owners')
      .select('connection_id')
      .distinct()
      .orderBy('connection_id')
      .execute()
    for (const row of rows) {
      await this.#database.takeTurn(transaction, claimsTurn(row.connection_id))
    }
  }

  get #queries(): Kysely<StoreTables> {
    return this.#database.queries
  }
}

/** The mark keeps them from being seen again. */
async function deleteFromDirectory(
  people: Transaction<StoreTables>,
  userId: string,
  companyIds: readonly string[],
): Promise<void> {
  const known = await people
    .deleteFrom('people')
    .where('user_id', '=', userId)
    .returning('company_id')
    .execute()
  await people
    .updateTable('people')
    .set({ manager_id: null })
    .where('manager_id', '=', userId)
    .execute()
  const ids = new Set([...companyIds, ...known.map((row) => row.company_id)])
  const marks = [...ids].map((id) => ({ mark: erasureMark(id, userId) }))
  if (marks.length === 0) return
  await people
    .insertInto('erased_people')
    .values(marks)
    .onConflict((kept) => kept.doNothing())
    .execute()
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
