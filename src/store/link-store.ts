import type { Kysely, UpdateQueryBuilder, UpdateResult } from 'kysely'

import type { Database } from '../database/database.ts'
import type { Feed } from '../domain/feed.ts'
import type { FeedLink, LinkStore, Publication, RotatedLink } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'
import { changeRow, feedOf } from './rows.ts'
import type { LinkRow, StoreTables } from './tables.ts'

/** Links, each known by the hash of its token. */
export class SqlLinkStore implements LinkStore {
  readonly #queries: Queries

  constructor({ queries }: Database<StoreTables>) {
    this.#queries = queries
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

/** Gives the link an end, unless it ends earlier anyway; false if there is no such link. */
async function endLink(
  queries: Queries,
  name: LinkName,
  { endsAt, endingSince, purged }: Pick<FeedLink, 'endingSince' | 'purged'> & { endsAt: number },
): Promise<boolean> {
  await changeNamed(queries, name)
    .set({ ends_at: endsAt, ending_since: endingSince, purged: purged ? 1 : 0 })
    .where((links) => links.or([links('ends_at', 'is', null), links('ends_at', '>', endsAt)]))
    .execute()
  return (await labelsOf(queries, name.feedId)).has(name.label)
}

async function labelsOf(queries: Queries, feedId: string): Promise<ReadonlySet<string>> {
  const links = queries.selectFrom('links').select('label').where('feed_id', '=', feedId)
  return new Set((await links.execute()).map(({ label }) => label))
}

/** The wanted label, or the next one with a number that no link of the feed has. */
async function freeLabel(queries: Queries, feedId: string, wanted: string): Promise<string> {
  const taken = await labelsOf(queries, feedId)
  let label = wanted
  for (let number = 2; taken.has(label); number += 1) label = `${wanted} ${number}`
  return label
}

/** Gives a link another label, and with it all that is known of its clients. */
async function renameLink(queries: Queries, name: LinkName, label: string): Promise<void> {
  await changeNamed(queries, name).set({ label }).execute()
}

function changeNamed(
  queries: Queries,
  { feedId, label }: LinkName,
): UpdateQueryBuilder<StoreTables, 'links', 'links', UpdateResult> {
  return queries.updateTable('links').where('feed_id', '=', feedId).where('label', '=', label)
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

function linkOf(row: LinkRow): FeedLink {
  return {
    feedId: row.feed_id,
    label: row.label,
    tokenHash: row.token_hash,
    createdAt: row.created_at,
    endsAt: row.ends_at,
    endingSince: row.ending_since,
    purged: row.purged === 1,
    publication: publicationOf(row),
  }
}

function publicationOf({
  fingerprint,
  etag,
  last_modified,
}: PublicationColumns): Publication | null {
  if (fingerprint === null || etag === null || last_modified === null) return null
  return { fingerprint, etag, lastModified: last_modified }
}

/** The row that holds a link. */
export function linkRow(link: FeedLink): LinkRow {
  return {
    token_hash: link.tokenHash,
    feed_id: link.feedId,
    label: link.label,
    created_at: link.createdAt,
    ends_at: link.endsAt,
    ending_since: link.endingSince,
    purged: link.purged ? 1 : 0,
    ...publicationColumns(link.publication),
  }
}

type PublicationColumns = Pick<LinkRow, 'fingerprint' | 'etag' | 'last_modified'>

function publicationColumns(publication: Publication | null): PublicationColumns {
  return {
    fingerprint: publication?.fingerprint ?? null,
    etag: publication?.etag ?? null,
    last_modified: publication?.lastModified ?? null,
  }
}
