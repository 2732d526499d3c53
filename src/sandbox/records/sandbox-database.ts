import { type Database, openDatabase } from '../../database/database.ts'
import { migrate } from '../../database/migrate.ts'
import type { LeaveStatus } from '../../domain/leave.ts'
import type { ScheduleType } from '../../domain/schedule.ts'
import type { TimesheetStatus } from '../../domain/timesheet.ts'
import { sandboxHistory } from './migrations.ts'

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

/** The tables of a sandbox. `record` is the record's JSON text as the Read API answers it; the columns beside it are what is filtered and sorted by. */
export interface SandboxTables {
  workforce_companies: CompanyRow
  users: RecordRow
  invoices: RecordRow
  projects: Pick<ListedRow, 'company_id' | 'id' | 'position'> & { name: string | null }
  tasks: ListedRow & { project_id: string; archived: number }
  /** `active` is 0 or 1. */
  schedules: ListedRow & { type: ScheduleType | null; active: number }
  leaves: ListedRow & { user_id: string; status: LeaveStatus | null }
  /** Instants in epoch milliseconds. */
  timesheets: ListedRow & {
    user_id: string
    status: TimesheetStatus | null
    period_start: number
    period_end: number
  }
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

/** Lists are answered in the order of `position`, timesheets by the start of their period before that. */
export interface ListedRow extends RecordRow {
  position: number
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
