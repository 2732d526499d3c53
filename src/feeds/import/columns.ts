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

const byLowerCase = new Map(
  [...feedColumns, ...choiceColumns].map((name) => [name.toLowerCase(), name]),
)

/** The column of that name in any case; one that no table needs keeps its own. */
export function columnNamed(given: string): string {
  const name = given.trim()
  return byLowerCase.get(name.toLowerCase()) ?? name
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
