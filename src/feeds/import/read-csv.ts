/* Tables as spreadsheets write them. */
import { pipeline } from 'node:stream/promises'

import { CsvError, parse } from 'csv-parse'

import { AppError, type InputFault } from '../../domain/errors.ts'
import { createRests } from '../../json/rest.ts'
import { columnNamed } from './columns.ts'
import { tableRowsMax } from './table-refusals.ts'

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
