import type { Choices, FeedLink, Publication } from '../domain/link.ts'
import { choicesColumn } from './json-columns.ts'
import { readRow } from './rows.ts'
import type { LinkRow } from './tables.ts'

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
