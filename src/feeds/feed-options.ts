import { z } from 'zod'

import { AppError } from '../domain/errors.ts'
import {
  duringLeaves,
  type FeedOptions,
  reminderMinutesMax,
  timesheetForms,
  type OwnOptions,
} from '../domain/feed-options.ts'
import type { FeedKind } from '../domain/kinds.ts'
import { leaveDetails, shownLeaveStatuses } from '../domain/leave.ts'
import { timesheetStatuses } from '../domain/timesheet.ts'
import { idField, listField, textField, inputFaults, isObject } from './feed-input.ts'

const windowDaysMax = 3660

/** Minutes before the start. */
export const reminderField = z.int().min(0).max(reminderMinutesMax)

const show = z.boolean()
const ids = listField(1000, z.array(idField))
const statusNames = listField(100, z.array(textField.min(1).max(100)))
const days = z.int().min(0).max(windowDaysMax)

const monday = z.iso
  .date()
  .refine((date) => new Date(`${date}T00:00:00Z`).getUTCDay() === 1, 'Must be a Monday.')

const rotation = z.strictObject({ weeks: listField(520, z.array(ids).min(1)), from: monday })

/** What can be set of each kind. */
const kinds = {
  leaves: z.strictObject({
    show,
    statuses: listField(100, z.array(z.enum(shownLeaveStatuses))),
    detail: z.enum(leaveDetails),
  }),
  shifts: z.strictObject({
    show,
    scheduleIds: ids.nullable(),
    rotation: rotation.nullable(),
    duringLeave: z.enum(duringLeaves),
  }),
  timesheets: z.strictObject({
    show,
    statuses: listField(100, z.array(z.enum(timesheetStatuses))),
    as: z.enum(timesheetForms),
  }),
  tasks: z.strictObject({ show, projectIds: ids.nullable(), hideStatuses: statusNames }),
  invoices: z.strictObject({ show, invoiceIds: ids, hideStatuses: statusNames }),
} satisfies { readonly [K in FeedKind]: GroupOf<FeedOptions[K]> }

type GroupOf<Options> = z.ZodObject<{ readonly [M in keyof Options]: z.ZodType<Options[M]> }>

const window = z.strictObject({ pastDays: days, futureDays: days })

const others = {
  reminderMinutes: reminderField.nullable(),
  selfService: z.boolean(),
}

/** The options whole. */
export const feedOptionsSchema = z.strictObject({ window, ...kinds, ...others })

/** Those that are set: any of them. */
export const ownOptionsSchema = z
  .strictObject({ window: window.partial(), ...partly(kinds), ...others })
  .partial()

type Groups = Readonly<Record<string, z.ZodObject>>

type Partly<G extends Groups> = {
  readonly [K in keyof G]: G[K] extends z.ZodObject<infer Shape, infer Config>
    ? z.ZodObject<{ -readonly [M in keyof Shape]: z.ZodOptional<Shape[M]> }, Config>
    : never
}

/** Each group with none of its members needed; what TypeScript cannot follow stands in the first line. */
function partly<G extends Groups>(groups: G): Partly<G>
function partly(groups: Groups): object {
  return Object.fromEntries(Object.entries(groups).map(([name, it]) => [name, it.partial()]))
}

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
