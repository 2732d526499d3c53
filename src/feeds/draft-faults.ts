/* Everything that is wrong with a feed, told at once. */
import { z } from 'zod'

import type { AppError, InputFault } from '../domain/errors.ts'
import { asFailure } from './feed-faults.ts'
import { newFeedSchema } from './feed-input.ts'

/** Of a feed of which something else is wrong, what can be checked all the same. */
export const fittingPart = z
  .object({
    companyId: newFeedSchema.shape.companyId.catch(undefined),
    userIds: newFeedSchema.shape.userIds.optional().catch(undefined),
    audience: newFeedSchema.shape.audience.catch(undefined),
    options: newFeedSchema.shape.options.catch(undefined),
  })
  .catch({})
export type FittingPart = z.output<typeof fittingPart>

/** Those that were found, and those of each check that fails; what fails otherwise goes on. */
export async function allFaults(
  found: readonly InputFault[],
  checks: readonly Promise<unknown>[],
): Promise<readonly InputFault[]> {
  const results = await Promise.allSettled(checks)
  const failed = results.flatMap((it) => (it.status === 'rejected' ? asInvalid(it.reason) : []))
  const faults = [...found, ...failed.flatMap((it) => it.faults)]
  return [...new Map(faults.map((it) => [it.pointer, it])).values()]
}

/** The fault of an input; any other goes on. */
export function asInvalid(error: unknown): AppError {
  const failure = asFailure(error)
  if (failure.code !== 'invalid') throw error
  return failure
}
