/* Whose a leave is, by the claims to it. Pure: the store writes what follows from a reading, the proof decides what to ask. */
import { type LeaveClaim, ownedAfterMs } from './leave.ts'
import type { Instant } from './world.ts'

/** What one reading of a person says of one leave. */
interface LeaveReading {
  readonly leaveId: string
  readonly userId: string
  readonly isPresent: boolean
  readonly now: Instant
  readonly mayOwn: boolean
  readonly isGone: boolean
}

/** Whether a claim stands in nobody's way any longer: an owner's after a day, another's at once. */
export function isFree(claim: LeaveClaim, now: Instant): boolean {
  return claim.isOwner ? isLongAbsent(claim, now) : claim.absentSince !== null
}

/** Whether the leave has not come for that person for a day. */
export function isLongAbsent({ absentSince }: LeaveClaim, now: Instant): boolean {
  return absentSince !== null && now - absentSince >= ownedAfterMs
}

/** The claims to a leave after a reading of one person. */
export function claimsAfter(
  known: readonly LeaveClaim[],
  reading: LeaveReading,
): readonly LeaveClaim[] {
  return reading.isPresent ? afterPresence(known, reading) : afterAbsence(known, reading)
}

function afterPresence(
  known: readonly LeaveClaim[],
  { leaveId, userId, now, mayOwn }: LeaveReading,
): readonly LeaveClaim[] {
  const own = known.find((claim) => claim.userId === userId)
  const others = known.filter((claim) => claim !== own)
  const wasOwner = own?.isOwner === true
  const isTheirs = (mayOwn || wasOwner) && others.every((claim) => isFree(claim, now))
  const claim = {
    leaveId,
    userId,
    isOwner: isTheirs || wasOwner,
    since: Math.min(own?.since ?? now, now),
    absentSince: null,
    isGone: false,
  }
  return isTheirs ? [claim] : [...others, claim]
}

/** A claim of one who is no owner ends a day after it has come for them last. */
function afterAbsence(
  known: readonly LeaveClaim[],
  { userId, now, isGone }: LeaveReading,
): readonly LeaveClaim[] {
  return known.flatMap((claim) => {
    if (claim.userId !== userId) return [claim]
    if (!claim.isOwner && isLongAbsent(claim, now)) return []
    const absentSince = Math.min(claim.absentSince ?? now, now)
    return [{ ...claim, since: Math.min(claim.since, now), absentSince, isGone }]
  })
}
