/* What claims to leaves say: whose a leave is, and whose it may be. Pure. */
import { type LeaveClaim, ownedAfterMs } from '../../domain/leave.ts'
import { each, filtered, grouped } from '../../json/long-lists.ts'
import { setOf } from '../../json/long-sets.ts'

/** A leave that comes for so many is booked for all of them. */
const sharedBy = 3

/** What is known of the leaves of a person's answer, and of those that it lacks. */
export interface Claims {
  /** Leaves of which it is not known yet whose they are. */
  readonly fresh: ReadonlySet<string>
  /** Leaves that come for this person and others, and are nobody's. */
  readonly open: ReadonlySet<string>
  /** Other people, for whom such leaves have come, too. */
  readonly owners: ReadonlySet<string>
}

/** What the claims to these leaves say of them for a person, who has just been answered them; of any length, in steps. */
export function* claimsAmong(
  claims: readonly LeaveClaim[],
  { userId, ids, now }: { userId: string; ids: readonly string[]; now: number },
): Generator<unknown, Claims> {
  const byLeave = yield* grouped(claims, leaveOf)
  const fresh = yield* filtered(ids, (id) => isFresh(userId, byLeave.get(id) ?? [], now))
  const open = yield* filtered(ids, (id) => isOpen(byLeave.get(id) ?? []))
  const owners = new Set<string>()
  yield* each(fresh.concat(open), (id) => {
    for (const claim of othersWith(userId, byLeave.get(id) ?? [])) owners.add(claim.userId)
  })
  return { fresh: yield* setOf(fresh), open: yield* setOf(open), owners }
}

/** The leave to which it is. */
export function leaveOf({ leaveId }: LeaveClaim): string {
  return leaveId
}

/** One that has never come for the person, or that all others have been without for a day. */
function isFresh(userId: string, claims: readonly LeaveClaim[], now: number): boolean {
  const own = claims.find((claim) => claim.userId === userId)
  if (!own) return true
  const others = claims.filter((claim) => claim !== own)
  return (
    !own.isOwner &&
    others.every((claim) => (claim.isOwner ? isLong(claim, now) : claim.absentSince !== null))
  )
}

function isLong({ absentSince }: LeaveClaim, now: number): boolean {
  return absentSince !== null && now - absentSince >= ownedAfterMs
}

/** The claims of others to a leave that is nobody's, or that few have. */
function othersWith(userId: string, claims: readonly LeaveClaim[]): readonly LeaveClaim[] {
  const isAsked = claims.length < sharedBy || isOpen(claims)
  return isAsked ? claims.filter((claim) => claim.userId !== userId) : []
}

function isOpen(claims: readonly LeaveClaim[]): boolean {
  return claims.length > 1 && claims.every(({ isOwner }) => !isOwner)
}

/** Whether a leave that comes for somebody else is the person's all the same, until it has moved. */
export function isHeldFor(userId: string, claims: readonly LeaveClaim[], now: number): boolean {
  const own = claims.find((claim) => claim.userId === userId)
  if (!own?.isOwner || isLong(own, now)) return false
  return claims.some((claim) => claim !== own && claim.absentSince === null)
}
