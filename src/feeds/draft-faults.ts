/* Everything that is wrong with a feed, told at once. */
import { z } from 'zod'

import { AppError, type InputFault } from '../domain/errors.ts'
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

/** Those that were found, and those of each check that fails, as `invalid`; undefined without any. What fails otherwise goes on. */
export async function allFaults(
  found: readonly InputFault[],
  checks: readonly Promise<unknown>[],
): Promise<AppError | undefined> {
  const results = await Promise.allSettled(checks)
  const failed = results.flatMap((it) => (it.status === 'rejected' ? asInvalid(it.reason) : []))
  const all = [...found, ...failed.flatMap((it) => it.faults)]
  const faults = [...new Map(all.map((it) => [it.pointer, it])).values()]
  const moreFaults = failed.reduce((sum, it) => sum + it.moreFaults, 0)
  if (faults.length + moreFaults === 0) return undefined
  return new AppError('invalid', 'The feed is not valid.', { faults, moreFaults })
}

/** The fault of an input; any other goes on. */
export function asInvalid(error: unknown): AppError {
  const failure = asFailure(error)
  if (failure.code !== 'invalid') throw error
  return failure
}
