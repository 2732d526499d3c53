import type { Choices, FeedLink } from '../domain/link.ts'
import { publicationColumns } from './rows.ts'
import type { LinkRow } from './tables.ts'

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
