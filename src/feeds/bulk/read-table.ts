/* Tables as spreadsheets write them: CSV in UTF-8. */
import { isUtf8 } from 'node:buffer'
import { pipeline } from 'node:stream/promises'

import { CsvError, parse } from 'csv-parse'

import { AppError, type InputFault } from '../../domain/errors.ts'
import { likelyMeant } from '../../domain/nearest.ts'
import { createRests } from '../../json/rest.ts'
import { readCell } from './write-table.ts'

export const tableBytesMax = 4 * 1024 * 1024
/** Not counting the header. */
export const tableRowsMax = 10_000
/** Ten thousand feeds, each with all options and a rotation of weeks, hold fewer objects and lists. */
export const containersMax = 500_000
const recordBytesMax = 65_536
/** More than in any HR export. */
const columnsMax = 100
const sliceBytes = 32_768
const shownCellMax = 40

export const feedColumns: readonly string[] = [
  'userId',
  'name',
  'timezone',
  'locale',
  'audience',
  'scheduleIds',
  'options',
]
export const choiceColumns: readonly string[] = ['feedId', 'userId']

const columnsByLowerCase = new Map(
  [...feedColumns, 'email', ...choiceColumns].map((name) => [name.toLowerCase(), name]),
)

/** A record by column name, with its row as spreadsheets count: the header is row 1. */
export interface CsvRecord {
  readonly row: number
  readonly cells: Readonly<Record<string, string>>
}

/** The text of a table in UTF-8; `invalid` for another encoding or a workbook, `too_large` for more than `tableBytesMax`. */
export function decodeTable(bytes: Uint8Array, what: string): string {
  // Workbooks are ZIP archives, old ones OLE files.
  if (['504b0304', 'd0cf11e0'].includes(Buffer.from(bytes.subarray(0, 4)).toString('hex'))) {
    throw new AppError('invalid', `${what} is an Excel workbook: save it as CSV.`)
  }
  if (bytes.length > tableBytesMax) {
    const message = `${what} is too large: at most ${tableBytesMax} bytes; split it.`
    throw new AppError('too_large', message)
  }
  if (isUtf8(bytes) && !bytes.includes(0)) return new TextDecoder().decode(bytes)
  throw new AppError('invalid', `${what} is not UTF-8: save it as CSV UTF-8.`)
}

/**
 * Reads CSV with a header (RFC 4180): commas, semicolons or tabs as separators; optionally a byte order mark or a first
 * line such as `sep=;`. Missing cells at the end of a row are empty. `invalid` for anything else, with a fault for each row
 * that has more cells than the header, and for more than `tableRowsMax` rows.
 */
export async function readCsv(text: string): Promise<readonly CsvRecord[]> {
  const records: CsvRecord[] = []
  const surplus: InputFault[] = []
  let [lines, row] = [0, 0]
  let header: { readonly row: number; readonly names: readonly string[] } | undefined
  const addRow = (cells: readonly string[]): void => {
    row += 1
    if (cells.length > columnsMax) {
      throw invalid(`The table has more than ${columnsMax} columns in row ${row}: remove some.`)
    }
    if (row - (header?.row ?? 0) > tableRowsMax) {
      throw invalid(`The table has more than ${tableRowsMax} rows, empty ones included: split it.`)
    }
    if (cells.every((cell) => cell.trim() === '')) return
    if (!header) {
      header = { row, names: columnsOf(cells) }
      return
    }
    const { names } = header
    if (cells.slice(names.length).some((cell) => cell.trim() !== '')) {
      const detail = `Row ${row} has ${cells.length} cells, the header ${names.length}: put quotes around a cell that contains the separator.`
      surplus.push({ pointer: `/${records.length}`, detail })
    }
    const named = names.map((name, index) => [name, cells[index] ?? ''])
    records.push({ row, cells: Object.fromEntries(named) })
  }
  const [, announced] = /^\uFEFF?sep=([,;\t])\r?\n/i.exec(text) ?? []
  const parser = parse({
    bom: true,
    delimiter: announced ?? delimiterOf(text),
    from_line: announced === undefined ? 1 : 2,
    max_record_size: recordBytesMax,
    on_record: (cells: string[], info) => {
      lines = info.lines
      addRow(cells)
      return null
    },
    relax_column_count: true,
  })
  try {
    await pipeline(slicesOf(Buffer.from(text)), parser.resume())
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw notCsv(error, lines + 1)
  }
  const [first] = surplus
  if (first) throw invalid(`The table is not valid CSV: ${first.detail}`, { faults: surplus })
  return records
}

function invalid(message: string, options?: { faults?: InputFault[]; cause?: Error }): AppError {
  return new AppError('invalid', message, options)
}

/** Pauses between slices, so that other requests are answered. */
async function* slicesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const rests = createRests()
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    yield bytes.subarray(at, at + sliceBytes)
    if (rests.isDue()) await rests.take()
  }
}

/** An unclosed quote is noticed only at the end of the file. */
function notCsv(error: CsvError, line: number): AppError {
  const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE'
  const why = isOpen
    ? `has an unclosed quote or more than ${recordBytesMax} bytes`
    : 'has a quote within a cell, or text after a closing quote: put quotes around the cell and double each quote in it'
  const message = `The table is not valid CSV: the record that begins in line ${line} ${why}.`
  return invalid(message, { cause: error })
}

/** The most frequent separator in the header. */
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
  throw invalid(`The table has two columns ${doubled} in its header.`)
}

/** Known columns match in any case. */
function columnNamed(given: string): string {
  const name = given.trim()
  return columnsByLowerCase.get(name.toLowerCase()) ?? name
}

/** `invalid` if the header has none of the needed columns. */
export function refuseWithout(records: readonly CsvRecord[], needed: readonly string[]): void {
  const [first] = records
  const names = Object.keys(first?.cells ?? {})
  if (!first || needed.some((name) => names.includes(name))) return
  const found = names.filter((name) => name !== '').slice(0, 10)
  const column = needed.join(' or ')
  throw invalid(`The first line of the table needs a column ${column}; it has ${found.join(', ')}.`)
}

/** `invalid` if a column looks like a mistyped `needed` one. */
export function refuseMistyped([first]: readonly CsvRecord[], needed: readonly string[]): void {
  const names = Object.keys(first?.cells ?? {})
  for (const name of names.filter((it) => it !== '' && !needed.includes(it))) {
    const meant = likelyMeant(name, needed)
    if (meant === undefined || names.includes(meant)) continue
    throw invalid(`Unknown column "${name}"; did you mean \`${meant}\`?`)
  }
}

/** The columns other than `known`. */
export function ignoredColumns(
  [first]: readonly CsvRecord[],
  known: ReadonlySet<string>,
): readonly string[] {
  return Object.keys(first?.cells ?? {}).filter((name) => !known.has(name))
}

/** A warning that names the columns, if there are any. */
export function sayIgnored(names: readonly string[]): readonly string[] {
  return names.length > 0 ? [`These columns of the table are ignored: ${names.join(', ')}.`] : []
}

/** The trimmed cell without the guard of `writeCsv`; empty if there is none. */
export function cellOf(record: CsvRecord | undefined, column: string): string {
  return readCell(record?.cells[column] ?? '').trim()
}

export function placeOf(record: CsvRecord | undefined): string {
  const person = shortCell(record, 'userId')
  return `Row ${record?.row}${person === undefined ? '' : ` (${person})`}`
}

/** Undefined if it is long or holds a secret address. */
export function shortCell(record: CsvRecord | undefined, column: string): string | undefined {
  const cell = cellOf(record, column)
  const isShown = cell !== '' && cell.length <= shownCellMax && !/\p{Cc}/u.test(cell)
  return isShown && !cell.includes('cfb_') ? cell : undefined
}
