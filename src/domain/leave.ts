import type { Instant, Maybe } from './world.ts'

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

/** Whether a connection's Read API filters leaves by employee: without proof no leave is shown. */
export interface LeaveProof {
  readonly state: 'unproven' | 'proven' | 'disproved'
  /** Why it is disproved, or why it is still unproven; null where proven. */
  readonly reason: LeaveProofReason | null
  /** When the state was last set. */
  readonly since: Instant
}

export type LeaveProofReason =
  | 'not_asked'
  | 'no_parameter'
  | 'canary_unanswered'
  | 'canary_not_empty'
  | 'two_employees'

/** What is known of a connection's employee filter of leaves, and whose each leave is. */
export interface LeaveProofStore {
  findProof(connectionId: string): Promise<LeaveProof>
  saveProof(connectionId: string, proof: LeaveProof): Promise<void>
  /**
   * Claims the leaves for the user, in one step against all other claims of the connection, and gives
   * those that another user has claimed too. Claims are kept, contested ones included. With `onlyInFeed` nothing is
   * claimed for a user who is in no feed (any more).
   */
  claimLeaves(
    connectionId: string,
    userId: string,
    leaveIds: readonly string[],
    onlyInFeed?: boolean,
  ): Promise<readonly ContestedLeave[]>
  /** The leaves that more than one user has claimed. */
  listContested(connectionId: string): Promise<readonly ContestedLeave[]>
  /** Withdraws one user's claims on these leaves. */
  withdrawClaims(connectionId: string, userId: string, leaveIds: readonly string[]): Promise<void>
}

export interface ContestedLeave {
  readonly leaveId: string
  readonly userIds: readonly string[]
}
