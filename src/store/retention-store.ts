import { type Kysely, sql } from 'kysely'

import type { Database } from '../database/database.ts'
import { type CopyName, keyPrefix, type LedgersEnd, type RetentionStore } from '../domain/copy.ts'
import type { Instant } from '../domain/world.ts'
import { holds, inRanges } from './rows.ts'
import type { StoreTables } from './tables.ts'

const leavesOf = keyPrefix('leaves')
/** Of a million feeds one read takes more than half a second, in which nobody else would be answered. */
const rowsAtOnceMax = 5000

/** Finds and drops what no open feed needs any more. */
export class SqlRetentionStore implements RetentionStore {
  readonly #database: Database<StoreTables>
  readonly #queries: Kysely<StoreTables>
  readonly #rowsAtOnce: number

  constructor(database: Database<StoreTables>, rowsAtOnce = rowsAtOnceMax) {
    this.#database = database
    this.#rowsAtOnce = rowsAtOnce
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
    const listed: CopyName[] = []
    await inRanges<CopyName>({ connectionId: '', key: '' }, async (from) => {
      const copies = this.#queries
        .selectFrom('copies')
        .select(['connection_id as connectionId', 'key'])
        .where(sql<boolean>`(connection_id, key) > (${from.connectionId}, ${from.key})`)
      const to = await copies
        .orderBy('connection_id')
        .orderBy('key')
        .limit(1)
        .offset(this.#rowsAtOnce)
        .executeTakeFirst()
      const within = to
        ? copies.where(sql<boolean>`(connection_id, key) <= (${to.connectionId}, ${to.key})`)
        : copies
      listed.push(...(await within.where('fetched_at', '<', fetchedBefore).execute()))
      return to
    })
    return listed
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

  async purgeLedgers(ended: LedgersEnd): Promise<number> {
    let purged = 0
    await inRanges<Uint8Array>(new Uint8Array(), async (from) => {
      const end = await this.#queries
        .selectFrom('links')
        .select('token_hash')
        .where('token_hash', '>', from)
        .orderBy('token_hash')
        .limit(1)
        .offset(this.#rowsAtOnce)
        .executeTakeFirst()
      purged += await this.#purgeLedgersWithin(ended, from, end?.token_hash)
      return end?.token_hash
    })
    return purged
  }

  async #purgeLedgersWithin(
    { revokedBefore, closedBefore }: LedgersEnd,
    from: Uint8Array,
    to: Uint8Array | undefined,
  ): Promise<number> {
    const { numDeletedRows } = await this.#queries
      .deleteFrom('ledgers')
      .where('token_hash', 'in', (ledgers) =>
        ledgers
          .selectFrom('links')
          .select('token_hash')
          .where('token_hash', '>', from)
          .$if(to !== undefined, (those) => those.where('token_hash', '<=', to ?? from))
          .where((link) =>
            link.or([
              link('ends_at', '<', closedBefore),
              link.exists(
                link
                  .selectFrom('feeds')
                  .select('feeds.id')
                  .whereRef('feeds.id', '=', 'links.feed_id')
                  .where((feed) =>
                    feed.or([
                      feed('revoked_at', '<', revokedBefore),
                      feed('closed_at', '<', closedBefore),
                    ]),
                  ),
              ),
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
    return this.#database.emptyLog(0)
  }
}
