import { type Actor, refuseOtherCompany } from '../../domain/access/staff.ts'
import { AppError, type InputFault } from '../../domain/errors.ts'
import { createRests } from '../../json/rest.ts'
import { isObject } from '../feed-input.ts'
import {
  feedColumns,
  refuseMistyped,
  refuseWithout,
  listColumns,
  type CsvRecord,
  containersMax,
  readCell,
} from './tables.ts'

const knownColumns: ReadonlySet<string> = new Set([...feedColumns, '', ...listColumns])

/**
 * The input for a new feed that each record stands for; `invalid` for a table without a userId column, or with a mistyped one,
 * and for one whose options hold more than any of ten thousand feeds.
 */
export async function feedInputs(
  records: readonly CsvRecord[],
  companyId: string | undefined,
): Promise<readonly unknown[]> {
  refuseMistyped(records, feedColumns)
  refuseWithout(records, ['userId'])
  const inputs: unknown[] = []
  const rests = createRests()
  let containers = 0
  for (const { cells } of records) {
    containers += containersIn(cells['options'] ?? '')
    if (containers > containersMax) throw tooMuch()
    inputs.push(feedInput(cells, companyId))
    if (rests.isDue()) await rests.take()
  }
  return inputs
}

/** At most so many objects and lists will be made of the cell. */
function containersIn(cell: string): number {
  return cell.replaceAll(/[^[{]+/g, '').length
}

function tooMuch(): AppError {
  const message = `The options of the table are too long: at most ${containersMax} objects and lists in one request; send it in parts.`
  return new AppError('invalid', message)
}

/** A warning of columns that mean nothing; those of the tables that the bridge writes itself are known. */
export function unknownColumns([first]: readonly CsvRecord[]): readonly string[] {
  // Of a table that names nobody, that is said first.
  if (!first || !('userId' in first.cells)) return []
  const names = Object.keys(first.cells).filter((name) => !knownColumns.has(name))
  return names.length > 0 ? [`These columns of the table are left alone: ${names.join(', ')}.`] : []
}

/** The same error with the row, the person and the column of each fault in its words. */
export function atRows(error: unknown, records: readonly CsvRecord[]): unknown {
  if (!(error instanceof AppError)) return error
  if (error.faults.length === 0) return error
  const faults = error.faults.map((fault) => atRow(fault, records))
  const message = 'Some rows of the table are not valid. No calendar was made.'
  const { moreFaults } = error
  return new AppError(error.code, message, { cause: error, faults, moreFaults })
}

/** What a table says of its rows' company is left alone, unless it is one that may not be seen: `not_found`. */
export function refuseOtherCompanies(
  { companyId: only }: Pick<Actor, 'companyId'>,
  companyId: string | undefined,
  records: readonly CsvRecord[],
): void {
  for (const said of [companyId, ...records.map(({ cells }) => cells['companyId'])]) {
    const named = said?.trim()
    if (named !== '') refuseOtherCompany(only, named)
  }
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
  if (!isObject(options)) return options
  return { ...options, shifts: { ...Object(options['shifts']), scheduleIds: ids } }
}

function atRow({ pointer, detail }: InputFault, records: readonly CsvRecord[]): InputFault {
  const [, index, member = '', ...rest] = pointer.split('/')
  const record = records[Number(index)]
  const place = `${placeOf(record)}, ${columnOf(record, member, rest)}`
  const isCell = member === 'options' && rest.length === 0
  const said = isCell ? objectSentence(record?.cells['options'] ?? '') : detail
  return { pointer, detail: `${place}: ${said}` }
}

/** With what stands there, unless the place says it already. */
function columnOf(record: CsvRecord | undefined, member: string, rest: readonly string[]): string {
  if (member === 'userIds') return 'userId'
  if (rest[1] === 'scheduleIds') return 'scheduleIds'
  if (member === 'options') return rest.length > 0 ? `options (${rest.join('.')})` : member
  const cell = shortCell(record, member)
  return cell === undefined ? member : `${member} "${cell}"`
}

/** Why a cell is no options. */
function objectSentence(cell: string): string {
  const example = 'such as {"leaves": {"detail": "absent"}}'
  const isJson = typeof parseJson(readCell(cell)) !== 'string' || /^\s*"/.test(cell)
  if (isJson) return `Is JSON but not an object ${example}.`
  return `Is not JSON: write an object with straight quotes, ${example}.`
}

const shownMax = 40
const addressPart = 'cfb_'

/** The row as spreadsheets count it, and of whom it is. */
export function placeOf(record: CsvRecord | undefined): string {
  const person = shortCell(record, 'userId')
  return `Row ${record?.row}${person === undefined ? '' : ` (${person})`}`
}

/** What stands in the cell, where it is short and no address. */
function shortCell(record: CsvRecord | undefined, column: string): string | undefined {
  const cell = readCell(record?.cells[column] ?? '').trim()
  const isShown = cell !== '' && cell.length <= shownMax && !/\p{Cc}/u.test(cell)
  return isShown && !cell.includes(addressPart) ? cell : undefined
}
