import type { PlainDate } from '../../domain/plain-date.ts'
import type { Words } from './words.ts'

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 3 })

/** English. */
export const en: Words = {
  kinds: {
    leave: 'Leave',
    shift: 'Shift',
    timesheet: 'Timesheet',
    timesheetdue: 'Timesheet',
    task: 'Task',
    invoice: 'Invoice',
    notice: 'Notice',
  },
  feedKinds: {
    leaves: 'Leave',
    shifts: 'Shifts',
    timesheets: 'Timesheets',
    tasks: 'Tasks',
    invoices: 'Invoices',
  },
  calendar: 'Calendar',
  away: 'Away',
  pending: 'pending',
  flexible: 'flexible',
  noEnd: 'no end given',
  partOfDay: (days) => (days === 0.5 ? 'half day' : `${numbers.format(days)} day`),
  days: (days) => `${numbers.format(days)} days`,
  period,
  timesheetStates: {
    DRAFT: 'draft',
    SUBMITTED: 'submitted',
    APPROVED: 'approved ✓',
    REJECTED: 'rejected: hand in again',
  },
  timesheet: (span) => `Timesheet ${span}`,
  timesheetDue: (span) => `Timesheet due: ${span}`,
  hoursWorked: (worked, expected) =>
    expected === null
      ? `Hours: ${numbers.format(worked)}`
      : `Hours: ${numbers.format(worked)} of ${numbers.format(expected)} expected`,
  statuses: {
    NEW: 'New',
    OPEN: 'Open',
    BACKLOG: 'Backlog',
    TODO: 'To do',
    TO_DO: 'To do',
    PLANNED: 'Planned',
    READY: 'Ready',
    ASSIGNED: 'Assigned',
    IN_PROGRESS: 'In progress',
    IN_REVIEW: 'In review',
    REVIEW: 'In review',
    TESTING: 'Testing',
    BLOCKED: 'Blocked',
    ON_HOLD: 'On hold',
    PENDING: 'Pending',
    DRAFT: 'Draft',
    SUBMITTED: 'Submitted',
    APPROVED: 'Approved',
    REJECTED: 'Rejected',
    LOCKED: 'Locked',
    ARCHIVED: 'Archived',
    REOPENED: 'Reopened',
    DONE: 'Done',
    COMPLETED: 'Completed',
    CLOSED: 'Closed',
    CANCELLED: 'Cancelled',
  },
  status: (status) => `Status: ${status}`,
  estimatedHours: (hours) => `Estimated hours: ${numbers.format(hours)}`,
  actualHours: (hours) => `Actual hours: ${numbers.format(hours)}`,
  assignees: (names) => `Assigned to: ${names.join(', ')}`,
  invoiceDue: (number, amount) =>
    `Invoice${number === null ? '' : ` ${number}`} due${amount === null ? '' : `: ${amount}`}`,
  recipient: (name) => `Recipient: ${name}`,
  linkEnds: (date) => `This link ends on ${dayAndMonth(date)} ${year(date)}`,
  ended: 'This calendar has ended',
  leftOut: (past, future) =>
    `This calendar is too large to be shown whole. Left out: ${past} past and ${future} future events.`,
}

function period(first: PlainDate, last: PlainDate): string {
  if (first === last) return dayAndMonth(first)
  if (year(first) !== year(last)) {
    return `${dayAndMonth(first)} ${year(first)}–${dayAndMonth(last)} ${year(last)}`
  }
  const sameMonth = first.slice(0, 7) === last.slice(0, 7)
  return `${sameMonth ? day(first) : dayAndMonth(first)}–${dayAndMonth(last)}`
}

function dayAndMonth(date: PlainDate): string {
  return `${day(date)} ${months[Number(date.slice(5, 7)) - 1]}`
}

function day(date: PlainDate): number {
  return Number(date.slice(8))
}

function year(date: PlainDate): number {
  return Number(date.slice(0, 4))
}
