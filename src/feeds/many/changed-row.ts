import { type LinkRow, noteOf } from '../import/link-table.ts'

/** What became of one feed. */
export interface ChangedRow extends LinkRow {
  readonly status:
    | 'rotated'
    | 'revoked'
    | 'skipped'
    | 'failed'
    | `would be ${'rotated' | 'revoked'}`
}

/** What became of a feed as programs see it. */
export function viewChanged({ link, status, reason: why, warnings, ...row }: ChangedRow): object {
  const reason = noteOf({ reason: why, ...(warnings && { warnings }) })
  const addresses = link ? { url: link.url, page: link.page } : {}
  const said = reason === null ? {} : { [status === 'failed' ? 'error' : 'note']: reason }
  return { ...row, status: wordOf(status), ...addresses, ...said }
}

/** What has ended before is done as well. */
function wordOf(status: ChangedRow['status']): string {
  return status === 'failed' || status.startsWith('would') ? status : 'done'
}
