/* Tables as spreadsheets write them. */
import { pipeline } from 'node:stream/promises'

import { CsvError, parse } from 'csv-parse'

import { AppError, type InputFault } from '../../domain/errors.ts'
import { likelyMeant } from '../../domain/nearest.ts'
import { createRests } from '../../json/rest.ts'
import type { LinkView } from '../feed-view.ts'

const recordBytesMax = 65_536
/** Whole exports of programs for staff have fewer. */
const columnsMax = 100
/** Of what is read between two rests. */
const sliceBytes = 32_768

/** One record of a CSV file by the names of its header, and its row as spreadsheets count them: the header is the first. */
export interface CsvRecord {
  readonly row: number
  readonly cells: Readonly<Record<string, string>>
}

/**
 * Reads CSV with a header (RFC 4180) as spreadsheets write it: separated by commas or, where the header is, by semicolons
 * or tabs; with or without a byte order mark or a first line such as `sep=;`; what a row lacks at its end is empty.
 * `invalid` for what is none, with a fault for each row that has more cells than the header, and as soon as there are more
 * than `tableRowsMax` rows.
 */
export async function readCsv(text: string): Promise<readonly CsvRecord[]> {
  const table = new Table()
  let lines = 0
  const [, announced] = /^\uFEFF?sep=([,;\t])\r?\n/i.exec(text) ?? []
  const delimiter = announced ?? delimiterOf(text)
  const bytes = Buffer.from(text)
  refuseWide(bytes, delimiter)
  const parser = parse({
    bom: true,
    delimiter,
    from_line: announced === undefined ? 1 : 2,
    max_record_size: recordBytesMax,
    on_record: (cells: string[], info) => {
      lines = info.lines
      table.add(cells)
      return null
    },
    relax_column_count: true,
  })
  try {
    await pipeline(slicesOf(bytes), parser.resume())
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw notCsv(error, lines + 1)
  }
  return table.records()
}

const quote = 0x22
const lineFeed = 0x0a
const carriage = 0x0d

/** The parser itself would make millions of cells of one line before it tells. No iterator goes through so many bytes in time. */
function refuseWide(bytes: Uint8Array, delimiter: string): void {
  const separator = delimiter.charCodeAt(0)
  const [first, second] = lineBreakOf(bytes)
  let [row, columns, isQuoted] = [1, 1, false]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === quote) isQuoted = !isQuoted
    if (isQuoted) continue
    if (byte === separator) columns += 1
    if (columns > columnsMax) throw tooWide(row)
    if (byte !== first || (second !== undefined && bytes[at + 1] !== second)) continue
    row += 1
    columns = 1
  }
}

/** The first one that is not quoted: the parser takes it for all. */
function lineBreakOf(bytes: Uint8Array): readonly number[] {
  let isQuoted = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === quote) isQuoted = !isQuoted
    if (isQuoted || (byte !== lineFeed && byte !== carriage)) continue
    return byte === carriage && bytes[at + 1] === lineFeed ? [carriage, lineFeed] : [byte]
  }
  return [lineFeed]
}

function tooWide(row: number): AppError {
  const message = `The table has more than ${columnsMax} columns in row ${row}: take out those that no calendar needs.`
  return new AppError('invalid', message)
}

/** SQLite, other tables and calendars have their turn between them. */
async function* slicesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const rests = createRests()
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    yield bytes.subarray(at, at + sliceBytes)
    if (rests.isDue()) await rests.take()
  }
}

/** What has been read of a table. */
class Table {
  #rows = 0
  #header: { readonly row: number; readonly names: readonly string[] } | undefined
  readonly #records: CsvRecord[] = []
  readonly #headersAgain: InputFault[] = []
  readonly #surplus: InputFault[] = []

  /** The next row, empty ones among them. */
  add(cells: readonly string[]): void {
    this.#rows += 1
    if (this.#rows - (this.#header?.row ?? 0) > tableRowsMax) throw tooManyRows()
    if (cells.every((cell) => cell.trim() === '')) return
    if (this.#header) this.#addRecord(this.#header.names, cells)
    else this.#header = { row: this.#rows, names: columnsOf(cells) }
  }

  /** Those that are not empty. */
  records(): readonly CsvRecord[] {
    const again = this.#headersAgain
    if (again.length > 0) {
      const message = `The table cannot be read: ${again[0]?.detail}`
      throw new AppError('invalid', message, { faults: again })
    }
    const surplus = this.#surplus
    if (surplus.length === 0) return this.#records
    const message = `The table is not valid CSV: ${surplus[0]?.detail}`
    throw new AppError('invalid', message, { faults: surplus })
  }

  #addRecord(names: readonly string[], cells: readonly string[]): void {
    const row = this.#rows
    const pointer = `/${this.#records.length}`
    if (isHeader(names, cells)) {
      const detail = `Row ${row} is the first line again: take it out.`
      this.#headersAgain.push({ pointer, detail })
    }
    if (cells.slice(names.length).some((cell) => cell.trim() !== '')) {
      const detail = `Row ${row} has ${cells.length} cells, the first line ${names.length}: a cell that holds the separator must stand in quotes.`
      this.#surplus.push({ pointer, detail })
    }
    const named = names.map((name, index) => [name, cells[index] ?? ''])
    this.#records.push({ row, cells: Object.fromEntries(named) })
  }
}

/** Tables that were put one below the other have the first line of each. */
function isHeader(names: readonly string[], cells: readonly string[]): boolean {
  return names.every((name, index) => columnNamed(cells[index] ?? '') === name)
}

function tooManyRows(): AppError {
  const message = `The table has more than ${tableRowsMax} rows, empty ones counted: split it.`
  return new AppError('invalid', message)
}

/** A quote that is never closed makes one cell of all that follows, which is found at its end only. */
function notCsv(error: CsvError, line: number): AppError {
  const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE'
  const why = isOpen
    ? `in the record that begins in line ${line} a quote is not closed, or it has more than ${recordBytesMax} bytes`
    : `in the record that begins in line ${line} a quote stands within a cell, or more follows behind one; such a cell must stand in quotes, each quote within it doubled`
  return new AppError('invalid', `The table is not valid CSV: ${why}.`, { cause: error })
}

/** What stands most often between the names of the header. */
function delimiterOf(text: string): string {
  const [header = ''] = /[^\s\uFEFF].*/.exec(text.slice(0, recordBytesMax)) ?? []
  const unquoted = header.replaceAll(/"[^"]*"/g, '')
  const count = (delimiter: string): number => unquoted.split(delimiter).length
  return [';', '\t'].reduce((most, it) => (count(it) > count(most) ? it : most), ',')
}

function columnsOf(cells: readonly string[]): readonly string[] {
  const names = cells.map(columnNamed)
  const doubled = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
  if (doubled === undefined) return names
  throw new AppError('invalid', `The table has two columns ${doubled} in its first line.`)
}

/* What the columns of tables are called. */

/** Those that a new feed is described by. */
export const feedColumns: readonly string[] = [
  'userId',
  'name',
  'timezone',
  'locale',
  'audience',
  'scheduleIds',
  'options',
]

/** Those by which a feed that exists is named. */
export const choiceColumns: readonly string[] = ['feedId', 'userId']

/** A title above a table is no longer. */
const titleRowsMax = 10

const byLowerCase = new Map(
  [...feedColumns, 'email', ...choiceColumns].map((name) => [name.toLowerCase(), name]),
)

/** The column of that name in any case; one that no table needs keeps its own. */
function columnNamed(given: string): string {
  const name = given.trim()
  return byLowerCase.get(name.toLowerCase()) ?? name
}

/** `invalid` where the first line names none of these columns, of which one is needed: it may stand below a title. */
export function refuseWithout(records: readonly CsvRecord[], needed: readonly string[]): void {
  const [first] = records
  const names = Object.keys(first?.cells ?? {})
  if (!first || needed.some((name) => names.includes(name))) return
  const isBelow = ({ cells }: CsvRecord): boolean =>
    Object.values(cells).some((cell) => needed.includes(columnNamed(cell)))
  const header = records.slice(0, titleRowsMax).find(isBelow)
  const has = `which has ${names
    .filter((name) => name !== '')
    .slice(0, 10)
    .join(', ')}`
  const where = header ? `row ${header.row} has it: take out what stands above` : has
  throw new AppError(
    'invalid',
    `The table needs a column ${needed.join(' or ')} in its first line${header ? '; ' : ', '}${where}.`,
  )
}

/** `invalid` where a name is likely that of a needed column, mistyped; one beside the column itself is left alone. */
export function refuseMistyped([first]: readonly CsvRecord[], needed: readonly string[]): void {
  const names = Object.keys(first?.cells ?? {})
  const absent = new Set(needed.filter((name) => !names.includes(name)))
  for (const name of names.filter((it) => it !== '' && !needed.includes(it))) {
    const meant = likelyMeant(name, needed)
    if (meant === undefined || !absent.has(meant)) continue
    throw new AppError(
      'invalid',
      `There is no column "${name}" in such a table; did you mean \`${meant}\`?`,
    )
  }
}

/** The bytes as text; `invalid` with a sentence about `what` where they are not of that encoding. */
export function decodeText(bytes: Uint8Array, what: string, encoding = 'utf-8'): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (cause) {
    const advice = 'save it in that encoding (in a spreadsheet: as CSV UTF-8)'
    throw new AppError('invalid', `${what} is not ${encoding.toUpperCase()}: ${advice}.`, { cause })
  }
}

/** A text, and what of it should be looked at, in sentences. */
export interface DecodedTable {
  readonly text: string
  readonly warnings: readonly string[]
}

/** No text has a NUL among its first bytes, unless it is UTF-16 without its mark. */
const textBytes = 4096

const asWindows =
  'The table is not UTF-8 and was read as Windows-1252: look whether letters such as ä and é are right in the names.'

/**
 * The bytes of a table as spreadsheets write it: UTF-16 where they begin with its mark, else UTF-8, and what is none of
 * them as Windows-1252, with a warning. `invalid` with a sentence about `what` for broken UTF-16
 * and for what is a workbook, `too_large` for more than `tableBytesMax`.
 */
export function decodeTable(bytes: Uint8Array, what: string): DecodedTable {
  refuseWorkbook(bytes, what)
  refuseTooLarge(bytes, what)
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('hex')
  const wide = { fffe: 'utf-16le', feff: 'utf-16be' }[mark]
  if (wide !== undefined) return { text: decodeText(bytes, what, wide), warnings: [] }
  if (bytes.subarray(0, textBytes).includes(0)) throw noTable(what)
  try {
    return { text: decodeText(bytes, what), warnings: [] }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), warnings: [asWindows] }
  }
}

function noTable(what: string): AppError {
  const advice = 'in a spreadsheet, save it as CSV UTF-8'
  return new AppError('invalid', `${what} is no table in an encoding that is read here: ${advice}.`)
}

export const tableBytesMax = 4 * 1024 * 1024
/** Below its first line. */
export const tableRowsMax = 10_000
/** Ten thousand feeds, each with all options and a rotation of weeks, hold fewer. */
export const containersMax = 500_000

/** Workbooks are ZIP archives, those of old OLE files. */
const workbookMarks = new Set(['504b0304', 'd0cf11e0'])

/** `invalid` for what a spreadsheet keeps in a form of its own. */
function refuseWorkbook(bytes: Uint8Array, what: string): void {
  const mark = Buffer.from(bytes.subarray(0, 4)).toString('hex')
  if (!workbookMarks.has(mark)) return
  throw new AppError('invalid', `${what} is an Excel workbook: save it as CSV.`)
}

/** `too_large` for more than `tableBytesMax`. */
function refuseTooLarge({ length }: Uint8Array, what: string): void {
  if (length <= tableBytesMax) return
  const most = `at most ${tableBytesMax} bytes`
  throw new AppError('too_large', `${what} is too large for a table: ${most}; split it.`)
}

/* Tables as spreadsheets read them. */

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

/** Of a list of feeds these follow, for whoever looks at it or makes the feeds elsewhere. */
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
