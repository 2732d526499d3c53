import { randomUUID } from 'node:crypto'

import { type Insertable, sql, type Transaction } from 'kysely'

import { type CompanyFile, parseCompanyFile } from '../wire/company-file.ts'
import { emptyCompany, lockCompany, noteChange, sampleCompanyId } from './records/companies.ts'
import {
  leaveRow,
  projectRow,
  recordRow,
  type RecordTable,
  type RowPlace,
  scheduleRow,
  taskRow,
  timesheetRow,
} from './records/company-rows.ts'
import type { SandboxDatabase } from './records/sandbox-database.ts'
import type { SandboxTables } from './records/tables.ts'

/** The rows of a company, by table. */
type CompanyRows = { readonly [T in RecordTable]: readonly SandboxTables[T][] }

type Writes = Transaction<SandboxTables>

/** SQLite binds at most 32,766 values in one statement, and no row has more than seven. */
const rowsPerInsert = 500

/** Replaces the whole company, in one transaction, once all of the file is checked; `invalid` with every fault otherwise. */
export async function importCompany(
  database: SandboxDatabase,
  company: unknown,
  companyId = sampleCompanyId,
): Promise<void> {
  const rows = companyRows(companyId, parseCompanyFile(company))
  await database.queries.transaction().execute(async (writes) => {
    await lockCompany(writes, companyId)
    await replace(writes, companyId, rows)
  })
}

/** Loads the company into a database that has never held it; true if it did. Of several nodes that start together one loads. */
export async function seedIfEmpty(
  database: SandboxDatabase,
  company: CompanyFile,
): Promise<boolean> {
  const rows = companyRows(sampleCompanyId, parseCompanyFile(company))
  return database.queries.transaction().execute(async (writes) => {
    const { generation } = await lockCompany(writes, sampleCompanyId)
    const isFirst = generation === emptyCompany.generation
    if (isFirst) await replace(writes, sampleCompanyId, rows)
    return isFirst
  })
}

async function replace(writes: Writes, companyId: string, rows: CompanyRows): Promise<void> {
  await replaceTable(writes, 'users', companyId, rows.users)
  await replaceTable(writes, 'invoices', companyId, rows.invoices)
  await replaceTable(writes, 'projects', companyId, rows.projects)
  await replaceTable(writes, 'tasks', companyId, rows.tasks)
  await replaceTable(writes, 'schedules', companyId, rows.schedules)
  await replaceTable(writes, 'leaves', companyId, rows.leaves)
  await replaceTable(writes, 'timesheets', companyId, rows.timesheets)
  const counts = Object.values(rows).map(({ length }) => length)
  const next_position = Math.max(...counts)
  await noteChange(writes, companyId, { generation: randomUUID(), next_position })
}

async function replaceTable<T extends keyof CompanyRows>(
  writes: Writes,
  table: T,
  companyId: string,
  rows: readonly Insertable<SandboxTables[T]>[],
): Promise<void> {
  await sql`delete from ${sql.table(table)} where company_id = ${companyId}`.execute(writes)
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    const some = rows.slice(start, start + rowsPerInsert)
    await writes.insertInto(table).values(some).execute()
  }
}

function companyRows(company_id: string, file: CompanyFile): CompanyRows {
  const { users = [], invoices = [], projects = [], schedules = [] } = file
  const { leaves = [], timesheets = [] } = file
  const at = (position: number): RowPlace => ({ company_id, position })
  const tasks = projects.flatMap(({ id, tasks: some }) => some.map((task) => ({ id, task })))
  return {
    users: users.map((it, index) => recordRow(it, at(index))),
    invoices: invoices.map((it, index) => recordRow(it, at(index))),
    projects: projects.map((it, index) => projectRow(it, at(index))),
    tasks: tasks.map(({ id, task }, index) => taskRow(task, { ...at(index), project_id: id })),
    schedules: schedules.map((it, index) => scheduleRow(it, at(index))),
    leaves: leaves.map((it, index) => leaveRow(it, at(index))),
    timesheets: timesheets.map((it, index) => timesheetRow(it, at(index))),
  }
}
