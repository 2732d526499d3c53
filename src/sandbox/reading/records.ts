import { sql } from 'kysely'
import { z } from 'zod'

import type { Queries } from './lists.ts'

/** Which record of a company. */
interface RecordName {
  readonly table: 'users' | 'invoices' | 'projects'
  readonly id: string
}

/** One record of a company as JSON text; undefined where it has none of that id. */
export async function findRecord(
  queries: Queries,
  companyId: string,
  { table, id }: RecordName & { readonly table: 'users' | 'invoices' },
): Promise<string | undefined> {
  const record = await find(queries, companyId, { table, id, column: 'record' })
  return record !== undefined && table === 'users'
    ? withManager(queries, companyId, record)
    : record
}

/** Whether the company has such a project. */
export async function hasProject(
  queries: Queries,
  companyId: string,
  id: string,
): Promise<boolean> {
  return (await find(queries, companyId, { table: 'projects', id, column: 'id' })) !== undefined
}

async function find(
  queries: Queries,
  companyId: string,
  { table, id, column }: RecordName & { readonly column: 'id' | 'record' },
): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`
    select ${sql.ref(column)} as value from ${sql.table(table)}
    where company_id = ${companyId} and id = ${id}
  `.execute(queries)
  return rows[0]?.value
}

const known = z.looseObject({
  id: z.string(),
  firstName: z.unknown().optional(),
  lastName: z.unknown().optional(),
  assignedManagerId: z.unknown().optional(),
})

/** Get user shows the manager: whom the company knows stands there as they are now. */
async function withManager(queries: Queries, companyId: string, record: string): Promise<string> {
  const user = known.parse(JSON.parse(record))
  const managerId = user.assignedManagerId
  if (typeof managerId !== 'string' || managerId === '') return record
  const manager = await find(queries, companyId, {
    table: 'users',
    id: managerId,
    column: 'record',
  })
  if (manager === undefined) return record
  const { id, firstName, lastName } = known.parse(JSON.parse(manager))
  return JSON.stringify({ ...user, assignedManager: { id, firstName, lastName } })
}
