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
export function writeLines(rows: readonly (readonly string[])[], form: CsvForm = 'plain'): string {
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
