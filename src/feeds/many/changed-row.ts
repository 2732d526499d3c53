import type { LinkRow } from '../import/link-table.ts'

/** What became of one feed. */
export interface ChangedRow extends LinkRow {
  readonly status: 'rotated' | 'revoked' | 'skipped' | 'failed'
}

/** What became of a feed as programs see it. */
export function viewChanged({ link, status, reason, ...row }: ChangedRow): object {
  const addresses = link ? { url: link.url, page: link.page } : {}
  const said = reason === null ? {} : { error: reason }
  return { ...row, status: status === 'failed' ? 'failed' : 'done', ...addresses, ...said }
}
