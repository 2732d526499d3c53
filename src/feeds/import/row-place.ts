import type { CsvRecord } from './read-csv.ts'
import { readCell } from './write-csv.ts'

const shownMax = 40
const addressPart = 'cfb_'

/** The row as spreadsheets count it, and of whom it is. */
export function placeOf(record: CsvRecord | undefined): string {
  const person = shortCell(record, 'userId')
  return `Row ${record?.row}${person === undefined ? '' : ` (${person})`}`
}

/** What stands in the cell, where it is short and no address. */
export function shortCell(record: CsvRecord | undefined, column: string): string | undefined {
  const cell = readCell(record?.cells[column] ?? '').trim()
  const isShown = cell !== '' && cell.length <= shownMax && !/\p{Cc}/u.test(cell)
  return isShown && !cell.includes(addressPart) ? cell : undefined
}
