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

/** What the Read API is asked for: its lists, and records of which each is asked for by its id. */
export const collectionKinds = [
  'leaves',
  'schedules',
  'timesheets',
  'tasks',
  'invoice',
  'user',
] as const

export type CollectionKind = (typeof collectionKinds)[number]

/** What each kind of collection holds. */
export interface RecordOf extends Readonly<Record<CollectionKind, { readonly id: string }>> {
  readonly leaves: Leave
  readonly timesheets: Timesheet
  readonly tasks: Task
  readonly schedules: Schedule
  readonly user: User
  readonly invoice: Invoice
}

/** The records of each kind by subject: user, project or invoice id, empty for schedules. */
export type RecordsBySubject = {
  readonly [K in CollectionKind]: ReadonlyMap<string, readonly RecordOf[K][]>
}

/** No records of any kind: to be cloned and filled. */
export const noRecords: { [K in CollectionKind]: Map<string, readonly RecordOf[K][]> } = {
  leaves: new Map(),
  schedules: new Map(),
  timesheets: new Map(),
  tasks: new Map(),
  invoice: new Map(),
  user: new Map(),
}
