import type { CompanyFile, CompanyRecords } from '../wire/company-file.ts'
import { leaveStatuses, scheduleTypes, timesheetStatuses } from './filters.ts'
import type { WorkforceTables } from './tables.ts'

type Rows = { readonly [T in Exclude<keyof WorkforceTables, 'company'>]: WorkforceTables[T][] }

/** The company as rows; each record is written as the Read API answers it. */
export function companyRows(file: CompanyFile): Rows {
  const { users = [], invoices = [], projects = [], schedules = [] } = file
  return {
    users: userRows(users),
    invoices: invoices.map((invoice) => ({ id: invoice.id, record: JSON.stringify(invoice) })),
    projects: projects.map(({ id, name }, position) => ({ id, position, name: name ?? null })),
    tasks: taskRows(projects),
    schedules: scheduleRows(schedules),
    leaves: leaveRows(file.leaves ?? []),
    timesheets: timesheetRows(file.timesheets ?? []),
  }
}

/** Get user shows the manager: who is only named by id is looked up among the company's users. */
function userRows(users: readonly CompanyRecords['users'][]): Rows['users'] {
  const byId = new Map(users.map((user) => [user.id, user]))
  return users.map((user) => {
    const manager = byId.get(user.assignedManagerId ?? '')
    const assignedManager = user.assignedManager ?? (manager && reference(manager))
    return { id: user.id, record: JSON.stringify({ ...user, assignedManager }) }
  })
}

function reference({ id, firstName, lastName }: CompanyRecords['users']): object {
  return { id, firstName, lastName }
}

function taskRows(projects: readonly CompanyRecords['projects'][]): Rows['tasks'] {
  return projects
    .flatMap((project) => project.tasks.map((task) => ({ project, task })))
    .map(({ project, task: { archived, ...task } }, position) => ({
      id: task.id,
      position,
      project_id: project.id,
      archived: Number(archived ?? false),
      record: JSON.stringify(task),
    }))
}

/** Only an explicit `false` means inactive. */
function scheduleRows(schedules: readonly CompanyRecords['schedules'][]): Rows['schedules'] {
  return schedules.map((schedule, position) => ({
    id: schedule.id,
    position,
    type: listed(scheduleTypes, schedule.type),
    active: Number(schedule.isActive ?? true),
    record: JSON.stringify(schedule),
  }))
}

/** The spec's leave has no user id: it stands in the column alone. */
function leaveRows(leaves: readonly CompanyRecords['leaves'][]): Rows['leaves'] {
  return leaves.map(({ userId, ...leave }, position) => ({
    id: leave.id,
    position,
    user_id: userId,
    status: listed(leaveStatuses, leave.status),
    record: JSON.stringify(leave),
  }))
}

function timesheetRows(timesheets: readonly CompanyRecords['timesheets'][]): Rows['timesheets'] {
  return timesheets.map((timesheet, position) => ({
    id: timesheet.id,
    position,
    user_id: timesheet.userId,
    status: listed(timesheetStatuses, timesheet.status),
    period_start: Date.parse(timesheet.periodStart),
    period_end: Date.parse(timesheet.periodEnd),
    record: JSON.stringify(timesheet),
  }))
}

/** A value outside the spec's list cannot be filtered by. */
function listed(values: readonly string[], value: string | null | undefined): string | null {
  return values.find((it) => it === value) ?? null
}
