import { z } from 'zod'

import { AppError, type InputFault } from '../domain/errors.ts'
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

/** The file with every timestamp in the spec's shape. `invalid` where anything is wrong: one fault, with its path, for each. */
export function parseCompanyFile(json: unknown): CompanyFile {
  const result = companyFile.safeParse(json)
  if (!result.success) throw companyFileError(result.error.issues.map(faultOf))
  const file = companyFile.encode(result.data)
  const faults = [...duplicateFaults(file), ...ownerFaults(file)]
  if (faults.length > 0) throw companyFileError(faults)
  return file
}

/** RFC 6901; none of the schema's own names needs escaping. */
function faultOf({ path, message }: z.core.$ZodIssue): InputFault {
  return { pointer: path.map((step) => `/${String(step)}`).join(''), detail: message }
}

function companyFileError(faults: readonly InputFault[]): AppError {
  const [first] = faults.map(({ pointer, detail }) => `${pointer || 'the file'}: ${detail}`)
  const others = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  return new AppError('invalid', `The company does not fit: ${first}${others}.`, { faults })
}

function duplicateFaults(file: CompanyFile): InputFault[] {
  const tasks = (file.projects ?? []).flatMap((project, index) =>
    identified(`/projects/${index}/tasks`, project.tasks),
  )
  const { users, leaves, projects, schedules, timesheets, invoices } = file
  const lists = Object.entries({ users, leaves, projects, schedules, timesheets, invoices })
  return [...lists.map(([name, list]) => identified(`/${name}`, list ?? [])), tasks].flatMap(
    repeated,
  )
}

interface Identified {
  readonly pointer: string
  readonly id: string
}

function identified(pointer: string, records: readonly { readonly id: string }[]): Identified[] {
  return records.map((record, index) => ({ pointer: `${pointer}/${index}/id`, id: record.id }))
}

function repeated(records: readonly Identified[]): InputFault[] {
  const seen = new Set<string>()
  return records
    .filter((record) => seen.size === seen.add(record.id).size)
    .map(({ pointer }) => ({ pointer, detail: 'Invalid input: this id stands here a second time' }))
}

function ownerFaults({ users = [], leaves = [], timesheets = [] }: CompanyFile): InputFault[] {
  const known = new Set(users.map((user) => user.id))
  return Object.entries({ leaves, timesheets }).flatMap(([name, records]) =>
    records.flatMap(({ userId }, index) =>
      known.has(userId)
        ? []
        : [{ pointer: `/${name}/${index}/userId`, detail: 'Invalid input: no user has this id' }],
    ),
  )
}
