/* What the columns of tables are called. */
import { AppError } from '../../domain/errors.ts'
import { likelyMeant } from '../../domain/nearest.ts'
import type { CsvRecord } from './read-csv.ts'

/** Those that a new feed is described by. */
export const feedColumns: readonly string[] = [
  'userId',
  'name',
  'timezone',
  'locale',
  'audience',
  'scheduleIds',
  'options',
]

/** Those by which a feed that exists is named. */
export const choiceColumns: readonly string[] = ['feedId', 'userId']

/** A title above a table is no longer. */
const titleRowsMax = 10

const byLowerCase = new Map(
  [...feedColumns, 'email', ...choiceColumns].map((name) => [name.toLowerCase(), name]),
)

/** The column of that name in any case; one that no table needs keeps its own. */
export function columnNamed(given: string): string {
  const name = given.trim()
  return byLowerCase.get(name.toLowerCase()) ?? name
}

/** `invalid` where the first line names none of these columns, of which one is needed: it may stand below a title. */
export function refuseWithout(records: readonly CsvRecord[], needed: readonly string[]): void {
  const [first] = records
  const names = Object.keys(first?.cells ?? {})
  if (!first || needed.some((name) => names.includes(name))) return
  const isBelow = ({ cells }: CsvRecord): boolean =>
    Object.values(cells).some((cell) => needed.includes(columnNamed(cell)))
  const header = records.slice(0, titleRowsMax).find(isBelow)
  const has = `which has ${names
    .filter((name) => name !== '')
    .slice(0, 10)
    .join(', ')}`
  const where = header ? `row ${header.row} has it: take out what stands above` : has
  throw new AppError(
    'invalid',
    `The table needs a column ${needed.join(' or ')} in its first line${header ? '; ' : ', '}${where}.`,
  )
}

/** `invalid` where a name is likely that of a needed column, mistyped; one beside the column itself is left alone. */
export function refuseMistyped([first]: readonly CsvRecord[], needed: readonly string[]): void {
  const names = Object.keys(first?.cells ?? {})
  const absent = new Set(needed.filter((name) => !names.includes(name)))
  for (const name of names.filter((it) => it !== '' && !needed.includes(it))) {
    const meant = likelyMeant(name, needed)
    if (meant === undefined || !absent.has(meant)) continue
    throw new AppError(
      'invalid',
      `There is no column "${name}" in such a table; did you mean \`${meant}\`?`,
    )
  }
}
