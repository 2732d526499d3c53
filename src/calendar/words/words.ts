import type { EventKind, FeedKind } from '../../domain/kinds.ts'
import type { PlainDate } from '../../domain/plain-date.ts'
import type { TimesheetStatus } from '../../domain/timesheet.ts'

/** Statuses that workforce systems commonly use, of whatever they are. */
type KnownStatus =
  | 'NEW'
  | 'OPEN'
  | 'BACKLOG'
  | 'TODO'
  | 'TO_DO'
  | 'PLANNED'
  | 'READY'
  | 'ASSIGNED'
  | 'IN_PROGRESS'
  | 'IN_REVIEW'
  | 'REVIEW'
  | 'TESTING'
  | 'BLOCKED'
  | 'ON_HOLD'
  | 'PENDING'
  | 'DRAFT'
  | 'SUBMITTED'
  | 'APPROVED'
  | 'REJECTED'
  | 'LOCKED'
  | 'ARCHIVED'
  | 'REOPENED'
  | 'DONE'
  | 'COMPLETED'
  | 'CLOSED'
  | 'CANCELLED'

/** Everything that a calendar says in one language. */
export interface Words {
  /** What such a thing is called: its category, and its title where it has none. */
  readonly kinds: Readonly<Record<EventKind, string>>
  /** What a feed can show, each kind in the plural. */
  readonly feedKinds: Readonly<Record<FeedKind, string>>
  /** What a calendar without a name is called. */
  readonly calendar: string
  /** A leave of which no more is told. */
  readonly away: string
  readonly pending: string
  readonly flexible: string
  /** Of a leave. */
  readonly noEnd: string
  /** A part of one day: `half day`, `0.25 day`. */
  partOfDay(days: number): string
  days(days: number): string
  /** `1–15 Mar`; with years only where they differ. */
  period(first: PlainDate, last: PlainDate): string
  readonly timesheetStates: Readonly<Record<TimesheetStatus, string>>
  timesheet(period: string): string
  timesheetDue(period: string): string
  hoursWorked(worked: number, expected: number | null): string
  /** The names of statuses that workforce systems commonly use. */
  readonly statuses: Readonly<Record<KnownStatus, string>>
  status(status: string): string
  estimatedHours(hours: number): string
  actualHours(hours: number): string
  assignees(names: readonly string[]): string
  /** `number` is null where the invoice has none, `amount` where it is unknown. */
  invoiceDue(number: string | null, amount: string | null): string
  recipient(name: string): string
  linkEnds(date: PlainDate): string
  readonly ended: string
  /** Said in the description of a calendar that is too large to be shown whole. */
  leftOut(past: number, future: number): string
}
