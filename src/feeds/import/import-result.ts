import type { AppError } from '../../domain/errors.ts'
import { displayName } from '../../domain/user.ts'
import type { FeedDraft } from '../feed-drafts.ts'
import { type FeedView, type ImportedFeedView, type LinkView, viewFeed } from '../feed-view.ts'
import { type LinkRow, noteOf, sayOthersGoOn } from './link-table.ts'

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
  /** What should be known of it. */
  readonly reason?: string | null
  /** Which other addresses of the feed go on. */
  readonly warnings?: readonly string[]
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
export function viewRow({ feed, status, email, ...row }: ImportedRow): ImportedFeedView {
  const reason = noteOf(row)
  const said = reason === null ? {} : { reason }
  const { displayName: name, mail } = row
  return { ...feed, status, displayName: name, email, ...said, ...(mail && { mail }) }
}

function rowOf(
  { users: [user] }: FeedDraft,
  { link, reason = null, ...outcome }: RowOutcome,
): ImportedRow {
  return {
    ...outcome,
    userId: outcome.feed.userIds[0] ?? '',
    displayName: displayName(user),
    email: user?.email ?? '',
    feedId: '',
    label: link?.label ?? '',
    link: link ?? null,
    reason,
  }
}

/** What whoever sent the table should look at, in sentences. */
export function rowWarnings(rows: readonly ImportedRow[]): readonly string[] {
  const noted = rows.filter(({ status, reason }) => status !== 'failed' && reason !== null)
  const doubled = noted.filter(({ status }) => status === 'created').length
  const others = noted.length - doubled
  const calendars = doubled === 1 ? 'calendar was' : 'calendars were'
  const feeds = others === 1 ? 'row differs from its feed' : 'rows differ from their feeds'
  return [
    ...(doubled > 0
      ? [
          `${doubled} ${calendars} made for people who have another: company, user and name together decide; the status names it.`,
        ]
      : []),
    ...(others > 0
      ? [`${others} ${feeds}, of which nothing was changed: the status says in what.`]
      : []),
    ...sayOthersGoOn(rows),
  ]
}
