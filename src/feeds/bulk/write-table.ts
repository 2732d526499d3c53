import type { LinkView } from '../feed-view.ts'

/** `plain` for programs (RFC 4180), `excel` for a double click in Excel. */
export const csvForms = {
  plain: { mark: '', separator: ',' },
  excel: { mark: '\uFEFF', separator: ';' },
} as const
export type CsvForm = keyof typeof csvForms

/** CSV with a header. Cells are guarded so that spreadsheets run none of them as a formula. */
export function writeCsv(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  form: CsvForm = 'plain',
): string {
  return csvForms[form].mark + writeLines([header, ...rows], form)
}

/** Further lines of the same table. */
export function writeLines(rows: readonly (readonly string[])[], form: CsvForm): string {
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

/** Reverses the guard of `writeCsv`. */
export function readCell(cell: string): string {
  return cell.replaceAll(harmless, '')
}

function writeCell(cell: string): string {
  const safe = cell.replaceAll(formulas, "'")
  return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One feed and its link, for a mail merge. */
export interface LinkRow {
  readonly userId: string
  /** Empty if unknown, as is the address. */
  readonly displayName: string
  readonly email: string
  /** Empty if there is none. */
  readonly feedId: string
  readonly label: string
  /** A new link, with its addresses; null if none was made. */
  readonly link: LinkView | null
  readonly status: string
  readonly mail?: 'mailed' | `mail refused: ${string}`
  /** Why it failed, or a note. */
  readonly reason: string | null
  /** Other addresses of the feed that keep working. */
  readonly warnings?: readonly string[]
}

/** Reason and warnings as one text; null if there are none. */
export function noteOf({
  reason,
  warnings = [],
}: Pick<LinkRow, 'reason' | 'warnings'>): string | null {
  return [reason ?? [], warnings].flat().join(' ') || null
}

/** Warns if other addresses keep working: one of them may be the one that leaked. */
export function sayOthersGoOn(rows: readonly Pick<LinkRow, 'warnings'>[]): readonly string[] {
  const count = rows.filter(({ warnings = [] }) => warnings.length > 0).length
  if (count === 0) return []
  const feeds = count === 1 ? '1 feed' : `${count} feeds`
  return [`Of ${feeds} other addresses go on: the status names them, and what ends them.`]
}

const header = ['userId', 'displayName', 'email', 'feedId', 'label', 'url', 'page', 'status']

const furtherHeader = ['name', 'state', 'lastPolledAt']

/** When a table is read again, these columns are ignored unless they are needed. */
export const listColumns: readonly string[] = [...header, ...furtherHeader]

export interface ListRow extends LinkRow {
  readonly name: string
  readonly state: string
  readonly lastPolledAt: string | null
}

/** The feeds of a list as a table. */
export function listTable(rows: readonly ListRow[], form: CsvForm): string {
  const lines = rows.map((row) => [...cellsOf(row), row.name, row.state, row.lastPolledAt ?? ''])
  return writeCsv(listColumns, lines, form)
}

export function linkTable(rows: readonly LinkRow[], form: CsvForm = 'plain'): string {
  return writeCsv(header, rows.map(cellsOf), form)
}

/** Further lines of the same table. */
export function linkLines(rows: readonly LinkRow[], form: CsvForm): string {
  return writeLines(rows.map(cellsOf), form)
}

function cellsOf({ link, status, mail, ...row }: LinkRow): readonly string[] {
  const { userId, displayName, email, feedId, label } = row
  const note = noteOf(row)
  const became: string = mail ?? status
  const said = note === null ? became : `${became}${became.endsWith('.') ? '' : ':'} ${note}`
  return [userId, displayName, email, feedId, label, link?.url ?? '', link?.page ?? '', said]
}
