import { AppError } from './errors.ts'
import { meantOrAll } from './nearest.ts'

export interface Company {
  readonly id: string
  readonly name: string
  readonly timezone: string
  /** Whether a bare day is written as midnight UTC or as midnight of the company's zone. */
  readonly dates: 'utc' | 'local'
  /** Whether an end that is a bare day is the last day or the day after it. */
  readonly endDates: 'inclusive' | 'exclusive'
  /** Projects of feeds that name none. */
  readonly projects: readonly string[]
  /** Schedules of feeds that name none. */
  readonly schedules: readonly string[]
  /** Schedule id to IANA zone, for schedules in other zones. */
  readonly scheduleTimezones: Readonly<Record<string, string>>
  /** Places with public holidays, as the `date-holidays` package names them: `DE-BY`, `ZA`. */
  readonly holidays: readonly string[]
  /** Schedule id to places, for schedules that do not follow the company's. */
  readonly scheduleHolidays: Readonly<Record<string, readonly string[]>>
  /** Template with `{kind}` and `{id}` of links to records. */
  readonly recordUrl: string | null
}

/** The name if one is set; null if the id serves as the name. */
export function nameInWords({ id, name }: Pick<Company, 'id' | 'name'>): string | null {
  return name === id ? null : name
}

export function noCompany(given: string, known: Iterable<string>): string {
  return `There is no company "${given}"${meantOrAll(given, [...known])}`
}

/** What is known of that company; `not_found` if there is no such company. */
export function ofCompany<T>(known: ReadonlyMap<string, T>, id: string): T {
  const found = known.get(id)
  if (found !== undefined) return found
  throw new AppError('not_found', noCompany(id, known.keys()))
}

const loopbackName = /^(?:localhost\.?|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i

export function isLoopbackName(host: string): boolean {
  return loopbackName.test(host)
}
