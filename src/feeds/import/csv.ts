import { CsvError, parse } from 'csv-parse/sync'

import { AppError } from '../../domain/errors.ts'

const recordBytesMax = 65_536

/** One record of a CSV file by the names of its header, and the line on which it ends. */
export interface CsvRecord {
  readonly line: number
  readonly cells: Readonly<Record<string, string>>
}

/**
 * Reads CSV with a header (RFC 4180) as spreadsheets write it: with or without a byte order mark, separated by commas or,
 * where the header is, by semicolons. `invalid` for what is none.
 */
export function readCsv(text: string): readonly CsvRecord[] {
  const [header = ''] = /[^\s\uFEFF].*/.exec(text.slice(0, recordBytesMax)) ?? []
  try {
    const parsed = parse<ParsedRecord>(text, {
      bom: true,
      columns: columnsOf,
      delimiter: header.includes(',') ? ',' : ';',
      info: true,
      max_record_size: recordBytesMax,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    })
    return parsed.map(({ record, info }) => ({ line: info.lines, cells: record }))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new AppError('invalid', `The table is not valid CSV: ${error.message}.`, { cause: error })
  }
}

function columnsOf(cells: readonly string[]): string[] {
  const names = cells.map((name) => name.trim())
  const doubled = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
  if (doubled === undefined) return names
  throw new AppError('invalid', `The table has two columns ${doubled} in its first line.`)
}

interface ParsedRecord {
  readonly record: Readonly<Record<string, string>>
  readonly info: { readonly lines: number }
}

/** CSV with a header (RFC 4180); no cell of it is run by a spreadsheet as a formula. */
export function writeCsv(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, ...rows].map((cells) => `${cells.map(writeCell).join(',')}\r\n`).join('')
}

/** What `writeCsv` was given for the cell. */
export function readCell(cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell
}

/** What a spreadsheet would take for a formula gets an apostrophe in front, and so does what would be read back as such. */
function writeCell(cell: string): string {
  const harmless = /^'*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
