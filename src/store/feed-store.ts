import type { Kysely } from 'kysely'

import type { Database } from '../database/database.ts'
import type { Deed } from '../domain/access/audit-entry.ts'
import { AppError } from '../domain/errors.ts'
import type {
  Creation,
  Feed,
  FeedChange,
  FeedCounts,
  FeedFilter,
  FeedStore,
  FeedWithLink,
} from '../domain/feed.ts'
import type { FeedLink } from '../domain/link.ts'
import { noteOnFeeds } from './access/deeds.ts'
import type { ChangedFeeds } from './changed-feeds.ts'
import { countFeeds, countOpenFeeds } from './feed-counts.ts'
import { filterConditions } from './feed-filters.ts'
import {
  addFeeds,
  addMissingFeeds,
  addOnlyFeed,
  findCreation,
  insertUsers,
} from './feed-inserts.ts'
import { changeRow, feedOf, feedRow, feedsWith, shownColumn, shownOf } from './rows.ts'
import type { FeedRow, StoreTables } from './tables.ts'

/** How often a change is tried while others change the same feed. */
const attemptsMax = 20

/** Feeds, each row replaced by compare-and-set on its revision. */
export class SqlFeedStore implements FeedStore {
  readonly #database: Database<StoreTables>
  readonly #queries: Kysely<StoreTables>
  readonly #changed: ChangedFeeds

  constructor(database: Database<StoreTables>, changed: ChangedFeeds) {
    this.#database = database
    this.#changed = changed
    this.#queries = database.queries
  }

  createFeed(feed: Feed, link: FeedLink): Promise<void> {
    return this.createFeeds([{ feed, link }])
  }

  createFeeds(feeds: readonly FeedWithLink[], creation?: Creation, deed?: Deed): Promise<void> {
    return addFeeds(this.#queries, feeds, creation, deed)
  }

  createMissingFeeds(feeds: readonly FeedWithLink[], deed?: Deed): Promise<ReadonlySet<string>> {
    return addMissingFeeds(this.#database, feeds, deed)
  }

  createOnlyFeed(feed: FeedWithLink, deed?: Deed): Promise<boolean> {
    return addOnlyFeed(this.#database, feed, deed)
  }

  findCreation(keyHash: string): Promise<Creation | undefined> {
    return findCreation(this.#queries, keyHash)
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
    if (filter.userIds?.length === 0) return []
    const rows = await this.#queries
      .selectFrom('feeds')
      .selectAll()
      .where((feeds) => feeds.and(filterConditions(filter, feeds, this.#database.dialect)))
      .orderBy('created_at')
      .orderBy('id')
      .limit(filter.limit)
      .execute()
    return rows.map(feedOf)
  }

  countFeeds(): Promise<FeedCounts> {
    return countFeeds(this.#queries)
  }

  countOpenFeeds(): Promise<ReadonlyMap<string, number>> {
    return countOpenFeeds(this.#queries)
  }

  async changeFeed(id: string, change: FeedChange, deed?: Deed): Promise<Feed | undefined> {
    for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
      const feed = await this.findFeed(id)
      const changed = feed && (await change(feed))
      if (!changed) return feed
      const row = feedRow({ ...changed, revision: feed.revision + 1 })
      const replacing = (): Promise<Feed | undefined> => this.#replace(row, deed)
      // What is no deed only fills in what was not known.
      const replaced = await (deed ? this.#changed.during(id, replacing) : replacing())
      if (replaced) return replaced
    }
    throw changedAllTheTime()
  }

  async markLeavesShown(feedId: string): Promise<void> {
    const feed = this.#queries.updateTable('feeds').where('id', '=', feedId)
    await feed.set({ leaves_shown: 1 }).execute()
  }

  async markShown(feedId: string, keys: readonly string[]): Promise<void> {
    for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
      if (await this.#addShown(feedId, keys)) return
    }
    throw changedAllTheTime()
  }

  /** False if others have added to them at the same time. */
  async #addShown(feedId: string, keys: readonly string[]): Promise<boolean> {
    const rows = this.#queries.selectFrom('feeds').select('shown').where('id', '=', feedId)
    const before = await rows.executeTakeFirst()
    if (!before) return true
    const shown = shownColumn([...new Set([...shownOf(before), ...keys])])
    if (shown === before.shown) return true
    const feed = this.#queries.updateTable('feeds').where('id', '=', feedId)
    return changeRow(feed.where('shown', '=', before.shown).set({ shown }))
  }

  /** Undefined if the feed is no longer of the revision before. */
  #replace(row: FeedRow, deed: Deed | undefined): Promise<Feed | undefined> {
    return this.#queries.transaction().execute(async (transaction) => {
      // Only markLeavesShown and markShown set them: who changes a feed may have read it before.
      const { leaves_shown: _, shown: __, ...columns } = row
      const before = transaction
        .updateTable('feeds')
        .where('id', '=', row.id)
        .where('revision', '=', row.revision - 1)
      if (!(await changeRow(before.set(columns)))) return undefined
      const feed = feedOf(row)
      await transaction.deleteFrom('feed_users').where('feed_id', '=', feed.id).execute()
      await insertUsers(transaction, [feed])
      await noteOnFeeds(transaction, deed, [{ feed }])
      return feed
    })
  }
}

/** Whether a feed that is not revoked has that person. */
export async function isInFeed(
  queries: Kysely<StoreTables>,
  companyId: string,
  userId: string,
): Promise<boolean> {
  const row = await feedsWith(queries, userId)
    .where('feeds.company_id', '=', companyId)
    .where('feeds.revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

function changedAllTheTime(): AppError {
  return new AppError('conflict', 'The feed is being changed by others; try again.')
}
