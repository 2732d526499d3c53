import { parse } from 'csv-parse/sync'

interface PrintedRow {
  readonly cells: Readonly<Record<string, string>>
}

/** The rows of a table that the command line has printed, as other programs read it. */
export function readCsv(text: string): readonly PrintedRow[] {
  const rows: Record<string, string>[] = parse(text, {
    bom: true,
    columns: true,
    delimiter: [',', ';'],
    relax_column_count: true,
  })
  return rows.map((cells) => ({ cells }))
}
