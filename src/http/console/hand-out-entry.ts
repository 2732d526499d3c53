/* What somebody typed or uploaded to say who gets a calendar. */
import { asAppError } from '../../domain/errors.ts'
import { type CsvRecord, decodeTable, readCsv } from '../../feeds/bulk/read-table.ts'
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
  if (table !== null) return readCsv(table)
  return lines
    .split('\n')
    .map((line, index) => ({ row: index + 1, cells: { userId: line.trim() } }))
    .filter(({ cells }) => cells.userId !== '')
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
