import type { Publication } from '../../domain/ledger.ts'
import type { FeedLink } from '../../domain/link.ts'
import { choicesText } from '../../domain/link.ts'
import type { FeedRow, LinkRow } from '../tables.ts'

/** Of feeds, by name: what is prepared stays as it is where another version of the program adds a column. */
export const feedColumns = [
  'feeds.id',
  'feeds.company_id',
  'feeds.user_ids',
  'feeds.audience',
  'feeds.name',
  'feeds.timezone',
  'feeds.locale',
  'feeds.own_options',
  'feeds.revision',
  'feeds.leaves_shown',
  'feeds.shown',
  'feeds.created_at',
  'feeds.revoked_at',
  'feeds.purged_at',
  'feeds.closed_at',
  'feeds.closed_because',
] as const satisfies readonly `feeds.${keyof FeedRow}`[]

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
    awaits_poll: link.awaitsPoll ? 1 : 0,
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
