import type { Instant, Maybe } from './world.ts'

export interface Timesheet {
  readonly id: string
  readonly userId: string
  readonly periodStart: Instant
  readonly periodEnd: Instant
  /** A status outside the spec is kept as it came. */
  readonly status: string
  readonly companyId?: Maybe<string>
  readonly entries?: Maybe<readonly TimesheetEntry[]>
}

export interface TimesheetEntry {
  readonly id?: Maybe<string>
  readonly date?: Maybe<Instant>
  readonly hoursWorked?: Maybe<number>
  readonly expectedHours?: Maybe<number>
  readonly notes?: Maybe<string>
}

export const timesheetStatuses = ['DRAFT', 'SUBMITTED', 'APPROVED', 'REJECTED'] as const
export type TimesheetStatus = (typeof timesheetStatuses)[number]
/** How a timesheet is shown, the least first: on its last day while it is open, always on its last day, over its period, or both. */
export const timesheetForms = ['todo', 'deadline', 'period', 'both'] as const
export type TimesheetForm = (typeof timesheetForms)[number]
