import type { LeaveStatus } from '../domain/leave.ts'
import type { ScheduleType } from '../domain/schedule.ts'
import type { TimesheetStatus } from '../domain/timesheet.ts'

/** The tables of a company. `record` is the record's JSON text as the Read API answers it; the columns beside it are what is filtered by. */
export interface SandboxTables {
  /** One row once a company has been loaded: whoever writes it first loads. */
  company: { id: number }
  users: RecordRow
  invoices: RecordRow
  projects: { id: string; position: number; name: string | null }
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
}

interface RecordRow {
  id: string
  record: string
}

/** Lists are answered in the order of `position`. */
interface ListedRow extends RecordRow {
  position: number
}
