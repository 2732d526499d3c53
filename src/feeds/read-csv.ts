import { CsvError, parse } from 'csv-parse/sync'

import { AppError } from '../domain/errors.ts'
import type { ReadCsv } from './csv.ts'

const recordBytesMax = 65_536

/** Reads CSV as spreadsheets write it: with or without a byte order mark, separated by commas or, where the header is, by semicolons. */
export const readCsv: ReadCsv = (text) => {
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
