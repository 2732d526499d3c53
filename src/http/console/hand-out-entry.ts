/* What somebody typed or uploaded to say who gets a calendar. */
import { AppError, asAppError } from '../../domain/errors.ts'
import {
  cellOf,
  type CsvRecord,
  decodeTable,
  feedColumns,
  readCsv,
} from '../../feeds/bulk/read-table.ts'
import { readCell, writeCsv } from '../../feeds/bulk/write-table.ts'
import type { Form } from './console.ts'

export interface Entry {
  /** As typed, one person a line. */
  readonly lines: string
  /** Instead of the lines. */
  readonly table: string | null
}

export interface ReadEntry {
  readonly entry: Entry
  readonly records: readonly CsvRecord[]
  /** Why the table cannot be read, in English; null if it can. */
  readonly tableFault: string | null
}

/** Reads lines, or the table that stands in the form or in its file. */
export async function readEntry(form: Form): Promise<ReadEntry> {
  const typed = form.texts('people').join('\n').replaceAll(/\r\n?/g, '\n')
  const kept = form.has('table') ? form.text('table') : null
  const file = await form.file('file')
  let entry: Entry = { lines: typed, table: kept }
  try {
    if (file) entry = { lines: typed, table: decodeTable(file, 'The file') }
    return { entry, records: await recordsOf(entry), tableFault: null }
  } catch (error) {
    const known = asAppError(error)
    if (known?.code !== 'invalid' && known?.code !== 'too_large') throw error
    return { entry, records: [], tableFault: known.message }
  }
}

export async function recordsOf({ lines, table }: Entry): Promise<readonly CsvRecord[]> {
  if (table !== null) return asNamed(await readCsv(table))
  return lines
    .split('\n')
    .map((line, index) => ({ row: index + 1, cells: { userId: line.trim() } }))
    .filter(({ cells }) => cells.userId !== '')
}

/** Headings of lists of people by their letters: of HR programs, and of the list of people that the console exports. */
const idHeadings = ['userid', 'benutzerid']
const mailHeadings = ['email', 'mail', 'mailaddress', 'emailaddress', 'mailadresse', 'emailadresse']
const nameHeadings = ['name', 'displayname', 'fullname', 'vollername', 'vollständigername']
const firstNameHeadings = ['firstname', 'vorname']
const lastNameHeadings = ['lastname', 'surname', 'nachname', 'familienname']
/** Beside people, such a list may have these columns; its `name` is a person's, and no calendar's. */
const keptColumns = feedColumns.filter((column) => column !== 'userId' && column !== 'name')

/** A table without the column `userId` is a list of people: by id, mail address or name, whichever stands in a row first. */
function asNamed(records: readonly CsvRecord[]): readonly CsvRecord[] {
  const columns = Object.keys(records[0]?.cells ?? {})
  if (records.length === 0 || columns.includes('userId')) return records
  const among = (headings: readonly string[]): readonly string[] =>
    columns.filter((column) => headings.includes(lettersOf(column)))
  const whole = [idHeadings, mailHeadings, nameHeadings].flatMap(among)
  const parts = [firstNameHeadings, lastNameHeadings].flatMap(among)
  if (whole.length + parts.length === 0) {
    throw new AppError('invalid', 'No column of the table names people.')
  }
  return records.map((record) => {
    const cells = whole.map((column) => cellOf(record, column))
    const joined = parts.map((column) => cellOf(record, column)).join(' ')
    const userId = [...cells, joined.trim()].find((cell) => cell !== '') ?? ''
    const kept = keptColumns.flatMap((column) =>
      column in record.cells ? [[column, record.cells[column] ?? '']] : [],
    )
    return { row: record.row, cells: { userId, ...Object.fromEntries(kept) } }
  })
}

function lettersOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}]/gu, '')
}

/** Puts the person who was meant into the line or the row. */
export function corrected(
  { entry: { lines, table }, records }: ReadEntry,
  row: number,
  person: string,
): Entry {
  if (table === null) {
    const all = lines.split('\n')
    return {
      table,
      lines: all.map((line, index) => (index + 1 === row ? person : line)).join('\n'),
    }
  }
  const names = Object.keys(records[0]?.cells ?? {})
  const rows = records.map(({ row: number, cells }) =>
    names.map((name) =>
      number === row && name === 'userId' ? person : readCell(cells[name] ?? ''),
    ),
  )
  return { lines, table: writeCsv(names, rows) }
}
