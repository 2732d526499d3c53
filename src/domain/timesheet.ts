import type { Instant, Maybe } from './world.ts'

export interface Timesheet {
  readonly id: string
  readonly userId: string
  readonly periodStart: Instant
  readonly periodEnd: Instant
  /** DRAFT, SUBMITTED, APPROVED, REJECTED; a value outside that list is kept as it came. */
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

/** What a timesheet can be, by the spec. */
export const timesheetStatuses = ['DRAFT', 'SUBMITTED', 'APPROVED', 'REJECTED'] as const
export type TimesheetStatus = (typeof timesheetStatuses)[number]
