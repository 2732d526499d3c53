import type { AppError } from '../../domain/errors.ts'
import { displayName } from '../../domain/user.ts'
import type { FeedDraft } from '../feed-drafts.ts'
import { type FeedView, type ImportedFeedView, type LinkView, viewFeed } from '../feed-view.ts'
import type { LinkRow } from './link-table.ts'

/** What became of one row. */
export interface ImportedRow extends LinkRow {
  readonly status: 'created' | 'rotated' | 'skipped' | 'failed'
  /** As it would be where it could not be made. */
  readonly feed: FeedView
}

/** What became of a row that did not fail. */
export interface RowOutcome extends Pick<ImportedRow, 'status' | 'feed'> {
  /** The one that was made. */
  readonly link?: LinkView
}

/** A row that did not fail. */
export function importedRow(draft: FeedDraft, outcome: RowOutcome): ImportedRow {
  return { ...rowOf(draft, outcome), feedId: outcome.feed.id }
}

/** A row whose feed could not be made or rotated. */
export function failedRow(draft: FeedDraft, { message }: AppError): ImportedRow {
  const feed = viewFeed(draft.feed, [])
  return { ...rowOf(draft, { status: 'failed', feed }), reason: message }
}

/** What became of a row as programs see it. */
export function viewRow({ feed, status, email, reason, ...row }: ImportedRow): ImportedFeedView {
  const said = reason === null ? {} : { reason }
  return { ...feed, status, displayName: row.displayName, email, ...said }
}

function rowOf({ users: [user] }: FeedDraft, { link, ...outcome }: RowOutcome): ImportedRow {
  return {
    ...outcome,
    userId: outcome.feed.userIds[0] ?? '',
    displayName: displayName(user),
    email: user?.email ?? '',
    feedId: '',
    label: link?.label ?? '',
    link: link ?? null,
    reason: null,
  }
}
