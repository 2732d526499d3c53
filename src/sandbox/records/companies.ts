import { randomUUID } from 'node:crypto'

import type { Kysely, Transaction } from 'kysely'

import type { CompanyRow, SandboxTables } from './tables.ts'

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
