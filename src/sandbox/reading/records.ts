import { z } from 'zod'

import type { Queries } from './lists.ts'

/** One record of a company as JSON text; undefined where it has none of that id. */
export async function findRecord(
  queries: Queries,
  companyId: string,
  { table, id }: { readonly table: 'users' | 'invoices'; readonly id: string },
): Promise<string | undefined> {
  const row = await queries
    .selectFrom(table)
    .select('record')
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && table === 'users' ? withManager(queries, companyId, row.record) : row?.record
}

/** Whether the company has such a project. */
export async function hasProject(
  queries: Queries,
  companyId: string,
  id: string,
): Promise<boolean> {
  const row = await queries
    .selectFrom('projects')
    .select('id')
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
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
  const row = await queries
    .selectFrom('users')
    .select('record')
    .where('company_id', '=', companyId)
    .where('id', '=', managerId)
    .executeTakeFirst()
  if (!row) return record
  const { id, firstName, lastName } = known.parse(JSON.parse(row.record))
  return JSON.stringify({ ...user, assignedManager: { id, firstName, lastName } })
}
