import { leaveStatuses } from '../domain/leave.ts'
import { scheduleTypes } from '../domain/schedule.ts'
import { timesheetStatuses } from '../domain/timesheet.ts'
import type { CompanyFile, CompanyRecords } from '../wire/company-file.ts'
import type { SandboxTables } from './tables.ts'

/** The rows of a company, by table. */
export type CompanyRows = {
  readonly [T in Exclude<keyof SandboxTables, 'company'>]: readonly SandboxTables[T][]
}

/** The company as rows; each record is written as the Read API answers it. */
export function companyRows(file: CompanyFile): CompanyRows {
  const { users = [], invoices = [], projects = [], schedules = [] } = file
  const { leaves = [], timesheets = [] } = file
  return {
    users: userRows(users),
    invoices: invoices.map(recordRow),
    projects: projects.map(({ id, name }, position) => ({ id, position, name: name ?? null })),
    tasks: taskRows(projects),
    schedules: schedules.map(scheduleRow),
    leaves: leaves.map(leaveRow),
    timesheets: timesheets.map(timesheetRow),
  }
}

/** Get user shows the manager: who is only named by id is looked up among the company's users. */
function userRows(users: readonly CompanyRecords['users'][]): CompanyRows['users'] {
  const byId = new Map(users.map((user) => [user.id, user]))
  return users.map((user) => {
    const manager = byId.get(user.assignedManagerId ?? '')
    const shown = { ...user, assignedManager: user.assignedManager ?? referenceTo(manager) }
    return recordRow(shown)
  })
}

function referenceTo(user: CompanyRecords['users'] | undefined): object | undefined {
  return user && { id: user.id, firstName: user.firstName, lastName: user.lastName }
}

function taskRows(projects: readonly CompanyRecords['projects'][]): CompanyRows['tasks'] {
  return projects
    .flatMap(({ id, tasks }) => tasks.map((task) => ({ projectId: id, task })))
    .map(({ projectId, task: { archived, ...task } }, position) => ({
      ...recordRow(task),
      position,
      project_id: projectId,
      archived: Number(archived ?? false),
    }))
}

/** Only an explicit `false` means inactive. */
function scheduleRow(
  schedule: CompanyRecords['schedules'],
  position: number,
): CompanyRows['schedules'][number] {
  return {
    ...recordRow(schedule),
    position,
    type: listed(scheduleTypes, schedule.type),
    active: Number(schedule.isActive ?? true),
  }
}

/** The spec's leave has no user id: it stands in the column alone. */
function leaveRow(
  { userId, ...leave }: CompanyRecords['leaves'],
  position: number,
): CompanyRows['leaves'][number] {
  return {
    ...recordRow(leave),
    position,
    user_id: userId,
    status: listed(leaveStatuses, leave.status),
  }
}

function timesheetRow(
  timesheet: CompanyRecords['timesheets'],
  position: number,
): CompanyRows['timesheets'][number] {
  return {
    ...recordRow(timesheet),
    position,
    user_id: timesheet.userId,
    status: listed(timesheetStatuses, timesheet.status),
    period_start: Date.parse(timesheet.periodStart),
    period_end: Date.parse(timesheet.periodEnd),
  }
}

function recordRow(record: { readonly id: string }): CompanyRows['users'][number] {
  return { id: record.id, record: JSON.stringify(record) }
}

/** A value outside the spec's list cannot be filtered by. */
function listed<Value extends string>(
  values: readonly Value[],
  value: string | null | undefined,
): Value | null {
  return values.find((it) => it === value) ?? null
}
