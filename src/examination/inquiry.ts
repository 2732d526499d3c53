/* What all checks share: their requests and their wording. */
import type { Connection } from '../domain/connection.ts'
import { type AppError, asAppError } from '../domain/errors.ts'
import type {
  ExaminationProbe,
  HolidayCalendar,
  ProbeAnswer,
  ProbeQuestion,
  ZoneClocks,
} from '../domain/examination.ts'
import type { Instant } from '../domain/world.ts'

export interface Inquiry {
  readonly connection: Connection
  readonly probe: ExaminationProbe
  readonly now: Instant
  readonly signal: AbortSignal
  readonly zoneClock: ZoneClocks
  readonly holidaysIn: HolidayCalendar
  /** Whether a person waits for the result: only then settings other than the feeds' are tried. */
  readonly guesses: boolean
  /** Formats a setting, given by its key in `COMPANIES_FILE`, as it must be written. */
  readonly advise: (key: string, value: SettingValue) => string
}

type SettingValue = string | readonly string[] | object

/** Environment variables of settings, by key; null if the settings are in `COMPANIES_FILE`. */
export type SettingNames = ReadonlyMap<string, string> | null

/** Returns the format of settings where they are set: `WORKFORCE_DATES=local`, or `"dates": "local"`. */
export function adviseFor(names: SettingNames): Inquiry['advise'] {
  if (!names) return (key, value) => `"${key}": ${JSON.stringify(value)}`
  return (key, value) => `${names.get(key) ?? key}=${environmentText(value)}`
}

function environmentText(value: SettingValue): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.join(',') : JSON.stringify(value)
}

/** `one leave`, `12 leaves`. */
export function counted(count: number, noun: string): string {
  return `${count === 1 ? 'one' : count} ${noun}${count === 1 ? '' : 's'}`
}

/** Returns the first few items, and how many more there are. */
export function listed(items: readonly string[], most = 10): string {
  const rest = items.length - most
  return items.slice(0, most).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

/** The result, or the operating error that prevented it. */
export type Outcome<T> = T | AppError

export async function orFault<T>(promise: Promise<T>): Promise<Outcome<T>> {
  try {
    return await promise
  } catch (error) {
    const known = asAppError(error)
    if (known) return known
    throw error
  }
}

export function succeeded<T extends object>(outcome: Outcome<T>): outcome is T {
  return !(outcome instanceof Error)
}

export function ask(
  { probe, signal }: Inquiry,
  question: ProbeQuestion,
): Promise<Outcome<ProbeAnswer>> {
  return orFault(probe.ask(question, signal))
}

/** Whether the response only says that the Read API is overloaded or broken. */
export function isBusy({ status }: ProbeAnswer): boolean {
  return status === 429 || status >= 500
}

/** Returns the records of a response; undefined if it has none. */
export function recordsOf(outcome: Outcome<ProbeAnswer>): readonly unknown[] | undefined {
  return succeeded(outcome) ? (outcome.records ?? undefined) : undefined
}

/** Returns a member of a record of unknown shape if it is text. */
export function textMember(record: unknown, name: string): string | undefined {
  if (typeof record !== 'object' || record === null) return undefined
  const value: unknown = Reflect.get(record, name)
  return typeof value === 'string' ? value : undefined
}

export function idsOf(records: readonly unknown[]): readonly string[] {
  return records.flatMap((record) => textMember(record, 'id') ?? [])
}
