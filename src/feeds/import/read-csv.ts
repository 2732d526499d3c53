/* Tables as spreadsheets write them. */
import { CsvError, parse } from 'csv-parse/sync'

import { AppError, type InputFault } from '../../domain/errors.ts'
import { columnNamed } from './columns.ts'

const recordBytesMax = 65_536

/** One record of a CSV file by the names of its header, and its row as spreadsheets count them: the header is the first. */
export interface CsvRecord {
  readonly row: number
  readonly cells: Readonly<Record<string, string>>
}

/**
 * Reads CSV with a header (RFC 4180) as spreadsheets write it: separated by commas or, where the header is, by semicolons
 * or tabs; with or without a byte order mark or a first line such as `sep=;`; what a row lacks at its end is empty.
 * `invalid` for what is none, with a fault for each row that has more cells than the header.
 */
export function readCsv(text: string): readonly CsvRecord[] {
  const [header, ...rows] = readRows(text)
  const names = columnsOf(header?.cells ?? [])
  refuseSecondHeader(names, rows)
  refuseSurplus(names, rows)
  return rows.map(({ row, cells }) => ({
    row,
    cells: Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])),
  }))
}

interface Row {
  readonly row: number
  readonly cells: readonly string[]
}

function readRows(text: string): readonly Row[] {
  const rows: Row[] = []
  let read = { rows: 0, lines: 0 }
  const [, announced] = /^\uFEFF?sep=([,;\t])\r?\n/i.exec(text) ?? []
  try {
    parse(text, {
      bom: true,
      delimiter: announced ?? delimiterOf(text),
      from_line: announced === undefined ? 1 : 2,
      max_record_size: recordBytesMax,
      on_record: (cells: string[], { lines }) => {
        read = { rows: read.rows + 1, lines }
        if (cells.some((cell) => cell.trim() !== '')) rows.push({ row: read.rows, cells })
        return null
      },
      relax_column_count: true,
    })
    return rows
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw notCsv(error, read.lines + 1)
  }
}

/** A quote that is never closed makes one cell of all that follows, which is found at its end only. */
function notCsv(error: CsvError, line: number): AppError {
  const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE'
  const why = isOpen
    ? `in the record that begins in line ${line} a quote is not closed`
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

/** Tables that were put one below the other have the first line of each. */
function refuseSecondHeader(names: readonly string[], rows: readonly Row[]): void {
  const isHeader = ({ cells }: Row): boolean =>
    names.every((name, index) => columnNamed(cells[index] ?? '') === name)
  const faults = rows.flatMap((row, index): InputFault[] =>
    isHeader(row)
      ? [{ pointer: `/${index}`, detail: `Row ${row.row} is the first line again: take it out.` }]
      : [],
  )
  if (faults.length === 0) return
  throw new AppError('invalid', `The table cannot be read: ${faults[0]?.detail}`, { faults })
}

/** More cells than names come of a separator within a cell that stands in no quotes. */
function refuseSurplus(names: readonly string[], rows: readonly Row[]): void {
  const faults = rows.flatMap(({ row, cells }, index): InputFault[] => {
    if (cells.slice(names.length).every((cell) => cell.trim() === '')) return []
    const detail = `Row ${row} has ${cells.length} cells, the first line ${names.length}: a cell that holds the separator must stand in quotes.`
    return [{ pointer: `/${index}`, detail }]
  })
  if (faults.length === 0) return
  throw new AppError('invalid', `The table is not valid CSV: ${faults[0]?.detail}`, { faults })
}
