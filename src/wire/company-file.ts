import { z } from 'zod'

import { id } from './fields.ts'
import { invoiceCodec } from './invoice.ts'
import { leaveCodec } from './leave.ts'
import { scheduleCodec } from './schedule.ts'
import { taskCodec } from './task.ts'
import { timesheetCodec } from './timesheet.ts'
import { userCodec } from './user.ts'

/** Whose a leave is, which the Read API does not say. */
export const leaveInFile = leaveCodec.extend({ userId: id })

/** Whether a task is archived, of which the Read API says nothing. */
export const taskInFile = taskCodec.extend({ archived: z.boolean().optional() })

/** A project, which the Read API knows by its id alone. */
export const projectInFile = z.looseObject({
  id,
  name: z.string().nullish(),
  tasks: z.array(taskInFile),
})

/** Strict at the top only: a misspelt list would be lost without a word. */
export const companyFile = z.strictObject({
  users: z.array(userCodec).optional(),
  leaves: z.array(leaveInFile).optional(),
  projects: z.array(projectInFile).optional(),
  schedules: z.array(scheduleCodec).optional(),
  timesheets: z.array(timesheetCodec).optional(),
  invoices: z.array(invoiceCodec).optional(),
})

/** A whole company as a file holds it: the spec's records as JSON, with what the Read API leaves out (whose a leave is, what is archived). */
export type CompanyFile = z.input<typeof companyFile>

/** One entry of each list of the file. */
export type CompanyRecords = {
  readonly [K in keyof CompanyFile]-?: NonNullable<CompanyFile[K]>[number]
}
