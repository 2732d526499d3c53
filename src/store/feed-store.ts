import { type ExpressionBuilder, type Kysely, type SqlBool, type Expression } from 'kysely'

import type { Database, Dialect } from '../database/database.ts'
import { AppError } from '../domain/errors.ts'
import {
  type Creation,
  creationKeptMs,
  type Feed,
  type FeedChange,
  type FeedFilter,
  type FeedStore,
  type FeedWithLink,
} from '../domain/feed.ts'
import type { FeedLink } from '../domain/link.ts'
import { findMissing, insertFeeds, insertUsers, takeCompaniesTurn } from './feed-inserts.ts'
import { feedOf, feedRow } from './feed-rows.ts'
import type { FeedRow, StoreTables } from './tables.ts'

/** How often a change is tried while others change the same feed. */
const attemptsMax = 20

/** Feeds, each row replaced by compare-and-set on its revision. */
export class SqlFeedStore implements FeedStore {
  readonly #queries: Queries
  readonly #dialect: Dialect

  constructor({ queries, dialect }: Database<StoreTables>) {
    this.#queries = queries
    this.#dialect = dialect
  }

  createFeed(feed: Feed, link: FeedLink): Promise<void> {
    return this.createFeeds([{ feed, link }])
  }

  async createFeeds(feeds: readonly FeedWithLink[], creation?: Creation): Promise<void> {
    await this.#queries.transaction().execute(async (transaction) => {
      if (creation) await insertCreation(transaction, creation)
      await insertFeeds(transaction, feeds)
    })
  }

  createMissingFeeds(feeds: readonly FeedWithLink[]): Promise<ReadonlySet<string>> {
    return this.#queries.transaction().execute(async (transaction) => {
      await takeCompaniesTurn(transaction, this.#dialect, feeds)
      const missing = await findMissing(transaction, feeds)
      await insertFeeds(transaction, missing)
      return new Set(missing.map(({ feed }) => feed.id))
    })
  }

  async findCreation(keyHash: string): Promise<Creation | undefined> {
    const row = await this.#queries
      .selectFrom('creations')
      .selectAll()
      .where('key_hash', '=', keyHash)
      .executeTakeFirst()
    return (
      row && {
        keyHash,
        requestHash: row.request_hash,
        feedIds: JSON.parse(row.feed_ids),
        createdAt: row.created_at,
      }
    )
  }

  async findFeed(id: string): Promise<Feed | undefined> {
    const row = await this.#queries
      .selectFrom('feeds')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row && feedOf(row)
  }

  async listFeeds(filter: FeedFilter): Promise<readonly Feed[]> {
    const rows = await this.#queries
      .selectFrom('feeds')
      .selectAll()
      .where((feeds) => feeds.and(conditions(filter, feeds)))
      .orderBy('created_at')
      .orderBy('id')
      .limit(filter.limit)
      .execute()
    return rows.map(feedOf)
  }

  async changeFeed(id: string, change: FeedChange): Promise<Feed | undefined> {
    for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
      const feed = await this.findFeed(id)
      const changed = feed && (await change(feed))
      if (!changed) return feed
      const replaced = await this.#replace(feedRow({ ...changed, revision: feed.revision + 1 }))
      if (replaced) return replaced
    }
    throw new AppError('conflict', 'The feed is being changed by others; try again.')
  }

  async markLeavesShown(feedId: string): Promise<void> {
    await this.#queries
      .updateTable('feeds')
      .set({ leaves_shown: 1 })
      .where('id', '=', feedId)
      .execute()
  }

  /** Undefined if the feed is no longer of the revision before. */
  #replace(row: FeedRow): Promise<Feed | undefined> {
    return this.#queries.transaction().execute(async (transaction) => {
      // Only markLeavesShown sets it: who changes a feed may have read it before.
      const { leaves_shown: _, ...changed } = row
      const { numUpdatedRows } = await transaction
        .updateTable('feeds')
        .set(changed)
        .where('id', '=', row.id)
        .where('revision', '=', row.revision - 1)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return undefined
      const feed = feedOf(row)
      await transaction.deleteFrom('feed_users').where('feed_id', '=', feed.id).execute()
      await insertUsers(transaction, [feed])
      return feed
    })
  }
}

type Queries = Kysely<StoreTables>

/** A key that is known no longer may be used again. */
async function insertCreation(queries: Queries, creation: Creation): Promise<void> {
  const { keyHash, requestHash, feedIds, createdAt } = creation
  await queries
    .deleteFrom('creations')
    .where('created_at', '<=', createdAt - creationKeptMs)
    .execute()
  await queries
    .insertInto('creations')
    .values({
      key_hash: keyHash,
      request_hash: requestHash,
      feed_ids: JSON.stringify(feedIds),
      created_at: createdAt,
    })
    .execute()
}

function conditions(
  { companyId, userId, name, unrevoked, after }: FeedFilter,
  feeds: ExpressionBuilder<StoreTables, 'feeds'>,
): Expression<SqlBool>[] {
  const ofUser = feeds.selectFrom('feed_users').select('feed_id')
  return [
    ...(companyId == null ? [] : [feeds('company_id', '=', companyId)]),
    ...(userId == null ? [] : [feeds('id', 'in', ofUser.where('user_id', '=', userId))]),
    ...(name == null ? [] : [feeds('name', '=', name)]),
    ...(unrevoked ? [feeds('revoked_at', 'is', null)] : []),
    ...(after
      ? [feeds(feeds.refTuple('created_at', 'id'), '>', feeds.tuple(after.createdAt, after.id))]
      : []),
  ]
}
