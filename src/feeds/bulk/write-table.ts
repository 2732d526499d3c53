/* Tables as spreadsheets read them. */
import type { LinkView } from '../feed-view.ts'

/** How a table is written: for programs (RFC 4180), or for a double click in a spreadsheet. */
export const csvForms = {
  plain: { mark: '', separator: ',' },
  excel: { mark: '\uFEFF', separator: ';' },
} as const
export type CsvForm = keyof typeof csvForms

/** CSV with a header; no cell of it is run by a spreadsheet as a formula, whatever it separates by. */
export function writeCsv(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  form: CsvForm = 'plain',
): string {
  return csvForms[form].mark + writeLines([header, ...rows], form)
}

/** Further lines of the same table. */
function writeLines(rows: readonly (readonly string[])[], form: CsvForm = 'plain'): string {
  const { separator } = csvForms[form]
  return rows.map((cells) => `${cells.map(writeCell).join(separator)}\r\n`).join('')
}

/* A cell may be split again by a spreadsheet that separates otherwise, so a formula may begin behind any separator or line
   break in it as well; signs of full width count too (OWASP, "CSV Injection"). Each such place gets an apostrophe, and so
   does one that would be read back as if it had. */
const separators = String.raw`,;|\t\r\n\v\f\u0085\u2028\u2029`
const signs = String.raw`=+\-@＝＋－＠`
const atBegin = String.raw`(?=[ "'\u00A0]*[${signs}\t\r\n])`
const within = String.raw`(?=[ "'\u00A0]*[${signs}])`
const formulas = new RegExp(`^${atBegin}|(?<=[${separators}])${within}`, 'gu')
const harmless = new RegExp(`^'${atBegin}|(?<=[${separators}])'${within}`, 'gu')
const special = new RegExp(`["${separators}]`, 'u')

/** What `writeCsv` was given for the cell. */
export function readCell(cell: string): string {
  return cell.replaceAll(harmless, '')
}

function writeCell(cell: string): string {
  const safe = cell.replaceAll(formulas, "'")
  return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

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
  /** What became of the mail with its page, where one was asked for. */
  readonly mail?: 'mailed' | `mail refused: ${string}`
  /** Why it failed, or what should be known of it. */
  readonly reason: string | null
  /** Which other addresses of the feed go on beside the new one. */
  readonly warnings?: readonly string[]
}

/** Why a row failed, and all that should be known of it; null where that is nothing. */
export function noteOf({
  reason,
  warnings = [],
}: Pick<LinkRow, 'reason' | 'warnings'>): string | null {
  return [reason ?? [], warnings].flat().join(' ') || null
}

/** Of how many rows other addresses go on: one of them may be what the rotation was to end. */
export function sayOthersGoOn(rows: readonly Pick<LinkRow, 'warnings'>[]): readonly string[] {
  const count = rows.filter(({ warnings = [] }) => warnings.length > 0).length
  if (count === 0) return []
  const feeds = count === 1 ? '1 feed' : `${count} feeds`
  return [`Of ${feeds} other addresses go on: the status names them, and what ends them.`]
}

const header = ['userId', 'displayName', 'email', 'feedId', 'label', 'url', 'page', 'status']

/** Of a list of feeds these follow, for anyone who looks at it or makes the feeds elsewhere. */
const furtherHeader = ['name', 'state', 'lastPolledAt']

/** All columns of the tables: one that is read again leaves alone what stands in those it does not need. */
export const listColumns: readonly string[] = [...header, ...furtherHeader]

/** A feed of a list. */
export interface ListRow extends LinkRow {
  readonly name: string
  readonly state: string
  /** Null where no program has asked. */
  readonly lastPolledAt: string | null
}

/** The feeds of a list as a table. */
export function listTable(rows: readonly ListRow[], form: CsvForm = 'plain'): string {
  const lines = rows.map((row) => [...cellsOf(row), row.name, row.state, row.lastPolledAt ?? ''])
  return writeCsv(listColumns, lines, form)
}

/** The rows as a table. */
export function linkTable(rows: readonly LinkRow[], form: CsvForm = 'plain'): string {
  return writeCsv(header, rows.map(cellsOf), form)
}

/** The lines of the same table for further rows. */
export function linkLines(rows: readonly LinkRow[], form: CsvForm = 'plain'): string {
  return writeLines(rows.map(cellsOf), form)
}

function cellsOf({ link, status, mail, ...row }: LinkRow): readonly string[] {
  const { userId, displayName, email, feedId, label } = row
  const note = noteOf(row)
  const became: string = mail ?? status
  const said = note === null ? became : `${became}${became.endsWith('.') ? '' : ':'} ${note}`
  return [userId, displayName, email, feedId, label, link?.url ?? '', link?.page ?? '', said]
}
