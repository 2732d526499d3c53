import type { z } from 'zod'

import { defaultParameters, type ParameterNames } from '../domain/connection.ts'
import { text } from './fields.ts'
import { members } from './unknown-key.ts'

const { timesheets, leaves, schedules } = defaultParameters

/** Query parameter names merged key by key over the defaults, which are those of the embedded Read API. */
export const parameterNames: z.ZodType<ParameterNames, object> = members({
  timesheets: members({
    employee: name(timesheets.employee),
    status: name(timesheets.status),
    from: name(timesheets.from),
    to: name(timesheets.to),
  }).prefault({}),
  leaves: members({ employee: name(leaves.employee), status: name(leaves.status) }).prefault({}),
  schedules: members({ type: name(schedules.type), active: name(schedules.active) }).prefault({}),
})

function name(usual: string | null): z.ZodDefault<z.ZodNullable<z.ZodString>> {
  return text.nullable().default(usual)
}
