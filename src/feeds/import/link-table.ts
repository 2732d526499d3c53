import type { LinkView } from '../feed-view.ts'
import { type CsvForm, writeCsv, writeLines } from './write-csv.ts'

/** What became of one feed and its link, for a mail merge. */
export interface LinkRow {
  readonly userId: string
  /** These two are empty where nobody says them. */
  readonly displayName: string
  readonly email: string
  /** Empty where there is none. */
  readonly feedId: string
  readonly label: string
  /** The new one, whose addresses stand nowhere else; null where none was made. */
  readonly link: LinkView | null
  readonly status: string
  /** Why it failed, in a sentence. */
  readonly reason: string | null
}

const header = ['userId', 'displayName', 'email', 'feedId', 'label', 'url', 'page', 'status']

/** The columns of the table: one that is read again leaves alone what stands in those it does not need. */
export const linkColumns: readonly string[] = header

/** The rows as a table. */
export function linkTable(rows: readonly LinkRow[], form: CsvForm = 'plain'): string {
  return writeCsv(header, rows.map(cellsOf), form)
}

/** The lines of the same table for further rows. */
export function linkLines(rows: readonly LinkRow[], form: CsvForm = 'plain'): string {
  return writeLines(rows.map(cellsOf), form)
}

function cellsOf({ link, status, reason, ...row }: LinkRow): readonly string[] {
  const { userId, displayName, email, feedId, label } = row
  const said = reason === null ? status : `${status}: ${reason}`
  return [userId, displayName, email, feedId, label, link?.url ?? '', link?.page ?? '', said]
}
