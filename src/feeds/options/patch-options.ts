import type { z } from 'zod'

import { AppError } from '../../domain/errors.ts'
import type { OwnOptions } from '../../domain/feed-options.ts'
import { ownOptionsSchema } from '../feed-options.ts'
import { inputFaults, isObject } from '../input-fields.ts'

/** Of objects in each other; options have fewer. */
const depthMax = 8

/**
 * What is set once `patch` is merged over it (RFC 7396): null takes a member out, so that its default holds again.
 * Throws `invalid` with one fault per wrong or unknown member, its pointer starting with `/options`.
 */
export function patchOptions(own: OwnOptions, patch: unknown, hintsMax?: number): OwnOptions {
  const patched = ownOptionsSchema.safeParse(mergePatch(own, patch), { reportInput: true })
  if (patched.success) return withoutGaps(patched.data)
  throw new AppError('invalid', 'The options of the feed are not valid.', {
    faults: inputFaults(patched.error, ownOptionsSchema, { pointer: '/options', hintsMax }),
  })
}

/** What is nested deeper is left as it is: no option is. A member that is taken out stays as a gap, so that unknown ones are found. */
function mergePatch(base: unknown, patch: unknown, depth = depthMax): unknown {
  if (!isObject(patch) || depth === 0) return patch
  const result = new Map(isObject(base) ? Object.entries(base) : [])
  for (const [key, value] of Object.entries(patch)) {
    result.set(key, value === null ? undefined : mergePatch(result.get(key), value, depth - 1))
  }
  return Object.fromEntries(result)
}

/** JSON has no gaps; a group that has nothing else is none. */
function withoutGaps(options: z.output<typeof ownOptionsSchema>): OwnOptions {
  const members = Object.entries(options).filter(([, value]) => !isGap(value))
  return JSON.parse(JSON.stringify(Object.fromEntries(members)))
}

function isGap(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((member) => member === undefined)
}
