import { randomBytes } from 'node:crypto'

import { asAppError } from '../../domain/errors.ts'
import type { ReadApi } from '../../domain/read-api.ts'

/** Answers to a request for an unknown employee that show that the employee was looked at. */
const cleanStatuses: ReadonlySet<number> = new Set([400, 404, 422])

/** What the request for an employee who cannot exist has shown. */
export type CanaryResult = 'clean' | 'canary_not_empty' | 'canary_unanswered'

/** Asks for the leaves of an employee who cannot exist: where that brings some, the filter is not looked at. */
export async function askForNobody(api: ReadApi, signal: AbortSignal): Promise<CanaryResult> {
  try {
    const { records, faults } = await api.list('leaves', { employee: unknownEmployee() }, signal)
    return records.length === 0 && faults.length === 0 ? 'clean' : 'canary_not_empty'
  } catch (error) {
    return isCleanRefusal(asAppError(error)?.status) ? 'clean' : 'canary_unanswered'
  }
}

/** A user id that nobody has. */
export function unknownEmployee(): string {
  return `usr_${randomBytes(16).toString('hex')}`
}

/** Whether a refusal of that status shows that the employee was looked at. */
export function isCleanRefusal(status: number | undefined): boolean {
  return status !== undefined && cleanStatuses.has(status)
}
