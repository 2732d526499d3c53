import { sql, type Transaction } from 'kysely'

import { type Database, openDatabase } from '../../database/database.ts'
import { migrate } from '../../database/migrate.ts'
import { sandboxHistory } from './migrations.ts'
import type { RecordKind, Row } from './record-kinds.ts'

export type SandboxDatabase = Database<SandboxTables>

/**
 * Opens `file:…` or `postgres://…` and brings its tables up to date. Fails with `invalid` for an address
 * that is neither and with `unavailable` where there is no database to be reached.
 */
export async function openSandboxDatabase(url: string): Promise<SandboxDatabase> {
  const database = await openDatabase<SandboxTables>(url, {
    setting: 'WORKFORCE_DATABASE_URL',
  })
  try {
    await migrate(database, sandboxHistory)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** `record` is the record's JSON text as the Read API answers it; beside it are the columns that `kinds` names. */
export interface SandboxTables extends Record<RecordKind, RecordRow> {
  workforce_companies: CompanyRow
  leaves: RecordRow & { user_id: string; status: string | null; position: number }
  schedules: RecordRow & { active: number }
  projects: Pick<RecordRow, 'company_id' | 'id'> & { position: number; name: string | null }
  workforce_originals: OriginalRow
}

export interface CompanyRow {
  id: string
  /** Another text after each change: no two states of any company ever have the same. */
  revision: string
  /** Another text after each load of a whole company. */
  generation: string
  /** The hash of the file that was loaded last; null where it was none. */
  loaded: string | null
  /** The position of the next record: none ever comes back. */
  next_position: number
}

export interface RecordRow {
  company_id: string
  id: string
  record: string
}

/** What a record was before it was changed for the first time after the company was loaded. */
export interface OriginalRow {
  company_id: string
  kind: string
  id: string
  /** Its row as JSON; null where there was none. */
  record: string | null
  position: number | null
}

/** The rows have the same columns. */
export async function insertRows(
  writes: Transaction<SandboxTables>,
  table: RecordKind | 'projects',
  rows: readonly Row[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).map((column) => sql.ref(column))
  const values = rows.map((row) => sql`(${sql.join(Object.values(row))})`)
  await sql`
    insert into ${sql.table(table satisfies keyof SandboxTables)} (${sql.join(columns)}) values ${sql.join(values)}
  `.execute(writes)
}
