/* What each field of the specification means; of those that hold one word of a list, the words it shows. */
import type { Invoice, InvoiceLineItem, InvoiceRecipient } from '../../domain/invoice.ts'
import { type Leave, leaveStatuses, type LeaveType } from '../../domain/leave.ts'
import { type Schedule, scheduleTypes } from '../../domain/schedule.ts'
import type { Task } from '../../domain/task.ts'
import { type Timesheet, type TimesheetEntry, timesheetStatuses } from '../../domain/timesheet.ts'
import type { PersonReference, User } from '../../domain/user.ts'

/** What a field means that holds one word of a list, and those that the specification shows. */
export interface FieldNote {
  readonly meaning: string
  readonly listed: readonly string[]
}

type Notes<T> = { readonly [K in keyof T]-?: string | FieldNote }

const created = 'When it was created.'
const updated = 'When it was last changed.'

export const fieldNotes = {
  Timesheet: {
    id: 'The timesheet; starts with clq.',
    userId: 'The employee’s user id.',
    companyId: 'The company; starts with comp_.',
    periodStart: 'When the period begins.',
    periodEnd: 'When the period ends.',
    status: { meaning: 'How far its approval is.', listed: timesheetStatuses },
    entries: 'What was worked, by day.',
  } satisfies Notes<Timesheet>,
  TimesheetEntry: {
    id: 'The entry; starts with ent_.',
    date: 'The day.',
    hoursWorked: 'Hours that were worked.',
    expectedHours: 'Hours that were expected.',
    notes: 'Free text.',
  } satisfies Notes<TimesheetEntry>,
  Invoice: {
    id: 'The invoice; starts with inv_.',
    invoiceNumber: 'The number that stands on it.',
    status: { meaning: 'How far it is.', listed: ['ISSUED'] },
    issueDate: 'When it was issued.',
    dueDate: 'When it is to be paid.',
    totalAmount: 'Decimal amount of all its line items.',
    currency: 'Currency code.',
    recipient: 'Who is to pay it.',
    lineItems: 'The full breakdown.',
  } satisfies Notes<Invoice>,
  Recipient: {
    name: 'Name of the recipient.',
    email: 'Mail address of the recipient.',
  } satisfies Notes<InvoiceRecipient>,
  LineItem: {
    id: 'The line item; starts with li_.',
    description: 'What is charged for.',
    quantity: 'How many.',
    rate: 'Price of one.',
    amount: 'Price of all of them.',
  } satisfies Notes<InvoiceLineItem>,
  User: {
    id: 'The user; starts with usr_.',
    email: 'Mail address.',
    firstName: 'First name.',
    lastName: 'Last name.',
    role: { meaning: 'What the user may do.', listed: ['EMPLOYEE'] },
    employmentType: { meaning: 'How the user is employed.', listed: ['FULL_TIME'] },
    position: 'Job title.',
    isActive: 'Whether the user works there still.',
    assignedManagerId: 'The user id of the manager.',
    assignedManager: 'The manager, expanded.',
    createdAt: created,
    updatedAt: updated,
  } satisfies Notes<User>,
  PersonReference: {
    id: 'The user id.',
    firstName: 'First name.',
    lastName: 'Last name.',
  } satisfies Notes<PersonReference>,
  Leave: {
    id: 'The leave; starts with lv_.',
    startDate: 'When it begins.',
    endDate: 'When it ends.',
    days: 'Number of days.',
    reason: 'Free text.',
    status: { meaning: 'How far its approval is.', listed: leaveStatuses },
    leaveType: 'Of which kind it is.',
  } satisfies Notes<Omit<Leave, 'hasBegun'>>,
  LeaveType: {
    name: 'The name of the kind, for people.',
    category: { meaning: 'The kind, for programs.', listed: ['ANNUAL'] },
  } satisfies Notes<LeaveType>,
  Task: {
    id: 'The task; starts with tsk_.',
    title: 'What is to be done.',
    description: 'More about it.',
    status: { meaning: 'How far it is.', listed: ['IN_PROGRESS'] },
    priority: { meaning: 'How urgent it is.', listed: ['HIGH'] },
    dueDate: 'By when it is to be done.',
    estimatedHours: 'Hours that it may take.',
    actualHours: 'Hours that it has taken; may be fractional.',
    createdAt: created,
    updatedAt: updated,
    assignees: 'Who is to do it.',
  } satisfies Notes<Task>,
  Schedule: {
    id: 'The schedule; starts with sch_.',
    name: 'The name of the schedule.',
    type: { meaning: 'How its days repeat.', listed: scheduleTypes },
    isActive: 'Whether anybody works by it.',
    pattern: 'Lowercase weekday names, monday to sunday, and the hours of each day that is worked.',
  } satisfies Notes<Schedule>,
} as const

export type RecordName = keyof typeof fieldNotes
