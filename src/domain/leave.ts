import type { Company } from './company.ts'
import { dayMs, type Instant, type Maybe } from './world.ts'

/** A time-off request. It has no user id: its owner follows only from how it was asked for. */
export interface Leave {
  readonly id: string
  readonly startDate: Instant
  /** null: there is none yet. */
  readonly endDate: Instant | null
  readonly hasBegun?: boolean
  /** A status outside the spec is kept as it came. */
  readonly status: string
  readonly days?: Maybe<number>
  readonly reason?: Maybe<string>
  readonly leaveType?: Maybe<LeaveType>
}

export interface LeaveType {
  readonly name?: Maybe<string>
  readonly category?: Maybe<string>
}

export const leaveStatuses = ['PENDING', 'APPROVED', 'REJECTED', 'CANCELLED'] as const
export type LeaveStatus = (typeof leaveStatuses)[number]
export const shownLeaveStatuses = ['APPROVED', 'PENDING'] as const satisfies LeaveStatus[]
export type ShownLeaveStatus = (typeof shownLeaveStatuses)[number]
/** How much is told, the least first: that somebody is away, the type's name, the reason. */
export const leaveDetails = ['absent', 'type', 'full'] as const
export type LeaveDetail = (typeof leaveDetails)[number]

/** How leaves of several people are shown, the form that tells least first: each day with who is away, or each person's leave. */
export const leaveForms = ['day', 'person'] as const
export type LeaveForm = (typeof leaveForms)[number]

/** In a list of private categories: every category, known or not, except those listed with `openMark`. */
export const everyCategory = '*'
export const openMark = '!'

/** Whether a leave is only ever "Away". Categories are compared trimmed and without case. */
export function isPrivate(
  { leaveType }: Pick<Leave, 'leaveType'>,
  privateCategories: readonly string[],
): boolean {
  const category = foldedCategory(leaveType?.category ?? '')
  const named = new Set(privateCategories.map(foldedCategory))
  if (category === '') return named.has(everyCategory)
  return named.has(category) || (named.has(everyCategory) && !named.has(openMark + category))
}

export function areAllPrivate(privateCategories: readonly string[]): boolean {
  const named = privateCategories.map(foldedCategory)
  return named.includes(everyCategory) && !named.some((category) => category.startsWith(openMark))
}

/** The form in which categories are compared. One with `openMark` keeps it. */
export function foldedCategory(category: string): string {
  const folded = category.normalize().trim().toLowerCase()
  return folded.startsWith(openMark) ? openMark + folded.slice(openMark.length).trim() : folded
}

/** What leave does to the reader's time, the least first. */
export const leaveShownAs = ['free', 'busy', 'outOfOffice'] as const
export type LeaveShownAs = (typeof leaveShownAs)[number]

/** A leave as it is read at that time: one without an end is shown only once it has begun, and calendars know no clock. */
export function withBegin(
  leave: Leave,
  { dates, timezone }: Pick<Company, 'dates' | 'timezone'>,
  now: Instant,
): Leave {
  if (leave.endDate !== null) return leave
  const { startDate } = leave
  // A bare day written as midnight UTC begins with the company's day.
  const isUtcDay = dates === 'utc' && startDate % dayMs === 0
  const hasBegun = isUtcDay ? isoDay(startDate, 'UTC') <= isoDay(now, timezone) : startDate <= now
  return { ...leave, hasBegun }
}

function isoDay(instant: Instant, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(instant)
}

/** Whether a connection's Read API filters leaves by employee: without proof no leave is shown. */
export const leaveProofStates = ['unproven', 'proven', 'disproved'] as const

export interface LeaveProof {
  readonly state: (typeof leaveProofStates)[number]
  readonly reason: LeaveProofReason | null
  readonly since: Instant
  /** When ids that look alike last brought no leaves of others; null if that was not tried, or failed. */
  readonly batteryAt: Instant | null
  readonly triedAt: Instant | null
  /** null: proven by a release that did not note it. */
  readonly credential: string | null
}

export type LeaveProofReason =
  | 'not_asked'
  | 'no_parameter'
  /** The random employee, or another that had to be asked, was not answered. */
  | 'canary_unanswered'
  | 'canary_not_empty'
  /** An id that looks alike brings the same leaves. */
  | 'similar_id'
  /** Two people's answers hold the same leaves. */
  | 'two_employees'
  /** All others were refused: nothing shows that the employee counts. */
  | 'nothing_to_compare'

/** A leave was returned for an employee. */
export interface LeaveClaim {
  readonly leaveId: string
  readonly userId: string
  /** Only its owner is shown a leave. */
  readonly isOwner: boolean
  readonly since: Instant
  readonly absentSince: Instant | null
  /** Absent because they were refused, or have left: two such owners do not disprove the filter. */
  readonly isGone: boolean
}

/** An owner's claim lapses once the leave has been absent for this long. */
export const ownerLapsesAfterMs = dayMs

/** Whether a claim no longer hinders others: an owner's after a day without the leave, any other at once. */
export function isFree(claim: LeaveClaim, now: Instant): boolean {
  return claim.isOwner ? isLongAbsent(claim, now) : claim.absentSince !== null
}

export function isLongAbsent({ absentSince }: LeaveClaim, now: Instant): boolean {
  return absentSince !== null && now - absentSince >= ownerLapsesAfterMs
}

/** The claims to a leave after a reading of one person. */
export function claimsAfter(
  known: readonly LeaveClaim[],
  {
    leaveId,
    userId,
    isPresent,
    now,
    mayOwn,
    isGone,
  }: Pick<LeavesRead, 'userId' | 'now' | 'mayOwn' | 'isGone'> & {
    readonly leaveId: string
    readonly isPresent: boolean
  },
): readonly LeaveClaim[] {
  const own = known.find((claim) => claim.userId === userId)
  const others = known.filter((claim) => claim !== own)
  const since = Math.min(own?.since ?? now, now)
  if (isPresent) {
    const wasOwner = own?.isOwner === true
    const becomesSole = (mayOwn || wasOwner) && others.every((claim) => isFree(claim, now))
    const isOwner = becomesSole || wasOwner
    const claim = { leaveId, userId, isOwner, since, absentSince: null, isGone: false }
    return becomesSole ? [claim] : [...others, claim]
  }
  // A claim of somebody who is no owner ends a day after the leave came for them last.
  if (!own || (!own.isOwner && isLongAbsent(own, now))) return others
  const absentSince = Math.min(own.absentSince ?? now, now)
  return known.map((claim) => (claim === own ? { ...own, since, absentSince, isGone } : claim))
}

/** What one reading of an employee's leaves says about their owners. */
export interface LeavesRead {
  readonly companyId: string
  readonly userId: string
  readonly present: readonly string[]
  readonly absent: readonly string[]
  readonly now: Instant
  /** Whether a leave that has not come for others, or not for a day, becomes theirs. */
  readonly mayOwn: boolean
  /** Whether the Read API refused that person, or they have left: then nothing is present. */
  readonly isGone: boolean
  /** Whether nothing is noted if the person is in no feed of the company; of erased people nothing ever is. */
  readonly onlyInFeed: boolean
}

/** What is known about a connection's filter of leaves, and the owners of leaves. */
export interface LeaveProofStore {
  findProof(connectionId: string): Promise<LeaveProof>
  /** Changes the proof as it is stored, one change after the other; gives what is kept. */
  changeProof(connectionId: string, change: (kept: LeaveProof) => LeaveProof): Promise<LeaveProof>
  /** Notes a try to prove the filter again; false if another node has tried since `before`. */
  takeTry(connectionId: string, before: Instant, now: Instant): Promise<boolean>
  findClaims(connectionId: string, leaveIds: readonly string[]): Promise<readonly LeaveClaim[]>
  /** The leaves that are that employee's and still come for them. */
  listOwned(connectionId: string, userId: string): Promise<readonly string[]>
  /** Applies `claimsAfter` in one step against all other readings; gives all claims to the leaves that came. */
  noteReading(connectionId: string, reading: LeavesRead): Promise<readonly LeaveClaim[]>
  /** The leaves that come for that employee, theirs or not. */
  listClaimed(connectionId: string, userId: string): Promise<readonly string[]>
  /** As if the employee had never been asked for. */
  forgetClaims(connectionId: string, userId: string): Promise<void>
  /** Claims to leaves that have come for several employees, but not for many. */
  listDisputed(connectionId: string, limit: number): Promise<readonly LeaveClaim[]>
  /** All such claims of the next employees who have any, in the order of their ids. */
  listDisputedAfter(
    connectionId: string,
    userId: string,
    employees: number,
  ): Promise<readonly LeaveClaim[]>
  /** How many owners, without those who are gone, had leaves that first came for one other employee since then. */
  countWrongedOwners(connectionId: string, since: Instant): Promise<number>
}
