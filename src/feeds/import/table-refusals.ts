import { AppError } from '../../domain/errors.ts'

export const tableBytesMax = 4 * 1024 * 1024
/** Below its first line. */
export const tableRowsMax = 10_000
/** Ten thousand feeds, each with all options and a rotation of weeks, hold fewer. */
export const containersMax = 500_000

/** Workbooks are ZIP archives, those of old OLE files. */
const workbookMarks = new Set(['504b0304', 'd0cf11e0'])

/** `invalid` for what a spreadsheet keeps in a form of its own. */
export function refuseWorkbook(bytes: Uint8Array, what: string): void {
  const mark = Buffer.from(bytes.subarray(0, 4)).toString('hex')
  if (!workbookMarks.has(mark)) return
  throw new AppError('invalid', `${what} is an Excel workbook: save it as CSV.`)
}

/** `too_large` for more than `tableBytesMax`. */
export function refuseTooLarge({ length }: Uint8Array, what: string): void {
  if (length <= tableBytesMax) return
  const most = `at most ${tableBytesMax} bytes`
  throw new AppError('too_large', `${what} is too large for a table: ${most}; split it.`)
}
