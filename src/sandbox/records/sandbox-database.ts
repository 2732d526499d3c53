import { sql, type Transaction } from 'kysely'

import { type Database, openDatabase } from '../../database/database.ts'
import { migrate } from '../../database/migrate.ts'
import { sandboxHistory } from './migrations.ts'
import type { RecordKind, Row } from './record-kinds.ts'

export type SandboxDatabase = Database<SandboxTables>

/**
 * Opens `file:…` or `postgres://…` and migrates its tables. Fails with `invalid` for other addresses and with `unavailable`
 * if the database cannot be reached.
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

/** `record` is the JSON text that the Read API returns; the other columns are those of `kinds`. */
export interface SandboxTables extends Record<RecordKind, RecordRow> {
  workforce_companies: CompanyRow
  leaves: RecordRow & { user_id: string; status: string | null; position: number }
  schedules: RecordRow & { active: number }
  projects: Pick<RecordRow, 'company_id' | 'id'> & { position: number; name: string | null }
  workforce_originals: OriginalRow
}

export interface CompanyRow {
  id: string
  /** New after each change: no two states of any company ever share a revision. */
  revision: string
  /** New after each load of the whole company. */
  generation: string
  /** Hash of the file that was loaded last; null if there was none. */
  loaded: string | null
  /** Position of the next new record; not reused until the company is reloaded. */
  next_position: number
}

export interface RecordRow {
  company_id: string
  id: string
  record: string
}

/** A record as it was before its first change since the company was loaded. */
export interface OriginalRow {
  company_id: string
  kind: string
  id: string
  /** The row as JSON; null if there was none. */
  record: string | null
  position: number | null
}

/** Inserts rows, all with the same columns. */
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
