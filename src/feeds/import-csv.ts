import { writeCsv } from './csv.ts'
import type { ImportedRow } from './feed-import.ts'

/** What became of each row as a table for a mail merge. */
export function importCsv(rows: readonly ImportedRow[]): string {
  return writeCsv(
    ['userId', 'name', 'email', 'url', 'status', 'feedId'],
    rows.map(({ feed, email, url, status }) => [
      feed.userIds[0] ?? '',
      feed.name,
      email,
      url ?? '',
      status,
      feed.id,
    ]),
  )
}
