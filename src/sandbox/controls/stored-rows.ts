/* Rows of one company, of whatever kind. */
import { type Kysely, sql } from 'kysely'

import type { SandboxTables } from '../records/tables.ts'
import { kindsOfRecords, type RecordKind, type Row } from './record-kinds.ts'

type Queries = Kysely<SandboxTables>

/** Which record of which company. */
export interface RecordName {
  readonly companyId: string
  readonly kind: RecordKind
  readonly id: string
}

/** The record's row; undefined where there is none. */
export async function findRow(
  queries: Queries,
  { companyId, kind, id }: RecordName,
): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select * from ${sql.table(kind)} where company_id = ${companyId} and id = ${id}
  `.execute(queries)
  return rows[0]
}

/** The first so many rows, of one user where one is named. */
export async function listRows(
  queries: Queries,
  { companyId, kind }: Pick<RecordName, 'companyId' | 'kind'>,
  { limit, userId }: { readonly limit: number; readonly userId?: string | undefined },
): Promise<readonly Row[]> {
  const order = kindsOfRecords[kind].order.map((column) => sql.ref(column))
  const ofUser = userId === undefined ? sql`` : sql`and user_id = ${userId}`
  const { rows } = await sql<Row>`
    select * from ${sql.table(kind)} where company_id = ${companyId} ${ofUser}
    order by ${sql.join(order)} limit ${limit}
  `.execute(queries)
  return rows
}

/** All rows of the kind that belong to that user. */
export async function rowsOfUser(
  queries: Queries,
  { companyId, id: userId }: RecordName,
  kind: 'leaves' | 'timesheets',
): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select * from ${sql.table(kind)} where company_id = ${companyId} and user_id = ${userId}
  `.execute(queries)
  return rows
}

/** Writes the row in the place of the one of that name, if there is one. */
export async function writeRow(queries: Queries, name: RecordName, row: Row): Promise<void> {
  await removeRow(queries, name)
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)))
  const values = sql.join(Object.values(row))
  await sql`insert into ${sql.table(name.kind)} (${columns}) values (${values})`.execute(queries)
}

export async function removeRow(
  queries: Queries,
  { companyId, kind, id }: RecordName,
): Promise<void> {
  await sql`
    delete from ${sql.table(kind)} where company_id = ${companyId} and id = ${id}
  `.execute(queries)
}
