import { sql, type Transaction } from 'kysely'

import type { Rests } from '../../json/rest.ts'
import type { SandboxTables } from '../records/tables.ts'

type CompanyTable = Exclude<keyof SandboxTables, 'workforce_companies'>

const tables: readonly CompanyTable[] = [
  'users',
  'invoices',
  'projects',
  'tasks',
  'schedules',
  'leaves',
  'timesheets',
  'workforce_originals',
]
const rowsPerDelete = 500

/** Deletes all records of the company, and what its records were before they were changed, with rests in between. */
export async function clearCompany(
  writes: Transaction<SandboxTables>,
  companyId: string,
  rests: Rests,
): Promise<void> {
  for (const table of tables) await clearTable(writes, table, companyId, rests)
}

/** From id to id, so that nothing is looked at that has been deleted before. */
async function clearTable(
  writes: Transaction<SandboxTables>,
  table: CompanyTable,
  companyId: string,
  rests: Rests,
): Promise<void> {
  const name = sql.table(table)
  let rest = sql`company_id = ${companyId}`
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      select id from ${name} where ${rest} order by id limit 1 offset ${rowsPerDelete - 1}
    `.execute(writes)
    const id = rows[0]?.id
    const some = id === undefined ? rest : sql`${rest} and id <= ${id}`
    await sql`delete from ${name} where ${some}`.execute(writes)
    if (id === undefined) return
    rest = sql`company_id = ${companyId} and id > ${id}`
    if (rests.isDue()) await rests.take()
  }
}
