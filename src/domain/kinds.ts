import type { Invoice } from './invoice.ts'
import type { Leave } from './leave.ts'
import type { Schedule } from './schedule.ts'
import type { Task } from './task.ts'
import type { Timesheet } from './timesheet.ts'
import type { User } from './user.ts'

/** What a feed can show, in the order in which people see it. */
export const feedKinds = ['leaves', 'shifts', 'timesheets', 'tasks', 'invoices'] as const

export type FeedKind = (typeof feedKinds)[number]

/** The kind begins an event's UID. */
export type EventKind =
  | 'leave'
  | 'absence'
  | 'shift'
  | 'timesheet'
  | 'timesheetdue'
  | 'task'
  | 'invoice'
  | 'notice'

/** What a feed shows of each record; a timesheet may also be shown as its deadline, and leaves as days of absence. */
export const eventKinds: Readonly<Record<FeedKind, EventKind>> = {
  leaves: 'leave',
  shifts: 'shift',
  timesheets: 'timesheet',
  tasks: 'task',
  invoices: 'invoice',
}

/** Kinds of records as people speak of one. */
export const recordKinds = ['leave', 'timesheet', 'task', 'invoice', 'schedule'] as const
export type RecordKind = (typeof recordKinds)[number]

export const feedKindOf: Readonly<Record<RecordKind, FeedKind>> = {
  leave: 'leaves',
  timesheet: 'timesheets',
  task: 'tasks',
  invoice: 'invoices',
  schedule: 'shifts',
}

export const collectionKindOf: Readonly<Record<RecordKind, CollectionKind>> = {
  leave: 'leaves',
  timesheet: 'timesheets',
  task: 'tasks',
  invoice: 'invoice',
  schedule: 'schedules',
}

/** What the Read API is asked for: lists, and single records by id. */
export const collectionKinds = [
  'leaves',
  'schedules',
  'timesheets',
  'tasks',
  'invoice',
  'user',
] as const

export type CollectionKind = (typeof collectionKinds)[number]

export interface RecordOf extends Readonly<Record<CollectionKind, { readonly id: string }>> {
  readonly leaves: Leave
  readonly timesheets: Timesheet
  readonly tasks: Task
  readonly schedules: Schedule
  readonly user: User
  readonly invoice: Invoice
}

/** By subject: user, project or invoice id, empty for schedules. */
export type RecordsBySubject = {
  readonly [K in CollectionKind]: ReadonlyMap<string, readonly RecordOf[K][]>
}

export const noRecords: { [K in CollectionKind]: Map<string, readonly RecordOf[K][]> } = {
  leaves: new Map(),
  schedules: new Map(),
  timesheets: new Map(),
  tasks: new Map(),
  invoice: new Map(),
  user: new Map(),
}

/** The names in a table, in its order. */
export function namesIn<Name extends string>(table: {
  readonly [N in Name]: unknown
}): readonly Name[]
export function namesIn(table: object): readonly string[] {
  return Object.keys(table)
}
