import type { Connection } from '../domain/connection.ts'
import { type AppError, asAppError } from '../domain/errors.ts'
import type { ProbeAnswer, ExaminationProbe, ProbeQuestion } from '../domain/examination.ts'
import type { Instant } from '../domain/world.ts'

/** The settings that a finding may change, by their keys in `COMPANIES_FILE`. */
type AdvisedSetting =
  | 'baseUrl'
  | 'timezone'
  | 'auth'
  | 'params'
  | 'pagination'
  | 'dates'
  | 'endDates'
  | 'projects'
  | 'schedules'

type SettingValue = string | readonly string[] | object

/** Writes a setting as it has to stand. */
export type Advise = (key: AdvisedSetting, value: SettingValue) => string

/** What settings are called in the environment, by key; null where they stand in `COMPANIES_FILE`. */
export type SettingNames = ReadonlyMap<string, string> | null

/** How settings are written where they stand: `WORKFORCE_DATES=local`, or `"dates": "local"`. */
export function adviseFor(names: SettingNames): Advise {
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

/** The first few of a list, and how many more there are. */
export function listed(items: readonly string[], most = 10): string {
  const rest = items.length - most
  return items.slice(0, most).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

/** Settings name what is not there. */
export interface NamedInVain {
  readonly ok: false
  readonly gone: readonly string[]
  /** What settings name and is there. */
  readonly kept: readonly string[]
}

/** Which of the ids that settings name are not there; undefined where all are. */
export function judgeNamed(
  named: readonly string[],
  isThere: (id: string) => boolean,
): NamedInVain | undefined {
  const kept = named.filter(isThere)
  if (kept.length === named.length) return undefined
  return { ok: false, gone: named.filter((id) => !kept.includes(id)), kept }
}

/** What came of asking: what was asked for, or the operating error for which it did not come. */
export type Outcome<T> = T | AppError

export type ProbeOutcome = Outcome<ProbeAnswer>

/** Whether there is what was asked for, and not the reason why it did not come. */
export function succeeded<T extends object>(outcome: Outcome<T>): outcome is T {
  return !(outcome instanceof Error)
}

/** Whether the Read API could not answer just then, whatever it was asked. */
export function isUnanswered(outcome: ProbeOutcome): boolean {
  return outcome instanceof Error || isBusy(outcome)
}

/** Whether the answer says no more than that the Read API is overloaded or broken. */
export function isBusy({ status }: ProbeAnswer): boolean {
  return status === 429 || status >= 500
}

/** The records of an answer; undefined where it has none to show. */
export function recordsOf(outcome: ProbeOutcome): readonly unknown[] | undefined {
  return succeeded(outcome) ? (outcome.records ?? undefined) : undefined
}

/** The ids of records whose shape is not known. */
export function idsOf(records: readonly unknown[]): readonly string[] {
  const ids: string[] = []
  for (const record of records) {
    const isNamed = typeof record === 'object' && record !== null && 'id' in record
    if (isNamed && typeof record.id === 'string') ids.push(record.id)
  }
  return ids
}

/** A member of a record whose shape is not known, where it is text. */
export function textMember(record: unknown, name: string): string | undefined {
  if (typeof record !== 'object' || record === null) return undefined
  const value: unknown = Object.entries(record).find(([key]) => key === name)?.[1]
  return typeof value === 'string' ? value : undefined
}

/** One examination under way: who is asked, as of when, and until when. */
export interface Inquiry {
  readonly connection: Connection
  readonly probe: ExaminationProbe
  readonly now: Instant
  readonly signal: AbortSignal
  /** Whether a person wants to know: only then it is asked otherwise than feeds ask, to find settings that would do better. */
  readonly guesses: boolean
}

/** The probe's answer, or why there is none. */
export function ask({ probe, signal }: Inquiry, question: ProbeQuestion): Promise<ProbeOutcome> {
  return orFault(probe.ask(question, signal))
}

/** What is promised, or the operating error that it failed with. */
export async function orFault<T>(promise: Promise<T>): Promise<Outcome<T>> {
  try {
    return await promise
  } catch (error) {
    const known = asAppError(error)
    if (known) return known
    throw error
  }
}
