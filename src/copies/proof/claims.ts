/* What claims to leaves say of a person's answer: whose its leaves are, and with whom it is to be compared. Pure. */
import { isFree, isLongAbsent } from '../../domain/leave-claims.ts'
import type { LeaveClaim } from '../../domain/leave.ts'
import { each, filtered, grouped } from '../../json/long-lists.ts'
import { setBy, setOf } from '../../json/long-sets.ts'

/** A leave that comes for so many is booked for all of them. */
const sharedBy = 3
/** So many people are asked for beside an answer, since its leaves have come for them, too. */
const rivalsMax = 3

/** What is known of the leaves of a person's answer. */
export interface Claims {
  /** Leaves that are the person's. */
  readonly own: ReadonlySet<string>
  /** Leaves of which it is not known yet whose they are. */
  readonly fresh: ReadonlySet<string>
  /** Leaves that come for this person and others, and are nobody's. */
  readonly open: ReadonlySet<string>
  /** Other people for whom fresh and open ones have come, too: they are asked for. */
  readonly rivals: ReadonlySet<string>
  /** Fresh leaves of which nothing is decided, since not everybody for whom leaves of this answer have come is asked for. */
  readonly undecided: ReadonlySet<string>
  /** Fresh leaves that have come for nobody else yet. */
  readonly unclaimed: ReadonlySet<string>
  /** Owners of leaves of this answer who are answered, but have been without them for less than a day. */
  readonly movingFrom: ReadonlySet<string>
  /** Whether leaves of somebody else are among them. */
  readonly isMixed: boolean
}

/** What the claims to these leaves say of them for a person, who has just been answered them; of any length, in steps. */
export function* claimsAmong(
  claims: readonly LeaveClaim[],
  { userId, ids, now }: { userId: string; ids: readonly string[]; now: number },
): Generator<unknown, Claims> {
  const byLeave = yield* grouped(claims, leaveOf)
  const claimsTo = (id: string): readonly LeaveClaim[] => byLeave.get(id) ?? []
  const own = yield* filtered(ids, (id) => isOwn(userId, claimsTo(id)))
  const fresh = yield* filtered(ids, (id) => isFresh(userId, claimsTo(id), now))
  const open = yield* filtered(ids, (id) => isOpen(claimsTo(id)))
  const others = yield* filtered(ids, (id) => isAnothers(userId, claimsTo(id)))
  const isNew = (id: string): boolean => claimsTo(id).every((claim) => claim.userId === userId)
  const unclaimed = yield* filtered(fresh, isNew)
  const moving = yield* filtered(claims, (claim) => isLeaving(userId, claim, now))
  const rivalsTo = (id: string): readonly string[] => rivalsFor(userId, claimsTo(id), now)
  const known = new Set<string>()
  yield* each(fresh, (id) => {
    if (!isOpen(claimsTo(id))) for (const rival of rivalsTo(id)) known.add(rival)
  })
  const ofOpen = new Set<string>()
  yield* each(open, (id) => {
    for (const rival of rivalsTo(id)) ofOpen.add(rival)
  })
  const rivals = new Set([...[...known].toSorted(), ...[...ofOpen].toSorted()].slice(0, rivalsMax))
  const isUndecided = (id: string): boolean => {
    if (known.size <= rivalsMax || isOpen(claimsTo(id))) return false
    const concerned = rivalsTo(id)
    return concerned.length === 0 || concerned.some((rival) => !rivals.has(rival))
  }
  return {
    own: yield* setOf(own),
    fresh: yield* setOf(fresh),
    open: yield* setOf(open),
    rivals,
    undecided: yield* setOf(yield* filtered(fresh, isUndecided)),
    unclaimed: yield* setOf(unclaimed),
    movingFrom: yield* setBy(moving, (claim) => claim.userId),
    isMixed: others.length > 0,
  }
}

/** The leave to which it is. */
export function leaveOf({ leaveId }: LeaveClaim): string {
  return leaveId
}

/** One that has never come for the person, or that all others have been without for long enough. */
function isFresh(userId: string, claims: readonly LeaveClaim[], now: number): boolean {
  const own = claims.find((claim) => claim.userId === userId)
  if (!own) return true
  return !own.isOwner && claims.every((claim) => claim === own || isFree(claim, now))
}

function isOwn(userId: string, claims: readonly LeaveClaim[]): boolean {
  return claims.some((claim) => claim.isOwner && claim.userId === userId)
}

/** Of a leave that is somebody else's, and not booked for many. */
function isAnothers(userId: string, claims: readonly LeaveClaim[]): boolean {
  return claims.length < sharedBy && claims.some((it) => it.isOwner && it.userId !== userId)
}

/** Of a leave that is nobody's, nor booked for many, and is not noted as coming for the person. */
export function isUnnoted(userId: string, claims: readonly LeaveClaim[]): boolean {
  const isNoted = (claim: LeaveClaim): boolean =>
    claim.isOwner || (claim.userId === userId && claim.absentSince === null)
  return claims.length < sharedBy && !claims.some(isNoted)
}

/** Whether its owner, who is somebody else, is answered without the leave, but not yet for a day. */
function isLeaving(userId: string, claim: LeaveClaim, now: number): boolean {
  const isAway = claim.absentSince !== null && !isLongAbsent(claim, now)
  return isAway && claim.isOwner && claim.userId !== userId && !claim.isGone
}

/** Whoever else may have the leave; of one that is booked for many nobody, unless it would move now. */
function rivalsFor(userId: string, claims: readonly LeaveClaim[], now: number): readonly string[] {
  const others = claims.filter((claim) => claim.userId !== userId)
  if (claims.length < sharedBy || isOpen(claims)) return others.map((claim) => claim.userId)
  const isMoving = others.every((claim) => isFree(claim, now))
  return isMoving ? others.flatMap((claim) => (claim.isOwner ? claim.userId : [])) : []
}

function isOpen(claims: readonly LeaveClaim[]): boolean {
  return claims.length > 1 && claims.every(({ isOwner }) => !isOwner)
}

/** Whether a leave that comes for somebody else is the person's all the same, until it has moved. */
export function isHeldFor(userId: string, claims: readonly LeaveClaim[], now: number): boolean {
  const own = claims.find((claim) => claim.userId === userId)
  if (!own?.isOwner || isLongAbsent(own, now)) return false
  return claims.some((claim) => claim !== own && claim.absentSince === null)
}
