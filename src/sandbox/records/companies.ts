import { randomUUID } from 'node:crypto'
import { setInterval } from 'node:timers/promises'

import type { Kysely, Transaction } from 'kysely'

import { leaveStatuses } from '../../domain/leave.ts'
import { scheduleTypes } from '../../domain/schedule.ts'
import { timesheetStatuses } from '../../domain/timesheet.ts'
import type { Log } from '../../domain/world.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import type { CompanyRow, SandboxTables, SandboxDatabase } from './sandbox-database.ts'

/** The company of the sample. */
export const sampleCompanyId = 'main'

/** Of one that nobody has loaded or changed. */
export const emptyCompany: Omit<CompanyRow, 'id'> = {
  revision: 'empty',
  generation: 'empty',
  loaded: null,
  next_position: 0,
}

/** How the company stands; an empty one where nobody has loaded it. */
export async function readCompany(queries: Kysely<SandboxTables>, id: string): Promise<CompanyRow> {
  const row = await queries
    .selectFrom('workforce_companies')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? { id, ...emptyCompany }
}

/** The ids of those that have been loaded or changed. */
export async function listCompanies(queries: Kysely<SandboxTables>): Promise<readonly string[]> {
  const rows = await queries.selectFrom('workforce_companies').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** Locks the company's row until the transaction ends, made where there is none, and gives how it stands. */
export async function lockCompany(
  writes: Transaction<SandboxTables>,
  id: string,
): Promise<CompanyRow> {
  await writes
    .insertInto('workforce_companies')
    .values({ id, ...emptyCompany })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // An update of nothing takes the lock on both databases.
  await writes.updateTable('workforce_companies').set({ id }).where('id', '=', id).execute()
  return readCompany(writes, id)
}

/** Notes that the locked company holds something else now. */
export async function noteChange(
  writes: Transaction<SandboxTables>,
  id: string,
  changes: Partial<Omit<CompanyRow, 'id' | 'revision'>>,
): Promise<void> {
  await writes
    .updateTable('workforce_companies')
    .set({ ...changes, revision: randomUUID() })
    .where('id', '=', id)
    .execute()
}

const sampleSchedule = 'sch_day'

/** Of a company, what no operation of the Read API lists, and the schedule to assume. */
export interface CompanyOutline {
  readonly projectIds: readonly string[]
  /** The sample company's own; an imported company has none that is to be assumed. */
  readonly scheduleIds: readonly string[]
}

/** Outlines the company for anyone who runs the sandbox. */
export async function outlineCompany(
  { queries }: SandboxDatabase,
  companyId = sampleCompanyId,
): Promise<CompanyOutline> {
  const projects = await queries
    .selectFrom('projects')
    .select('id')
    .where('company_id', '=', companyId)
    .orderBy('position')
    .execute()
  const schedules = await queries
    .selectFrom('schedules')
    .select('id')
    .where('company_id', '=', companyId)
    .where('id', '=', sampleSchedule)
    .where('active', '=', 1)
    .execute()
  return {
    projectIds: projects.map(({ id }) => id),
    scheduleIds: schedules.map(({ id }) => id),
  }
}

/* Records as rows: each is written as the Read API answers it, and beside it stands what it is found by. */

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

/** A command, or another node, changes what is in the database without a word. */
const usualMs = 2000

interface Watching {
  readonly companyId: string
  readonly changed: (companyId: string) => void
  readonly log: Log
  readonly everyMs?: number
}

/** Tells within moments of each change of the company from now on, anyone who makes it; gives what ends that. */
export async function watchCompany(
  { queries }: SandboxDatabase,
  { companyId, changed, log, everyMs = usualMs }: Watching,
): Promise<() => Promise<void>> {
  let { revision: known } = await readCompany(queries, companyId)
  const look = async (): Promise<void> => {
    const { revision } = await readCompany(queries, companyId)
    if (revision === known) return
    known = revision
    changed(companyId)
  }
  const ending = new AbortController()
  const work = (): Promise<void> =>
    look().catch((error: unknown) => log.error({ error }, 'look_failed'))
  const looks = repeated(work, { everyMs, signal: ending.signal })
  return async () => {
    ending.abort()
    await looks
  }
}

/** In the machine's own time: nothing that is kept depends on it. */
async function repeated(
  work: () => Promise<void>,
  { everyMs, signal }: { readonly everyMs: number; readonly signal: AbortSignal },
): Promise<void> {
  try {
    for await (const _ of setInterval(everyMs, undefined, { signal, ref: false })) await work()
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
