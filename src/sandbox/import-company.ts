import type { Insertable, Transaction } from 'kysely'

import type { Database } from '../database/database.ts'
import { type CompanyFile, parseCompanyFile } from '../wire/company-file.ts'
import { companyRows } from './company-rows.ts'
import type { WorkforceTables } from './tables.ts'

type Writes = Transaction<WorkforceTables>

/** How many rows one statement inserts: SQLite binds at most 32,766 values, and no row has more than seven. */
const ROWS_PER_INSERT = 500

/** Replaces the whole company, in one transaction, once all of the file is checked; `invalid` with every fault otherwise. */
export async function importCompany(
  database: Database<WorkforceTables>,
  company: unknown,
): Promise<void> {
  const file = parseCompanyFile(company)
  await database.queries.transaction().execute(async (writes) => {
    await claim(writes)
    await replace(writes, file)
  })
}

/** Loads the company into a database that has never held one; true if it did. Of several nodes that start together one loads. */
export async function seedIfEmpty(
  database: Database<WorkforceTables>,
  company: CompanyFile,
): Promise<boolean> {
  const file = parseCompanyFile(company)
  return database.queries.transaction().execute(async (writes) => {
    const first = await claim(writes)
    if (first) await replace(writes, file)
    return first
  })
}

/** True for the first to load a company here; others wait until it is done. */
async function claim(writes: Writes): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await writes
    .insertInto('company')
    .values({ id: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

async function replace(writes: Writes, file: CompanyFile): Promise<void> {
  const rows = companyRows(file)
  await takeTurn(writes)
  await replaceTable(writes, 'users', rows.users)
  await replaceTable(writes, 'invoices', rows.invoices)
  await replaceTable(writes, 'projects', rows.projects)
  await replaceTable(writes, 'tasks', rows.tasks)
  await replaceTable(writes, 'schedules', rows.schedules)
  await replaceTable(writes, 'leaves', rows.leaves)
  await replaceTable(writes, 'timesheets', rows.timesheets)
}

/** Locks the company's row: two imports at once would leave a mixture of both. */
async function takeTurn(writes: Writes): Promise<void> {
  await writes.updateTable('company').set({ id: 1 }).execute()
}

async function replaceTable<T extends keyof WorkforceTables>(
  writes: Writes,
  table: T,
  rows: readonly Insertable<WorkforceTables[T]>[],
): Promise<void> {
  await writes.deleteFrom(table).execute()
  await insertFrom(writes, table, rows)
}

async function insertFrom<T extends keyof WorkforceTables>(
  writes: Writes,
  table: T,
  rows: readonly Insertable<WorkforceTables[T]>[],
  start = 0,
): Promise<void> {
  if (start >= rows.length) return
  const end = start + ROWS_PER_INSERT
  await writes.insertInto(table).values(rows.slice(start, end)).execute()
  await insertFrom(writes, table, rows, end)
}
