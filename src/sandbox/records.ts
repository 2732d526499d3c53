/* What the operations answer, as JSON texts. Lists come in the order in which they were loaded; parameters of other names are ignored. */
import type { Kysely, SelectQueryBuilder } from 'kysely'

import { leaveStatuses } from '../domain/leave.ts'
import { scheduleTypes } from '../domain/schedule.ts'
import { timesheetStatuses } from '../domain/timesheet.ts'
import { type Parameters, readChoice, readDate, readIdentifier } from './parameters.ts'
import type { SandboxTables } from './tables.ts'

type Queries = Kysely<SandboxTables>
type Records<Table extends keyof SandboxTables> = SelectQueryBuilder<
  SandboxTables,
  Table,
  { record: string }
>

/** By employee, by status and by the span in which their period lies; `invalid` for a value that cannot be meant. */
export async function listTimesheets(queries: Queries, parameters: Parameters): Promise<string[]> {
  const records = personalRecords(queries, 'timesheets', parameters)
  const from = readDate(parameters, 'startDate')
  const to = readDate(parameters, 'endDate')
  return texts(
    records
      .$if(from !== undefined, (it) => it.where('period_start', '>=', from ?? 0))
      .$if(to !== undefined, (it) => it.where('period_end', '<=', to ?? 0)),
  )
}

/** By employee and by status; `invalid` for a value that cannot be meant. */
export async function listLeaves(queries: Queries, parameters: Parameters): Promise<string[]> {
  return texts(personalRecords(queries, 'leaves', parameters))
}

const statuses = { timesheets: timesheetStatuses, leaves: leaveStatuses }

function personalRecords(
  queries: Queries,
  table: keyof typeof statuses,
  parameters: Parameters,
): Records<keyof typeof statuses> {
  const employee = readIdentifier(parameters, 'userId')
  const status = readChoice(parameters, 'status', statuses[table])
  return queries
    .selectFrom(table)
    .select('record')
    .orderBy('position')
    .$if(employee !== undefined, (it) => it.where('user_id', '=', employee ?? null))
    .$if(status !== undefined, (it) => it.where('status', '=', status ?? null))
}

/** The active ones unless asked for the others, and by type; `invalid` for a value that cannot be meant. */
export async function listSchedules(queries: Queries, parameters: Parameters): Promise<string[]> {
  const type = readChoice(parameters, 'type', scheduleTypes)
  const isActive = readChoice(parameters, 'isActive', ['true', 'false']) !== 'false'
  return texts(
    queries
      .selectFrom('schedules')
      .select('record')
      .where('active', '=', Number(isActive))
      .orderBy('position')
      .$if(type !== undefined, (it) => it.where('type', '=', type ?? null)),
  )
}

/** Those of a project that are not archived; undefined if there is no such project. */
export async function listTasks(
  queries: Queries,
  projectId: string,
): Promise<string[] | undefined> {
  const project = await queries
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .executeTakeFirst()
  return (
    project &&
    texts(
      queries
        .selectFrom('tasks')
        .select('record')
        .where('project_id', '=', project.id)
        .where('archived', '=', 0)
        .orderBy('position'),
    )
  )
}

async function texts(records: Records<keyof SandboxTables>): Promise<string[]> {
  return (await records.execute()).map(({ record }) => record)
}

/** The one record; undefined if there is none. */
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
