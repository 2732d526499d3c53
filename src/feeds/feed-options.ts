import { z } from 'zod'

import { AppError, type InputFault } from '../domain/errors.ts'
import type { Audience, FeedOptions, LeaveDetail } from '../domain/feed.ts'

const windowDaysMax = 3660
const id = z.string().min(1).max(256)
const ids = z.array(id).max(1000)
const statusNames = z.array(z.string().min(1).max(100)).max(100)

const monday = z.iso
  .date()
  .refine((date) => new Date(`${date}T00:00:00Z`).getUTCDay() === 1, 'must be a Monday')

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

/** The faults of a failed parse, each with an RFC 6901 pointer. */
export function inputFaults(error: z.ZodError, pointer: string): readonly InputFault[] {
  return error.issues.flatMap((issue): InputFault[] => {
    const at = pointer + toPointer(issue.path)
    if (issue.code !== 'unrecognized_keys') return [{ pointer: at, detail: issue.message }]
    return issue.keys.map((key) => ({
      pointer: at + toPointer([key]),
      detail: 'There is no such member.',
    }))
  })
}

/** The lower of two levels of detail. */
export function lowerDetail(one: LeaveDetail, other: LeaveDetail): LeaveDetail {
  const order: readonly LeaveDetail[] = ['absent', 'type', 'full']
  return order.indexOf(one) < order.indexOf(other) ? one : other
}

function mergePatch(base: unknown, patch: unknown, defaults: unknown): unknown {
  if (!isObject(patch)) return patch
  const result = new Map(isObject(base) ? Object.entries(base) : [])
  const fallback = new Map(isObject(defaults) ? Object.entries(defaults) : [])
  for (const [key, value] of Object.entries(patch)) {
    const usual = fallback.get(key)
    result.set(key, value === null ? usual : mergePatch(result.get(key), value, usual))
  }
  return Object.fromEntries(result)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function toPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
