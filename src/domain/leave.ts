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

/** What a leave can be, by the spec. */
export const leaveStatuses = ['PENDING', 'APPROVED', 'REJECTED', 'CANCELLED'] as const
/** Those that a calendar can show. */
export const shownLeaveStatuses = ['APPROVED', 'PENDING'] as const satisfies LeaveStatus[]
/** How much of a leave is told, the least first: that somebody is away, the type's name, the reason. */
export const leaveDetails = ['absent', 'type', 'full'] as const

export type LeaveStatus = (typeof leaveStatuses)[number]
export type ShownLeaveStatus = (typeof shownLeaveStatuses)[number]
export type LeaveDetail = (typeof leaveDetails)[number]
