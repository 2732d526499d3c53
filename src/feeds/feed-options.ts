import { z } from 'zod'

import { AppError } from '../domain/errors.ts'
import { duringLeaves, type OwnOptions, timesheetForms } from '../domain/feed-options.ts'
import { leaveDetails, shownLeaveStatuses } from '../domain/leave.ts'
import { timesheetStatuses } from '../domain/timesheet.ts'
import { idField, inputFaults, textField } from './input-fields.ts'

const windowDaysMax = 3660
/** Of objects in each other; options have fewer. */
const depthMax = 8
const ids = z.array(idField).max(1000)
const statusNames = z.array(textField.min(1).max(100)).max(100)
const days = z.int().min(0).max(windowDaysMax)

const monday = z.iso
  .date()
  .refine((date) => new Date(`${date}T00:00:00Z`).getUTCDay() === 1, 'Must be a Monday.')

const rotation = z.strictObject({ weeks: z.array(ids).min(1).max(520), from: monday })

/** The options whole. */
export const feedOptionsSchema = z.strictObject({
  window: z.strictObject({ pastDays: days, futureDays: days }),
  leaves: z.strictObject({
    show: z.boolean(),
    statuses: z.array(z.enum(shownLeaveStatuses)),
    detail: z.enum(leaveDetails),
  }),
  shifts: z.strictObject({
    show: z.boolean(),
    scheduleIds: ids,
    rotation: rotation.nullable(),
    duringLeave: z.enum(duringLeaves),
  }),
  timesheets: z.strictObject({
    show: z.boolean(),
    statuses: z.array(z.enum(timesheetStatuses)),
    as: z.enum(timesheetForms),
  }),
  tasks: z.strictObject({
    show: z.boolean(),
    projectIds: ids.nullable(),
    hideStatuses: statusNames,
  }),
  invoices: z.strictObject({ show: z.boolean(), invoiceIds: ids, hideStatuses: statusNames }),
  reminderMinutes: z.int().min(0).max(40_320).nullable(),
  selfService: z.boolean(),
})

const { window, leaves, shifts, timesheets, tasks, invoices } = feedOptionsSchema.shape

/** Those that are set: any of them. */
export const ownOptionsSchema = feedOptionsSchema
  .extend({
    window: window.partial(),
    leaves: leaves.partial(),
    shifts: shifts.partial(),
    timesheets: timesheets.partial(),
    tasks: tasks.partial(),
    invoices: invoices.partial(),
  })
  .partial()

/**
 * What is set once `patch` is merged over it (RFC 7396): null takes a member out, so that its default holds again.
 * Throws `invalid` with one fault per wrong or unknown member, its pointer starting with `/options`.
 */
export function patchOptions(own: OwnOptions, patch: unknown): OwnOptions {
  const patched = ownOptionsSchema.safeParse(mergePatch(own, patch))
  if (patched.success) return withoutGaps(patched.data)
  throw new AppError('invalid', 'The options of the feed are not valid.', {
    faults: inputFaults(patched.error, '/options'),
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

function withoutGaps(options: z.output<typeof ownOptionsSchema>): OwnOptions {
  const members = Object.entries(options).filter(([, value]) => !isGap(value))
  return JSON.parse(JSON.stringify(Object.fromEntries(members)))
}

function isGap(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((member) => member === undefined)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
