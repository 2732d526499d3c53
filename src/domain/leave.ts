import type { Instant, Maybe } from './instant.ts'

/** A time-off request. It carries no user id: whose it is follows only from how it was asked for. */
export interface Leave {
  readonly id: string
  readonly startDate: Instant
  readonly endDate: Instant
  /** PENDING, APPROVED, REJECTED, CANCELLED; a value outside that list is kept as it came. */
  readonly status: string
  readonly days?: Maybe<number>
  readonly reason?: Maybe<string>
  readonly leaveType?: Maybe<LeaveType>
}

export interface LeaveType {
  readonly name?: Maybe<string>
  readonly category?: Maybe<string>
}
