import type { Kysely } from 'kysely'

import type { LeaveQuery, ScheduleQuery, TimesheetQuery } from './filters.ts'
import type { WorkforceTables } from './tables.ts'

type Queries = Kysely<WorkforceTables>

/** JSON texts of the timesheets, in the order in which they were loaded; so are all lists here. */
export function listTimesheets(queries: Queries, query: TimesheetQuery): Promise<string[]> {
  const { employee, status, from, to } = query
  const selection = queries
    .selectFrom('timesheets')
    .select('record')
    .$if(employee !== undefined, (it) => it.where('user_id', '=', employee ?? ''))
    .$if(status !== undefined, (it) => it.where('status', '=', status ?? ''))
    .$if(from !== undefined, (it) => it.where('period_start', '>=', from ?? 0))
    .$if(to !== undefined, (it) => it.where('period_end', '<=', to ?? 0))
  return texts(selection.orderBy('position').execute())
}

/** JSON texts of the leaves. */
export function listLeaves(queries: Queries, { employee, status }: LeaveQuery): Promise<string[]> {
  const selection = queries
    .selectFrom('leaves')
    .select('record')
    .$if(employee !== undefined, (it) => it.where('user_id', '=', employee ?? ''))
    .$if(status !== undefined, (it) => it.where('status', '=', status ?? ''))
  return texts(selection.orderBy('position').execute())
}

/** JSON texts of the project's tasks that are not archived; undefined if there is no such project. */
export async function listTasks(
  queries: Queries,
  projectId: string,
): Promise<string[] | undefined> {
  const tasks = await texts(
    queries
      .selectFrom('tasks')
      .select('record')
      .where('project_id', '=', projectId)
      .where('archived', '=', 0)
      .orderBy('position')
      .execute(),
  )
  return tasks.length > 0 || (await hasProject(queries, projectId)) ? tasks : undefined
}

async function hasProject(queries: Queries, id: string): Promise<boolean> {
  const found = await queries.selectFrom('projects').select('id').where('id', '=', id).execute()
  return found.length > 0
}

/** JSON texts of the active or of the inactive schedules. */
export function listSchedules(
  queries: Queries,
  { type, active }: ScheduleQuery,
): Promise<string[]> {
  const selection = queries
    .selectFrom('schedules')
    .select('record')
    .where('active', '=', Number(active))
    .$if(type !== undefined, (it) => it.where('type', '=', type ?? ''))
  return texts(selection.orderBy('position').execute())
}

async function texts(rows: Promise<{ record: string }[]>): Promise<string[]> {
  return (await rows).map((row) => row.record)
}

/** JSON text of the one record; undefined if there is none. */
export async function findRecord(
  queries: Queries,
  table: 'users' | 'invoices',
  id: string,
): Promise<string | undefined> {
  const row = await queries
    .selectFrom(table)
    .select('record')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.record
}

const sampleSchedule = 'sch_day'

/** Of a company, what no operation of the Read API lists, and the schedule to assume. */
export interface CompanyOutline {
  readonly projectIds: readonly string[]
  /** The sample company's own; an imported company has none that is to be assumed. */
  readonly scheduleIds: readonly string[]
}

/** Outlines the company for whoever runs the Read API. */
export async function describeCompany(queries: Queries): Promise<CompanyOutline> {
  const projects = await queries.selectFrom('projects').select('id').orderBy('position').execute()
  const schedules = await queries
    .selectFrom('schedules')
    .select('id')
    .where('id', '=', sampleSchedule)
    .where('active', '=', 1)
    .execute()
  return {
    projectIds: projects.map(({ id }) => id),
    scheduleIds: schedules.map(({ id }) => id),
  }
}
