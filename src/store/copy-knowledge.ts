import { type Kysely, type RawBuilder, sql } from 'kysely'

import type { Database } from '../database/database.ts'
import { inParts } from './rows.ts'
import type { StoreTables } from './tables.ts'

/** What is known of people and their records, and by which feeds; a table after those that it refers to. */
const tables = [
  'feeds',
  'feed_users',
  'copies',
  'copy_records',
  'leave_owners',
  'proofs',
  'departures',
  'people',
  'erased_people',
  'newcomers',
  'look_rounds',
] as const satisfies (keyof StoreTables)[]

/** Rows have up to twenty values, of which a statement of SQLite's takes 32,766. */
const rowsAtOnce = 1500

type Row = Readonly<Record<string, unknown>>

/** Copies these tables into another database of the same tables, as they stand at one instant. */
export async function copyKnowledge(
  { dialect, queries }: Database<StoreTables>,
  to: Database<StoreTables>,
): Promise<void> {
  const begin = dialect === 'sqlite' ? 'begin' : 'begin isolation level repeatable read read only'
  await queries.connection().execute(async (connection) => {
    await sql.raw(begin).execute(connection)
    try {
      for (const table of tables) await copyTable(table, connection, to.queries)
    } finally {
      await sql`rollback`.execute(connection)
    }
  })
}

async function copyTable(
  table: string,
  from: Kysely<StoreTables>,
  to: Kysely<StoreTables>,
): Promise<void> {
  const { rows } = await sql<Row>`select * from ${sql.table(table)}`.execute(from)
  const columns = Object.keys(rows[0] ?? {})
  const names = sql.join(columns.map((column) => sql.ref(column)))
  for (const part of inParts(rows, rowsAtOnce)) {
    const values = sql.join(part.map((row) => valuesOf(row, columns)))
    await sql`insert into ${sql.table(table)} (${names}) values ${values}`.execute(to)
  }
}

function valuesOf(row: Row, columns: readonly string[]): RawBuilder<unknown> {
  return sql`(${sql.join(columns.map((column) => row[column]))})`
}
