/* Records as rows: each is written as the Read API answers it, and beside it stands what it is found by. */
import { leaveStatuses } from '../../domain/leave.ts'
import { scheduleTypes } from '../../domain/schedule.ts'
import { timesheetStatuses } from '../../domain/timesheet.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import type { SandboxTables } from './tables.ts'

/** The tables of a company's records. */
export type RecordTable = Exclude<
  keyof SandboxTables,
  'workforce_companies' | 'workforce_originals'
>

/** Whose a row is, and where it stands in its list. */
export interface RowPlace {
  readonly company_id: string
  readonly position: number
}

type Task = CompanyRecords['projects']['tasks'][number]

/** Of users and invoices there is no list, and so no position. */
export function recordRow(
  record: CompanyRecords['users'] | CompanyRecords['invoices'],
  { company_id }: RowPlace,
): SandboxTables['users'] {
  return { company_id, id: record.id, record: JSON.stringify(record) }
}

/** PostgreSQL stores no U+0000 and no half of a surrogate pair. */
export function projectRow(
  { id, name }: Pick<CompanyRecords['projects'], 'id' | 'name'>,
  { company_id, position }: RowPlace,
): SandboxTables['projects'] {
  return { company_id, position, id, name: name?.replaceAll('\0', '').toWellFormed() ?? null }
}

/** Whether it is archived stands in the column alone. */
export function taskRow(
  { archived, ...task }: Task,
  place: RowPlace & { readonly project_id: string },
): SandboxTables['tasks'] {
  return {
    ...listedRow(task, place),
    project_id: place.project_id,
    archived: Number(archived ?? 0),
  }
}

/** Only an explicit `false` means inactive. */
export function scheduleRow(
  schedule: CompanyRecords['schedules'],
  place: RowPlace,
): SandboxTables['schedules'] {
  return {
    ...listedRow(schedule, place),
    type: listed(scheduleTypes, schedule.type),
    active: Number(schedule.isActive ?? true),
  }
}

/** The spec's leave has no user id: it stands in the column alone. */
export function leaveRow(
  { userId, ...leave }: CompanyRecords['leaves'],
  place: RowPlace,
): SandboxTables['leaves'] {
  const status = listed(leaveStatuses, leave.status)
  return { ...listedRow(leave, place), user_id: userId, status }
}

export function timesheetRow(
  timesheet: CompanyRecords['timesheets'],
  place: RowPlace,
): SandboxTables['timesheets'] {
  return {
    ...listedRow(timesheet, place),
    user_id: timesheet.userId,
    status: listed(timesheetStatuses, timesheet.status),
    period_start: Date.parse(timesheet.periodStart),
    period_end: Date.parse(timesheet.periodEnd),
  }
}

function listedRow(
  record: { readonly id: string },
  { company_id, position }: RowPlace,
): RowPlace & { readonly id: string; readonly record: string } {
  return { company_id, position, id: record.id, record: JSON.stringify(record) }
}

/** A value outside the spec's list cannot be filtered by. */
function listed<Value extends string>(
  values: readonly Value[],
  value: string | null | undefined,
): Value | null {
  return values.find((it) => it === value) ?? null
}
