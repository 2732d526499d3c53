import type { Publication } from '../../domain/ledger.ts'
import { choicesText, type FeedLink } from '../../domain/link.ts'
import type { LinkRow } from '../tables.ts'

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

export type PublicationColumns = Pick<LinkRow, 'fingerprint' | 'etag' | 'last_modified'>

/** What the link served last, as it is kept. */
export function publicationColumns(publication: Publication | null): PublicationColumns {
  return {
    fingerprint: publication?.fingerprint ?? null,
    etag: publication?.etag ?? null,
    last_modified: publication?.lastModified ?? null,
  }
}
