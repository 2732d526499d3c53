import type { Kysely } from 'kysely'

import type { Database } from '../database/database.ts'
import { type CopyName, keyPrefix, type LedgersEnd, type RetentionStore } from '../domain/copy.ts'
import type { Instant } from '../domain/world.ts'
import { holds } from './rows.ts'
import type { StoreTables } from './tables.ts'

const leavesOf = keyPrefix('leaves')

/** Finds and drops what no open feed needs any more. */
export class SqlRetentionStore implements RetentionStore {
  readonly #database: Database<StoreTables>
  readonly #queries: Kysely<StoreTables>

  constructor(database: Database<StoreTables>) {
    this.#database = database
    this.#queries = database.queries
  }

  async listCopiesWithReasons(): Promise<readonly CopyName[]> {
    return this.#queries
      .selectFrom('copies')
      .select(['connection_id as connectionId', 'key'])
      .where('with_reasons', '=', 1)
      .where('key', 'like', `${leavesOf}%`)
      .execute()
  }

  async listCopiesBefore(fetchedBefore: Instant): Promise<readonly CopyName[]> {
    return this.#queries
      .selectFrom('copies')
      .select(['connection_id as connectionId', 'key'])
      .where('fetched_at', '<', fetchedBefore)
      .execute()
  }

  async hasOpenFeed(
    companyId: string,
    { userId, names }: { userId?: string; names?: string },
  ): Promise<boolean> {
    const feed = await this.#queries
      .selectFrom('feeds')
      .select('id')
      .where('company_id', '=', companyId)
      .where('revoked_at', 'is', null)
      .where('closed_at', 'is', null)
      .where((feeds) => {
        const people = feeds.selectFrom('feed_users').select('feed_id')
        return feeds.and([
          ...(userId == null ? [] : [feeds('id', 'in', people.where('user_id', '=', userId))]),
          ...(names == null ? [] : [holds('own_options', JSON.stringify(names))]),
        ])
      })
      .limit(1)
      .executeTakeFirst()
    return feed !== undefined
  }

  async purgeCopy({ connectionId, key }: CopyName): Promise<void> {
    await this.#queries.transaction().execute(async (transaction) => {
      await transaction
        .deleteFrom('copies')
        .where('connection_id', '=', connectionId)
        .where('key', '=', key)
        .execute()
      if (!key.startsWith(leavesOf)) return
      await transaction
        .deleteFrom('leave_owners')
        .where('connection_id', '=', connectionId)
        .where('user_id', '=', key.slice(leavesOf.length))
        .where('contested', '=', 0)
        .execute()
    })
  }

  async purgeDepartures(): Promise<void> {
    await this.#queries
      .deleteFrom('departures')
      .where((departure) =>
        departure.not(
          departure.exists(
            departure
              .selectFrom('people')
              .select('people.user_id')
              .whereRef('people.company_id', '=', 'departures.company_id')
              .whereRef('people.user_id', '=', 'departures.user_id'),
          ),
        ),
      )
      .where((departure) =>
        departure.not(
          departure.exists(
            departure
              .selectFrom('feed_users')
              .innerJoin('feeds', 'feeds.id', 'feed_users.feed_id')
              .select('feeds.id')
              .whereRef('feed_users.user_id', '=', 'departures.user_id')
              .whereRef('feeds.company_id', '=', 'departures.company_id')
              .where('feeds.revoked_at', 'is', null),
          ),
        ),
      )
      .execute()
  }

  async purgeLedgers({ revokedBefore, closedBefore }: LedgersEnd): Promise<number> {
    const { numDeletedRows } = await this.#queries
      .deleteFrom('ledgers')
      .where('token_hash', 'in', (ledgers) =>
        ledgers
          .selectFrom('links')
          .innerJoin('feeds', 'feeds.id', 'links.feed_id')
          .select('token_hash')
          .where((ended) =>
            ended.or([
              ended('revoked_at', '<', revokedBefore),
              ended('closed_at', '<', closedBefore),
              ended('ends_at', '<', closedBefore),
            ]),
          ),
      )
      .executeTakeFirst()
    return Number(numDeletedRows)
  }
  purgeBackups(madeBefore: Instant): void {
    this.#database.dropBackups(madeBefore)
  }

  forgetPurged(): Promise<boolean> {
    return this.#database.emptyLog()
  }
}
