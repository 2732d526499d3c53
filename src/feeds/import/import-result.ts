import type { AppError } from '../../domain/errors.ts'
import type { FeedDraft } from '../feed-drafts.ts'
import { type FeedView, type ImportedFeedView, viewFeed } from '../feed-view.ts'
import { writeCsv } from './csv.ts'

/** What became of one row. */
export interface ImportedRow {
  readonly status: 'created' | 'rotated' | 'skipped' | 'failed'
  /** As it would be where it could not be made. */
  readonly feed: FeedView
  /** The new address, shown only here; null for a skipped or failed row. */
  readonly url: string | null
  /** Why it failed, in a sentence. */
  readonly reason: string | null
  /** As the Read API knows it; empty where it does not. */
  readonly email: string
}

/** What became of a row that did not fail. */
export type RowOutcome = Pick<ImportedRow, 'status' | 'feed' | 'url'>

const header = ['userId', 'name', 'email', 'url', 'status', 'feedId', 'reason']

/** A row that did not fail. */
export function importedRow({ users }: FeedDraft, { status, feed, url }: RowOutcome): ImportedRow {
  return { status, feed, url, reason: null, email: users[0]?.email ?? '' }
}

/** A row whose feed could not be made or rotated. */
export function failedRow(draft: FeedDraft, { message }: AppError): ImportedRow {
  const feed = viewFeed(draft.feed, [])
  return { ...importedRow(draft, { status: 'failed', feed, url: null }), reason: message }
}

/** What became of each row as a table for a mail merge. */
export function importCsv(rows: readonly ImportedRow[]): string {
  return writeCsv(header, rows.map(cellsOf))
}

/** The line of that table for one row, after its header for the first. */
export function importLine(row: ImportedRow, isFirst: boolean): string {
  return isFirst ? importCsv([row]) : writeCsv(cellsOf(row), [])
}

/** What became of a row as programs see it. */
export function viewRow({ feed, status, email, reason }: ImportedRow): ImportedFeedView {
  return { ...feed, status, email, ...(reason === null ? {} : { reason }) }
}

function cellsOf({ feed, email, url, status, reason }: ImportedRow): readonly string[] {
  const feedId = status === 'failed' ? '' : feed.id
  return [feed.userIds[0] ?? '', feed.name, email, url ?? '', status, feedId, reason ?? '']
}
