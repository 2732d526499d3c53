import { writeCsv } from './csv.ts'
import type { ImportedRow } from './feed-import.ts'
import type { FeedView } from './feed-view.ts'

const header = ['userId', 'name', 'email', 'url', 'status', 'feedId', 'reason']

interface RowView extends Pick<ImportedRow, 'status' | 'email'> {
  readonly reason?: string
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
export function viewRow({ feed, status, email, reason }: ImportedRow): FeedView & RowView {
  return { ...feed, status, email, ...(reason === null ? {} : { reason }) }
}

function cellsOf({ feed, email, url, status, reason }: ImportedRow): readonly string[] {
  const feedId = status === 'failed' ? '' : feed.id
  return [feed.userIds[0] ?? '', feed.name, email, url ?? '', status, feedId, reason ?? '']
}
