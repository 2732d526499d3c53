import type { Insertable, Transaction } from 'kysely'

import { type CompanyFile, parseCompanyFile } from '../wire/company-file.ts'
import { type CompanyRows, companyRows } from './company-rows.ts'
import type { SandboxDatabase } from './sandbox-database.ts'
import type { SandboxTables } from './tables.ts'

type Writes = Transaction<SandboxTables>

/** SQLite binds at most 32,766 values in one statement, and no row has more than seven. */
const rowsPerInsert = 500

/** Replaces the whole company, in one transaction, once all of the file is checked; `invalid` with every fault otherwise. */
export async function importCompany(database: SandboxDatabase, company: unknown): Promise<void> {
  const rows = companyRows(parseCompanyFile(company))
  await database.queries.transaction().execute(async (writes) => {
    await claim(writes)
    await replace(writes, rows)
  })
}

/** Loads the company into a database that has never held one; true if it did. Of several nodes that start together one loads. */
export async function seedIfEmpty(
  database: SandboxDatabase,
  company: CompanyFile,
): Promise<boolean> {
  const rows = companyRows(parseCompanyFile(company))
  return database.queries.transaction().execute(async (writes) => {
    const isFirst = await claim(writes)
    if (isFirst) await replace(writes, rows)
    return isFirst
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

async function replace(writes: Writes, rows: CompanyRows): Promise<void> {
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

async function replaceTable<T extends keyof SandboxTables>(
  writes: Writes,
  table: T,
  rows: readonly Insertable<SandboxTables[T]>[],
): Promise<void> {
  await writes.deleteFrom(table).execute()
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    const some = rows.slice(start, start + rowsPerInsert)
    await writes.insertInto(table).values(some).execute()
  }
}
