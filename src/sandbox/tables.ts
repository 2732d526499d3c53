/** The tables of a company. `record` is the record's JSON text as the Read API answers it; the columns beside it are what is filtered by. */
export interface WorkforceTables {
  /** One row once a company has been loaded: whoever writes it first loads. */
  company: { id: number }
  users: RecordRow
  invoices: RecordRow
  projects: { id: string; position: number; name: string | null }
  tasks: ListedRow & { project_id: string; archived: number }
  /** `active` is 0 or 1. */
  schedules: ListedRow & { type: string | null; active: number }
  leaves: ListedRow & { user_id: string; status: string | null }
  /** Instants in epoch milliseconds. */
  timesheets: ListedRow & {
    user_id: string
    status: string | null
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
