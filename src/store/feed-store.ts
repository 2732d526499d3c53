import { type ExpressionBuilder, type Kysely, type SqlBool, type Expression } from 'kysely'

import type { Database, Dialect } from '../database/database.ts'
import { type Creation, creationKeptMs } from '../domain/creation.ts'
import type { Feed, FeedLink, Publication } from '../domain/feed.ts'
import type { Instant } from '../domain/instant.ts'
import type { FeedFilter, FeedStore, FeedWithLink, RotatedLink } from '../domain/ports.ts'
import { findMissing, insertFeeds, insertUsers, takeCompaniesTurn } from './feed-inserts.ts'
import { feedOf, feedRow, linkOf, linkRow, publicationColumns } from './feed-rows.ts'
import { endLink, freeLabel, renameLink } from './link-changes.ts'
import type { StoreTables } from './tables.ts'

/** Feeds and links; a link that has ended stays, so that its token is known to have ended. */
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

  async findByTokenHash(
    tokenHash: Uint8Array,
  ): Promise<{ feed: Feed; link: FeedLink } | undefined> {
    const row = await this.#queries
      .selectFrom('links')
      .innerJoin('feeds', 'feeds.id', 'links.feed_id')
      .selectAll('feeds')
      .select(['token_hash', 'feed_id', 'label', 'ends_at', 'ending_since'])
      .select(['fingerprint', 'etag', 'last_modified'])
      .select(['links.created_at as link_created_at', 'links.purged as link_purged'])
      .where('token_hash', '=', tokenHash)
      .executeTakeFirst()
    if (!row) return undefined
    const ofLink = { created_at: row.link_created_at, purged: row.link_purged }
    return { feed: feedOf(row), link: linkOf({ ...row, ...ofLink }) }
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
      await insertUsers(transaction, [feed])
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

  endLink(feedId: string, label: string, endsAt: Instant, purged = false): Promise<boolean> {
    return endLink(this.#queries, { feedId, label }, { endsAt, endingSince: endsAt, purged })
  }

  async rotateLink(link: FeedLink, old: RotatedLink): Promise<boolean> {
    return this.#queries.transaction().execute(async (transaction) => {
      await takeTurn(transaction, link.feedId)
      const { endsAt } = old
      const end = { endsAt, endingSince: link.createdAt, purged: false }
      if (!(await endLink(transaction, link, end))) return false
      await renameLink(transaction, link, await freeLabel(transaction, link.feedId, old.label))
      await transaction.insertInto('links').values(linkRow(link)).execute()
      return true
    })
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

/** Rotations of one feed's links follow each other, on whatever nodes. */
async function takeTurn(queries: Queries, feedId: string): Promise<void> {
  await queries.updateTable('feeds').set({ id: feedId }).where('id', '=', feedId).execute()
}

/** A token hash tells ended links of one label apart. */
async function renameEndedLink(queries: Queries, link: FeedLink): Promise<void> {
  const { feedId, label, createdAt } = link
  const ended = await queries
    .selectFrom('links')
    .select('token_hash')
    .where('feed_id', '=', feedId)
    .where('label', '=', label)
    .where('ends_at', '<=', createdAt)
    .executeTakeFirst()
  if (!ended) return
  const suffix = Buffer.from(ended.token_hash).toString('hex', 0, 4)
  await renameLink(queries, link, `${label} (${suffix})`)
}
