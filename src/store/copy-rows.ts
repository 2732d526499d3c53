/* The row of a copy without its records. */
import { type CopyHead, type Doubt } from '../domain/copy.ts'
import { doubtColumn, heldColumn } from './json-columns.ts'
import type { CopyRow } from './tables.ts'

/** What a row says of its copy. */
export function headOf(row: CopyRow): CopyHead {
  const { reach_past_days: pastDays, reach_future_days: futureDays } = row
  const doubt = doubtOf(row)
  return {
    key: row.key,
    contentHash: row.content_hash,
    begunAt: row.begun_at,
    fetchedAt: row.fetched_at,
    reach: pastDays === null || futureDays === null ? null : { pastDays, futureDays },
    missingSince: row.missing_since,
    ...(row.with_reasons === 1 ? { withReasons: true } : {}),
    ...(doubt && { doubt }),
    ...(row.held === null ? {} : { held: heldColumn.parse(JSON.parse(row.held)) }),
    ...(row.emptied_at === null ? {} : { emptiedAt: row.emptied_at }),
  }
}

/** The row of that copy, but for its connection. */
export function headRow(head: CopyHead): Omit<CopyRow, 'connection_id'> {
  return {
    key: head.key,
    content_hash: head.contentHash,
    begun_at: head.begunAt,
    fetched_at: head.fetchedAt,
    reach_past_days: head.reach?.pastDays ?? null,
    reach_future_days: head.reach?.futureDays ?? null,
    missing_since: head.missingSince,
    with_reasons: head.withReasons ? 1 : 0,
    doubt: head.doubt ? JSON.stringify(head.doubt) : null,
    held: head.held ? JSON.stringify(head.held) : null,
    emptied_at: head.emptiedAt ?? null,
  }
}

/** The doubt that a row holds. */
export function doubtOf({ doubt }: Pick<CopyRow, 'doubt'>): Doubt | undefined {
  return doubt === null ? undefined : doubtColumn.parse(JSON.parse(doubt))
}
