import { AppError, type InputFault } from '../../domain/errors.ts'
import { linkColumns } from './link-table.ts'
import { type CsvRecord } from './read-csv.ts'
import { readCell } from './write-csv.ts'

/** What the members of a feed are called in a table. */
const columnOf: Readonly<Record<string, string>> = {
  userIds: 'userId',
  name: 'name',
  timezone: 'timezone',
  locale: 'locale',
  audience: 'audience',
  options: 'options',
}

const knownColumns: ReadonlySet<string> = new Set([
  ...Object.values(columnOf),
  'scheduleIds',
  '',
  ...linkColumns,
])

/** The input for a new feed that each record stands for; `invalid` for a table without a userId column. */
export function feedInputs(
  records: readonly CsvRecord[],
  companyId: string | undefined,
): readonly unknown[] {
  const [first] = records
  if (first && !('userId' in first.cells)) {
    throw new AppError('invalid', 'The table needs a column userId in its first line.')
  }
  return records.map(({ cells }) => feedInput(cells, companyId))
}

/** A warning of columns that mean nothing; those of the tables that the bridge writes itself are known. */
export function unknownColumns([first]: readonly CsvRecord[]): readonly string[] {
  const names = Object.keys(first?.cells ?? {}).filter((name) => !knownColumns.has(name))
  return names.length > 0 ? [`These columns of the table are left alone: ${names.join(', ')}.`] : []
}

/** The same error with the line and the column of each fault in its words. */
export function atLines(error: unknown, records: readonly CsvRecord[]): unknown {
  if (!(error instanceof AppError)) return error
  const faults = error.faults.map((fault) => atLine(fault, records))
  return new AppError(error.code, error.message, { cause: error, faults })
}

function feedInput(cells: CsvRecord['cells'], companyId: string | undefined): unknown {
  const [name, timezone, locale, audience] = ['name', 'timezone', 'locale', 'audience'].map((it) =>
    cellOf(cells, it),
  )
  const scheduleIds = cellOf(cells, 'scheduleIds')
  const options = cellOf(cells, 'options')
  return {
    companyId,
    userIds: [cellOf(cells, 'userId') ?? ''],
    name,
    timezone,
    locale,
    audience,
    options: withSchedules(options === undefined ? undefined : parseJson(options), scheduleIds),
  }
}

/** Undefined for an empty one. */
function cellOf(cells: CsvRecord['cells'], column: string): string | undefined {
  const cell = readCell(cells[column] ?? '').trim()
  return cell === '' ? undefined : cell
}

/** What is no JSON stays as it is, and is found to be no object later. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function withSchedules(options: unknown, scheduleIds: string | undefined): unknown {
  if (scheduleIds === undefined) return options
  const ids = scheduleIds
    .split('|')
    .map((id) => id.trim())
    .filter((id) => id !== '')
  if (options === undefined) return { shifts: { scheduleIds: ids } }
  if (typeof options !== 'object' || options === null) return options
  const shifts: unknown = 'shifts' in options ? options.shifts : {}
  return { ...options, shifts: { ...Object(shifts), scheduleIds: ids } }
}

function atLine({ pointer, detail }: InputFault, records: readonly CsvRecord[]): InputFault {
  const [, index, member = '', ...rest] = pointer.split('/')
  const line = records[Number(index)]?.line
  const column = rest[1] === 'scheduleIds' ? 'scheduleIds' : (columnOf[member] ?? member)
  const place = column === 'options' && rest.length > 0 ? `options (${rest.join('.')})` : column
  return { pointer, detail: `Line ${line}, ${place}: ${detail}` }
}
