import { type ColumnDataType, type CreateTableBuilder, type RawBuilder, sql } from 'kysely'

import type { Dialect } from '../../database/database.ts'
import type { SchemaQueries } from '../../database/migrate.ts'

export type ColumnType = ColumnDataType | RawBuilder<unknown>

/** Identifiers are ordered by their bytes: PostgreSQL would ask the language of the machine. */
export function types(dialect: Dialect): { identifier: ColumnType; bytes: ColumnType } {
  return dialect === 'postgres'
    ? { identifier: sql`text collate "C"`, bytes: 'bytea' }
    : { identifier: 'text', bytes: 'blob' }
}

/** Small rows that are found by their key alone: SQLite then stores no second copy of the key. */
export function keyed(
  table: CreateTableBuilder<string>,
  dialect: Dialect,
): CreateTableBuilder<string> {
  return dialect === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table
}

/** What is compressed already or cannot be compressed PostgreSQL need not try to. */
export async function keepAsWritten(
  queries: SchemaQueries,
  dialect: Dialect,
  table: string,
  column: string,
): Promise<void> {
  if (dialect !== 'postgres') return
  await sql`alter table ${sql.table(table)} alter column ${sql.ref(column)} set storage external`.execute(
    queries,
  )
}
