import { AppError } from '../../domain/errors.ts'
import { refuseTooLarge, refuseWorkbook } from './table-refusals.ts'

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
