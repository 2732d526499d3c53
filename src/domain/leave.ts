import type { Company } from './company.ts'
import type { Instant, Maybe } from './world.ts'

/** A time-off request. It carries no user id: whose it is follows only from how it was asked for. */
export interface Leave {
  readonly id: string
  readonly startDate: Instant
  /** null: there is none yet. */
  readonly endDate: Instant | null
  /** Whether one without an end had begun when it was read. */
  readonly hasBegun?: boolean
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
  /** When ids that look alike last brought no other's leaves; null while that has not been tried, or failed. */
  readonly batteryAt: Instant | null
  /** When it was last tried to prove a disproved filter again; null while it has not been. */
  readonly triedAt: Instant | null
  /** With which credential; null where it was proven by a release that did not say so. */
  readonly credential: string | null
}

export type LeaveProofReason =
  | 'not_asked'
  | 'no_parameter'
  /** The random employee, or another that had to be asked, was not answered. */
  | 'canary_unanswered'
  /** The random employee has leaves. */
  | 'canary_not_empty'
  /** An id that only looks like one brings the same leaves. */
  | 'similar_id'
  /** Two people's answers hold the same leaves. */
  | 'two_employees'
  /** All others were refused: nothing shows that the employee is looked at. */
  | 'nothing_to_compare'

/** That a leave came for an employee. */
export interface LeaveClaim {
  readonly leaveId: string
  readonly userId: string
  /** Whether it is theirs: nobody else is shown it. */
  readonly isOwner: boolean
  /** When it first came for them. */
  readonly since: Instant
  /** Since when it has come for them no longer; null while it does. */
  readonly absentSince: Instant | null
  /** Whether that is so since they were refused, or have left: no two owners who are gone disprove the filter. */
  readonly isGone: boolean
}

/** What one reading of an employee's leaves says of whose they are. */
export interface LeavesRead {
  readonly companyId: string
  readonly userId: string
  readonly present: readonly string[]
  readonly absent: readonly string[]
  readonly now: Instant
  /** Whether a leave that came for nobody else, or has come for nobody else for a day, becomes theirs. */
  readonly mayOwn: boolean
  /** Whether the Read API refused that person, or they have left: nothing is present then. */
  readonly isGone: boolean
  /** Whether nothing is noted of one who is in no feed of the company (any more); of one who was erased there nothing ever is. */
  readonly onlyInFeed: boolean
}

/** What is known of a connection's employee filter of leaves, and whose each leave is. */
export interface LeaveProofStore {
  findProof(connectionId: string): Promise<LeaveProof>
  /** Keeps what that makes of the proof as it stands, of two who do so at once one after the other; gives what is kept. */
  changeProof(connectionId: string, change: (kept: LeaveProof) => LeaveProof): Promise<LeaveProof>
  /** Notes that it is tried now to prove the filter again; false where another node has tried since `before`. */
  takeTry(connectionId: string, before: Instant, now: Instant): Promise<boolean>
  /** All claims to these leaves. */
  findClaims(connectionId: string, leaveIds: readonly string[]): Promise<readonly LeaveClaim[]>
  /** The leaves that are that employee's and still come for them. */
  listOwned(connectionId: string, userId: string): Promise<readonly string[]>
  /**
   * Notes a reading, in one step against all others of the connection, and gives all claims to the leaves that came. One that
   * was claimed first is its claimant's. Where others claim it too it stays its owner's until it has come for them no
   * longer for a day, and nobody's as long as it comes for several.
   */
  noteReading(connectionId: string, reading: LeavesRead): Promise<readonly LeaveClaim[]>
  /** The leaves that come for that employee, theirs or not. */
  listClaimed(connectionId: string, userId: string): Promise<readonly string[]>
  /** Forgets all that came for that employee, as if they had never been asked for. */
  forgetClaims(connectionId: string, userId: string): Promise<void>
  /** Claims to leaves that have come for several employees, but not for many, at most so many. */
  listDisputed(connectionId: string, limit: number): Promise<readonly LeaveClaim[]>
  /** All such claims of the next employees who have any, in the order of their ids, at most so many employees. */
  listDisputedAfter(
    connectionId: string,
    userId: string,
    employees: number,
  ): Promise<readonly LeaveClaim[]>
  /** Of how many owners, those who are gone not counted, leaves have come for one other employee, for the first time since then. */
  countWrongedOwners(connectionId: string, since: Instant): Promise<number>
}

const dayMs = 86_400_000

/** For how long a leave must have come for nobody else before it is somebody's. */
export const ownedAfterMs = dayMs

/** A leave as it is read then: one without an end is shown only once it has begun, and calendars know no clock. */
export function withBegin(
  leave: Leave,
  { dates, timezone }: Pick<Company, 'dates' | 'timezone'>,
  now: Instant,
): Leave {
  if (leave.endDate !== null) return leave
  const { startDate } = leave
  // A bare day that is written as midnight UTC begins with the company's day.
  const isUtcDay = dates === 'utc' && startDate % dayMs === 0
  const hasBegun = isUtcDay ? isoDay(startDate, 'UTC') <= isoDay(now, timezone) : startDate <= now
  return { ...leave, hasBegun }
}

function isoDay(instant: Instant, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(instant)
}

/** The lower of two levels of detail. */
export function lowerDetail(one: LeaveDetail, other: LeaveDetail): LeaveDetail {
  return leaveDetails.indexOf(one) < leaveDetails.indexOf(other) ? one : other
}
