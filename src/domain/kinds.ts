import type { Invoice } from './invoice.ts'
import type { Leave } from './leave.ts'
import type { Schedule } from './schedule.ts'
import type { Task } from './task.ts'
import type { Timesheet } from './timesheet.ts'
import type { User } from './user.ts'

/** What a feed can show; each kind is an option of its own, in the order in which people are told of them. */
export const feedKinds = ['leaves', 'shifts', 'timesheets', 'tasks', 'invoices'] as const

export type FeedKind = (typeof feedKinds)[number]

/** What an event can be; the kind begins its UID. */
export type EventKind =
  | 'leave'
  | 'shift'
  | 'timesheet'
  | 'timesheetdue'
  | 'task'
  | 'invoice'
  | 'notice'

/** What each kind of collection holds: a list of the Read API, or one record of it. */
export interface RecordOf {
  readonly leaves: Leave
  readonly timesheets: Timesheet
  readonly tasks: Task
  readonly schedules: Schedule
  readonly user: User
  readonly invoice: Invoice
}

export type CollectionKind = keyof RecordOf
