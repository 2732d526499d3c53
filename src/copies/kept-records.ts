import { createHash } from 'node:crypto'

import type { CollectionKind, RecordOf } from '../domain/kinds.ts'

type Keepers = { readonly [K in CollectionKind]: (record: RecordOf[K]) => RecordOf[K] }

/**
 * What of each record is kept: only what a calendar can show, so that a copy holds no more about a
 * person than it must, and an unrelated field that changes with every answer changes nothing.
 */
const keepers: Keepers = {
  leaves: ({ id, startDate, endDate, status, days, reason, leaveType }) => ({
    id,
    startDate,
    endDate,
    status,
    days,
    reason,
    leaveType: leaveType && { name: leaveType.name },
  }),
  timesheets: ({ id, userId, periodStart, periodEnd, status, entries }) => ({
    id,
    userId,
    periodStart,
    periodEnd,
    status,
    entries: entries?.map(({ hoursWorked, expectedHours }) => ({ hoursWorked, expectedHours })),
  }),
  tasks: (task) => ({
    id: task.id,
    title: task.title,
    description: task.description,
    status: task.status,
    priority: task.priority,
    dueDate: task.dueDate,
    estimatedHours: task.estimatedHours,
    actualHours: task.actualHours,
    assignees: task.assignees?.map(({ id, firstName, lastName }) => ({ id, firstName, lastName })),
  }),
  schedules: ({ id, name, type, isActive, pattern }) => ({ id, name, type, isActive, pattern }),
  user: ({ id, firstName, lastName, isActive }) => ({ id, firstName, lastName, isActive }),
  invoice: ({ id, invoiceNumber, status, dueDate, totalAmount, currency, recipient }) => ({
    id,
    invoiceNumber,
    status,
    dueDate,
    totalAmount,
    currency,
    recipient: recipient && { name: recipient.name },
  }),
}

/** The records as they are kept, in the order of their ids: equal for answers that mean the same. */
export function keptRecords<K extends CollectionKind>(
  kind: K,
  records: readonly RecordOf[K][],
): readonly RecordOf[K][] {
  return records.map(keepers[kind]).toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Leaves without their reasons, for users none of whose feeds shows them. */
export function withoutReasons<T extends object>(leaves: readonly T[]): readonly T[] {
  return leaves.map((leave) => ({ ...leave, reason: undefined }))
}

/** By which two copies are known to hold the same. */
export function contentHashOf(records: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(records)).digest('base64url')
}
