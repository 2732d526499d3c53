import { z } from 'zod'

import { AppError } from '../domain/errors.ts'
import type { Audience, FeedOptions, LeaveDetail } from '../domain/feed.ts'
import { idField, inputFaults, textField } from './input-fields.ts'

const windowDaysMax = 3660
/** Of objects in each other; options have fewer. */
const depthMax = 8
const ids = z.array(idField).max(1000)
const statusNames = z.array(textField.min(1).max(100)).max(100)

const monday = z.iso
  .date()
  .refine((date) => new Date(`${date}T00:00:00Z`).getUTCDay() === 1, 'Must be a Monday.')

const rotation = z.strictObject({ weeks: z.array(ids).min(1).max(520), from: monday })

/** The one schema of a feed's options (all present). */
export const feedOptionsSchema = z.strictObject({
  window: z.strictObject({
    pastDays: z.int().min(0).max(windowDaysMax),
    futureDays: z.int().min(0).max(windowDaysMax),
  }),
  leaves: z.strictObject({
    show: z.boolean(),
    statuses: z.array(z.enum(['APPROVED', 'PENDING'])),
    detail: z.enum(['absent', 'type', 'full']),
  }),
  shifts: z.strictObject({
    show: z.boolean(),
    scheduleIds: ids,
    rotation: rotation.nullable(),
    duringLeave: z.enum(['hide', 'show']),
  }),
  timesheets: z.strictObject({
    show: z.boolean(),
    statuses: z.array(z.enum(['DRAFT', 'SUBMITTED', 'APPROVED', 'REJECTED'])),
    as: z.enum(['period', 'deadline', 'both']),
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

/** What each option is where nothing is said, by audience. */
export function defaultOptions(audience: Audience, scheduleIds: readonly string[]): FeedOptions {
  const own = audience === 'own'
  return {
    window: { pastDays: 90, futureDays: 365 },
    leaves: {
      show: true,
      statuses: own ? ['APPROVED', 'PENDING'] : ['APPROVED'],
      detail: own ? 'type' : 'absent',
    },
    shifts: { show: own, scheduleIds, rotation: null, duringLeave: 'hide' },
    timesheets: {
      show: own,
      statuses: ['DRAFT', 'SUBMITTED', 'APPROVED', 'REJECTED'],
      as: 'period',
    },
    tasks: { show: own, projectIds: null, hideStatuses: ['DONE', 'COMPLETED', 'CANCELLED'] },
    invoices: { show: false, invoiceIds: [], hideStatuses: ['PAID', 'CANCELLED', 'VOID', 'DRAFT'] },
    reminderMinutes: null,
    selfService: true,
  }
}

/**
 * The options that `patch` makes of `base`: an RFC 7396 merge in which null takes the default again.
 * Throws `invalid` with one fault per wrong or unknown member, its pointer starting with `pointer`.
 */
export function mergeOptions(
  base: FeedOptions,
  patch: unknown,
  defaults: FeedOptions,
  pointer = '/options',
): FeedOptions {
  const merged = feedOptionsSchema.safeParse(mergePatch(base, patch, defaults))
  if (merged.success) return merged.data
  throw new AppError('invalid', 'The options of the feed are not valid.', {
    faults: inputFaults(merged.error, pointer),
  })
}

/** The lower of two levels of detail. */
export function lowerDetail(one: LeaveDetail, other: LeaveDetail): LeaveDetail {
  const order: readonly LeaveDetail[] = ['absent', 'type', 'full']
  return order.indexOf(one) < order.indexOf(other) ? one : other
}

/** What is nested deeper is left as it is: no option is. */
function mergePatch(base: unknown, patch: unknown, defaults: unknown, depth = depthMax): unknown {
  if (!isObject(patch) || depth === 0) return patch
  const result = new Map(isObject(base) ? Object.entries(base) : [])
  const fallback = new Map(isObject(defaults) ? Object.entries(defaults) : [])
  for (const [key, value] of Object.entries(patch)) {
    const usual = fallback.get(key)
    result.set(key, value === null ? usual : mergePatch(result.get(key), value, usual, depth - 1))
  }
  return Object.fromEntries(result)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
