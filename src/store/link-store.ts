import type { Kysely, SelectQueryBuilder } from 'kysely'

import type { Database } from '../database/database.ts'
import type {
  Choices,
  FeedLink,
  LinkOfFeed,
  LinkStore,
  Publication,
  RotatedLink,
} from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'
import { copyLedger } from './ledger-store.ts'
import { endNamed, endOpen, endRotated } from './link-ends.ts'
import { choicesText, linkOf, linkRow, publicationColumns } from './link-rows.ts'
import { changeRow, feedOf } from './rows.ts'
import type { FeedRow, LinkRow, StoreTables } from './tables.ts'

/** Links, each known by the hash of its token. */
export class SqlLinkStore implements LinkStore {
  readonly #queries: Queries

  constructor({ queries }: Database<StoreTables>) {
    this.#queries = queries
  }

  async findByTokenHash(tokenHash: Uint8Array): Promise<LinkOfFeed | undefined> {
    const found = linksWithFeeds(this.#queries).where('token_hash', '=', tokenHash)
    const row = await found.executeTakeFirst()
    return row && linkOfFeed(row)
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

  async listLinksInFull(
    companyId: string,
    userId: string,
    now: Instant,
  ): Promise<readonly LinkOfFeed[]> {
    const rows = await linksWithFeeds(this.#queries)
      .innerJoin('feed_users', 'feed_users.feed_id', 'feeds.id')
      .where('feed_users.user_id', '=', userId)
      .where('company_id', '=', companyId)
      .where('revoked_at', 'is', null)
      .where('closed_at', 'is', null)
      .where('own_options', 'like', '%"detail":"full"%')
      .where((links) => links.or([links('ends_at', 'is', null), links('ends_at', '>', now)]))
      .execute()
    return rows.map(linkOfFeed)
  }

  async createLink(link: FeedLink): Promise<void> {
    await this.#queries.transaction().execute(async (transaction) => {
      const ended = await renameEndedLink(transaction, link)
      await transaction.insertInto('links').values(linkRow(link)).execute()
      if (ended) await copyLedger(transaction, ended, link.tokenHash)
    })
  }

  endLink(feedId: string, label: string, endsAt: Instant, purged = false): Promise<boolean> {
    return endNamed(this.#queries, { feedId, label }, { endsAt, endingSince: endsAt, purged })
  }

  endThis({ tokenHash }: FeedLink, endsAt: Instant): Promise<boolean> {
    return endOpen(this.#queries, tokenHash, { endsAt, endingSince: endsAt, purged: false })
  }

  async saveChoices({ tokenHash }: FeedLink, choices: Choices): Promise<void> {
    const link = this.#queries.updateTable('links').where('token_hash', '=', tokenHash)
    await link.set({ choices: choicesText(choices) }).execute()
  }

  async rotateLink(link: FeedLink, old: RotatedLink): Promise<boolean> {
    return this.#queries.transaction().execute(async (transaction) => {
      await takeTurn(transaction, link.feedId)
      const rotated = await findNamed(transaction, link)
      const end = { endsAt: old.endsAt, endingSince: link.createdAt, purged: false }
      if (!rotated || !(await endRotated(transaction, rotated.token_hash, end, old.tokenHash)))
        return false
      await renameLink(transaction, link, await freeLabel(transaction, link.feedId, old.label))
      await transaction.insertInto('links').values(linkRow(link)).execute()
      await copyLedger(transaction, rotated.token_hash, link.tokenHash)
      return true
    })
  }

  savePublication(
    { tokenHash }: FeedLink,
    before: Publication | null,
    now: Publication,
  ): Promise<boolean> {
    const { fingerprint, etag, last_modified: lastModified } = publicationColumns(before)
    const link = this.#queries.updateTable('links').where('token_hash', '=', tokenHash)
    const stillServing = link
      .where('fingerprint', 'is not distinct from', fingerprint)
      .where('etag', 'is not distinct from', etag)
      .where('last_modified', 'is not distinct from', lastModified)
    return changeRow(stillServing.set(publicationColumns(now)))
  }
}

type Queries = Kysely<StoreTables>
type LinkName = Pick<FeedLink, 'feedId' | 'label'>

type LinkWithFeedRow = FeedRow &
  Omit<LinkRow, 'created_at' | 'purged'> & { link_created_at: Instant; link_purged: number }

/** Every link with its feed. */
function linksWithFeeds(
  queries: Queries,
): SelectQueryBuilder<StoreTables, 'links' | 'feeds', LinkWithFeedRow> {
  return queries
    .selectFrom('links')
    .innerJoin('feeds', 'feeds.id', 'links.feed_id')
    .selectAll('feeds')
    .select(['token_hash', 'links.feed_id', 'label', 'ends_at', 'ending_since', 'choices'])
    .select(['fingerprint', 'etag', 'last_modified'])
    .select(['links.created_at as link_created_at', 'links.purged as link_purged'])
}

function linkOfFeed(row: LinkWithFeedRow): LinkOfFeed {
  const ofLink = { created_at: row.link_created_at, purged: row.link_purged }
  return { feed: feedOf(row), link: linkOf({ ...row, ...ofLink }) }
}

function findNamed(
  queries: Queries,
  { feedId, label }: LinkName,
): Promise<Pick<LinkRow, 'token_hash' | 'ends_at'> | undefined> {
  const links = queries.selectFrom('links').select(['token_hash', 'ends_at'])
  return links.where('feed_id', '=', feedId).where('label', '=', label).executeTakeFirst()
}

/** The wanted label, or the next one with a number that no link of the feed has. */
async function freeLabel(queries: Queries, feedId: string, wanted: string): Promise<string> {
  const links = queries.selectFrom('links').select('label').where('feed_id', '=', feedId)
  const taken = new Set((await links.execute()).map((link) => link.label))
  let label = wanted
  for (let number = 2; taken.has(label); number += 1) label = `${wanted} ${number}`
  return label
}

/** Gives a link another label, and with it all that is known of its clients. */
async function renameLink(queries: Queries, name: LinkName, label: string): Promise<void> {
  const links = queries.updateTable('links').where('feed_id', '=', name.feedId)
  await links.where('label', '=', name.label).set({ label }).execute()
}

/** Rotations of one feed's links follow each other, on whatever nodes. */
async function takeTurn(queries: Queries, feedId: string): Promise<void> {
  await queries.updateTable('feeds').set({ id: feedId }).where('id', '=', feedId).execute()
}

/** A token hash tells ended links of one label apart; undefined where none of that label has ended. */
async function renameEndedLink(queries: Queries, link: FeedLink): Promise<Uint8Array | undefined> {
  const named = await findNamed(queries, link)
  if (!named || named.ends_at === null || named.ends_at > link.createdAt) return undefined
  const suffix = Buffer.from(named.token_hash).toString('hex', 0, 4)
  await renameLink(queries, link, `${link.label} (${suffix})`)
  return named.token_hash
}
