/* The columns that hold JSON, as this program writes them; of members that it does not know it takes no note. */
import { z } from 'zod'

import type { Finding } from '../domain/examination.ts'
import {
  type Choices,
  duringLeaves,
  type OwnOptions,
  timesheetForms,
} from '../domain/feed-options.ts'
import { feedKinds } from '../domain/kinds.ts'
import { leaveDetails, shownLeaveStatuses } from '../domain/leave.ts'
import { timesheetStatuses } from '../domain/timesheet.ts'

/** `feeds.user_ids`, `creations.feed_ids`. */
export const idsColumn = z.array(z.string())

/** `feeds.own_options`: any of them. */
export const ownOptionsColumn = z
  .object({
    window: z.object({ pastDays: z.int(), futureDays: z.int() }).exactPartial(),
    leaves: z
      .object({
        show: z.boolean(),
        statuses: z.array(z.enum(shownLeaveStatuses)),
        detail: z.enum(leaveDetails),
      })
      .exactPartial(),
    shifts: z
      .object({
        show: z.boolean(),
        scheduleIds: idsColumn,
        rotation: z.object({ weeks: z.array(idsColumn), from: z.iso.date() }).nullable(),
        duringLeave: z.enum(duringLeaves),
      })
      .exactPartial(),
    timesheets: z
      .object({
        show: z.boolean(),
        statuses: z.array(z.enum(timesheetStatuses)),
        as: z.enum(timesheetForms),
      })
      .exactPartial(),
    tasks: z
      .object({
        show: z.boolean(),
        projectIds: idsColumn.nullable(),
        hideStatuses: z.array(z.string()),
      })
      .exactPartial(),
    invoices: z
      .object({ show: z.boolean(), invoiceIds: idsColumn, hideStatuses: z.array(z.string()) })
      .exactPartial(),
    reminderMinutes: z.int().nullable(),
    selfService: z.boolean(),
  })
  .exactPartial() satisfies z.ZodType<OwnOptions>

/** `feeds.self_service_choices`. */
export const choicesColumn = z.object({
  hide: z.array(z.enum(feedKinds)),
  detail: z.enum(leaveDetails).nullable(),
}) satisfies z.ZodType<Choices>

/** `examinations.findings`. */
export const findingsColumn = z.array(
  z.object({
    check: z.string(),
    ok: z.boolean(),
    seen: z.string(),
    means: z.string(),
    set: z.string().nullable(),
  }),
) satisfies z.ZodType<readonly Finding[]>
