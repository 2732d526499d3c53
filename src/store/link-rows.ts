import type { Kysely, SelectQueryBuilder } from 'kysely'

import type { Choices, FeedLink, LinkOfFeed, Publication } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'
import { choicesColumn } from './json-columns.ts'
import { feedOf, readRow } from './rows.ts'
import type { FeedRow, LinkRow, StoreTables } from './tables.ts'

type Queries = Kysely<StoreTables>

type LinkWithFeedRow = FeedRow &
  Omit<LinkRow, 'created_at' | 'purged'> & { link_created_at: Instant; link_purged: number }

/** Every link with its feed. */
export function linksWithFeeds(
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

/** The one whose token has that hash. */
export function withToken(
  queries: Queries,
  tokenHash: Uint8Array,
): Promise<LinkWithFeedRow | undefined> {
  return linksWithFeeds(queries).where('token_hash', '=', tokenHash).executeTakeFirst()
}

/** The link and its feed that such a row holds; `unavailable` where it cannot be read. */
export function linkOfFeed(row: LinkWithFeedRow): LinkOfFeed {
  const ofLink = { created_at: row.link_created_at, purged: row.link_purged }
  return { feed: feedOf(row), link: linkOf({ ...row, ...ofLink }) }
}

/** The link that a row holds; `unavailable` where it cannot be read. */
export function linkOf(row: LinkRow): FeedLink {
  return {
    feedId: row.feed_id,
    label: row.label,
    tokenHash: row.token_hash,
    createdAt: row.created_at,
    endsAt: row.ends_at,
    endingSince: row.ending_since,
    purged: row.purged === 1,
    choices: choicesOf(row),
    publication: publicationOf(row),
  }
}

function choicesOf({ feed_id: feedId, choices }: LinkRow): Choices {
  if (choices === null) return {}
  return readRow(`a link of the feed ${feedId}`, () => choicesColumn.parse(JSON.parse(choices)))
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
    choices: choicesText(link.choices),
    ...publicationColumns(link.publication),
  }
}

/** As they are kept; null where nothing is chosen. */
export function choicesText(choices: Choices): string | null {
  return Object.keys(choices).length === 0 ? null : JSON.stringify(choices)
}

type PublicationColumns = Pick<LinkRow, 'fingerprint' | 'etag' | 'last_modified'>

/** What the link served last, as it is kept. */
export function publicationColumns(publication: Publication | null): PublicationColumns {
  return {
    fingerprint: publication?.fingerprint ?? null,
    etag: publication?.etag ?? null,
    last_modified: publication?.lastModified ?? null,
  }
}
