import type { Company } from '../domain/company.ts'
import type { Feed } from '../domain/feed.ts'
import type { Invoice } from '../domain/invoice.ts'
import type { Leave } from '../domain/leave.ts'
import type { Schedule } from '../domain/schedule.ts'
import type { Task } from '../domain/task.ts'
import type { Timesheet } from '../domain/timesheet.ts'
import type { User } from '../domain/user.ts'
import type { CalendarWindow } from './window.ts'

/** Everything that a calendar is made of. */
export interface CalendarSource {
  readonly feed: Pick<
    Feed,
    'companyId' | 'userIds' | 'audience' | 'name' | 'timezone' | 'locale' | 'options'
  >
  readonly company: Company
  readonly window: CalendarWindow
  readonly records: {
    /** By user id; a user without an entry has none to show. */
    readonly leaves: ReadonlyMap<string, readonly Leave[]>
    readonly timesheets: readonly Timesheet[]
    readonly tasks: readonly Task[]
    readonly schedules: readonly Schedule[]
    readonly invoices: readonly Invoice[]
    /** By id. */
    readonly users: ReadonlyMap<string, User>
  }
}
