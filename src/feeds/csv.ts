import { AppError } from '../domain/errors.ts'

/** One record of a CSV file by the names of its header, and the line on which it ends. */
export interface CsvRecord {
  readonly line: number
  readonly cells: Readonly<Record<string, string>>
}

/** Reads CSV with a header (RFC 4180); fails with `invalid` for what is none. */
export type ReadCsv = (text: string) => readonly CsvRecord[]

/** The bytes as text; `invalid` with a sentence about `what` where they are not of that encoding. */
export function decodeText(bytes: Uint8Array, what: string, encoding = 'utf-8'): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (cause) {
    const advice = 'save it in that encoding (in a spreadsheet: as CSV UTF-8)'
    throw new AppError('invalid', `${what} is not ${encoding.toUpperCase()}: ${advice}.`, { cause })
  }
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
