import { type ExpressionBuilder, type Kysely, type SqlBool, type Expression } from 'kysely'

import type { Database } from '../database/database.ts'
import type { Feed, FeedLink, Publication } from '../domain/feed.ts'
import type { Instant } from '../domain/instant.ts'
import type { FeedFilter, FeedStore } from '../domain/ports.ts'
import { feedOf, feedRow, linkOf, linkRow, publicationColumns } from './feed-rows.ts'
import type { StoreTables } from './tables.ts'

/** Feeds and links; a link that has ended stays, so that its token is known to have ended. */
export class SqlFeedStore implements FeedStore {
  readonly #queries: Queries

  constructor({ queries }: Database<StoreTables>) {
    this.#queries = queries
  }

  async createFeed(feed: Feed, link: FeedLink): Promise<void> {
    await this.#queries.transaction().execute(async (transaction) => {
      await transaction.insertInto('feeds').values(feedRow(feed)).execute()
      await insertUsers(transaction, feed)
      await transaction.insertInto('links').values(linkRow(link)).execute()
    })
  }

  async findFeed(id: string): Promise<Feed | undefined> {
    const row = await this.#queries
      .selectFrom('feeds')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row && feedOf(row)
  }

  async findByTokenHash(
    tokenHash: Uint8Array,
  ): Promise<{ feed: Feed; link: FeedLink } | undefined> {
    const row = await this.#queries
      .selectFrom('links')
      .innerJoin('feeds', 'feeds.id', 'links.feed_id')
      .selectAll('feeds')
      .select(['token_hash', 'feed_id', 'label', 'ends_at', 'fingerprint', 'etag', 'last_modified'])
      .select('links.created_at as link_created_at')
      .where('token_hash', '=', tokenHash)
      .executeTakeFirst()
    return row && { feed: feedOf(row), link: linkOf({ ...row, created_at: row.link_created_at }) }
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

  async updateFeed(feed: Feed): Promise<boolean> {
    return this.#queries.transaction().execute(async (transaction) => {
      // Only markLeavesShown sets it: who changes a feed may have read it before.
      const { leaves_shown: _, ...row } = feedRow(feed)
      const { numUpdatedRows } = await transaction
        .updateTable('feeds')
        .set(row)
        .where('id', '=', feed.id)
        .where('revision', '=', feed.revision - 1)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      await transaction.deleteFrom('feed_users').where('feed_id', '=', feed.id).execute()
      await insertUsers(transaction, feed)
      return true
    })
  }

  async markLeavesShown(feedId: string): Promise<void> {
    await this.#queries
      .updateTable('feeds')
      .set({ leaves_shown: 1 })
      .where('id', '=', feedId)
      .execute()
  }

  async listLinks(feedIds: readonly string[]): Promise<readonly FeedLink[]> {
    if (feedIds.length === 0) return []
    const rows = await this.#queries
      .selectFrom('links')
      .selectAll()
      .where('feed_id', 'in', feedIds)
      .orderBy('created_at')
      .orderBy('label')
      .execute()
    return rows.map(linkOf)
  }

  async createLink(link: FeedLink): Promise<void> {
    await this.#queries.transaction().execute(async (transaction) => {
      await renameEndedLink(transaction, link)
      await transaction.insertInto('links').values(linkRow(link)).execute()
    })
  }

  async endLink(feedId: string, label: string, endsAt: Instant): Promise<boolean> {
    const { numUpdatedRows } = await this.#queries
      .updateTable('links')
      .set({ ends_at: endsAt })
      .where('feed_id', '=', feedId)
      .where('label', '=', label)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  async savePublication(
    { tokenHash }: FeedLink,
    before: Publication | null,
    now: Publication,
  ): Promise<boolean> {
    const served = publicationColumns(before)
    const { numUpdatedRows } = await this.#queries
      .updateTable('links')
      .set(publicationColumns(now))
      .where('token_hash', '=', tokenHash)
      .where('fingerprint', 'is not distinct from', served.fingerprint)
      .where('etag', 'is not distinct from', served.etag)
      .where('last_modified', 'is not distinct from', served.last_modified)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
}

type Queries = Kysely<StoreTables>

async function insertUsers(queries: Queries, { id, userIds }: Feed): Promise<void> {
  if (userIds.length === 0) return
  const rows = [...new Set(userIds)].map((userId) => ({ feed_id: id, user_id: userId }))
  await queries.insertInto('feed_users').values(rows).execute()
}

function conditions(
  { companyId, userId, after }: FeedFilter,
  feeds: ExpressionBuilder<StoreTables, 'feeds'>,
): Expression<SqlBool>[] {
  const ofUser = feeds.selectFrom('feed_users').select('feed_id')
  return [
    ...(companyId == null ? [] : [feeds('company_id', '=', companyId)]),
    ...(userId == null ? [] : [feeds('id', 'in', ofUser.where('user_id', '=', userId))]),
    ...(after
      ? [feeds(feeds.refTuple('created_at', 'id'), '>', feeds.tuple(after.createdAt, after.id))]
      : []),
  ]
}

/** A token hash tells ended links of one label apart. */
async function renameEndedLink(
  queries: Queries,
  { feedId, label, createdAt }: FeedLink,
): Promise<void> {
  const ended = await queries
    .selectFrom('links')
    .select('token_hash')
    .where('feed_id', '=', feedId)
    .where('label', '=', label)
    .where('ends_at', '<=', createdAt)
    .executeTakeFirst()
  if (!ended) return
  const suffix = Buffer.from(ended.token_hash).toString('hex', 0, 4)
  await queries
    .updateTable('links')
    .set({ label: `${label} (${suffix})` })
    .where('token_hash', '=', ended.token_hash)
    .execute()
}
