import type { Connection } from '../domain/connection.ts'
import { asAppError, type AppError } from '../domain/errors.ts'
import type { ExaminationProbe, ProbeAnswer, ProbeQuestion } from '../domain/examination.ts'
import type { LeaveProof } from '../domain/leave.ts'
import type { Instant } from '../domain/world.ts'
import type { Advise } from './setting-advice.ts'

/** One examination under way: what is examined, and with what. */
export interface Examining {
  readonly connection: Connection
  readonly probe: ExaminationProbe
  readonly advise: Advise
  readonly proof: LeaveProof
  readonly now: Instant
  readonly signal: AbortSignal
}

/** The probe's answer, or why there is none. */
export function ask(
  { probe, signal }: Examining,
  question: ProbeQuestion,
): Promise<ProbeAnswer | AppError> {
  return orFault(probe.ask(question, signal))
}

/** What is promised, or the operating error that it failed with. */
export async function orFault<T>(promise: Promise<T>): Promise<T | AppError> {
  try {
    return await promise
  } catch (error) {
    const known = asAppError(error)
    if (known) return known
    throw error
  }
}

/** Whether there is an outcome, and not the reason why there is none. */
export function succeeded<T extends object>(outcome: T | AppError): outcome is T {
  return !(outcome instanceof Error)
}

/** The ids of records whose shape is not known. */
export function idsOf(records: readonly unknown[]): readonly string[] {
  return records.flatMap((record) => textMember(record, 'id') ?? [])
}

/** A member of a record whose shape is not known, where it is text. */
export function textMember(record: unknown, name: string): string | undefined {
  if (typeof record !== 'object' || record === null) return undefined
  const value: unknown = Object.entries(record).find(([key]) => key === name)?.[1]
  return typeof value === 'string' ? value : undefined
}

/** The records of an answer; undefined where it has none to show. */
export function recordsOf(answer: ProbeAnswer | AppError): readonly unknown[] | undefined {
  return answer instanceof Error ? undefined : (answer.records ?? undefined)
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
