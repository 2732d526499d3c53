import type { AppError } from '../../domain/errors.ts'
import type { ProbeAnswer } from '../../domain/examination.ts'

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
