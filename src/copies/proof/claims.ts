/* What claims to leaves say of a person's answer: whose its leaves are, and with whom it is to be compared. Pure. */
import { type LeaveClaim, isFree, isLongAbsent } from '../../domain/leave.ts'
import type { Instant } from '../../domain/world.ts'

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

/** What the claims to these leaves say of them for a person, who has just been answered them. */
export function claimsAmong(
  claims: readonly LeaveClaim[],
  userId: string,
  ids: readonly string[],
  now: Instant,
): Claims {
  const byLeave = claimsByLeave(claims)
  const claimsTo = (id: string): readonly LeaveClaim[] => byLeave.get(id) ?? []
  const rivalsTo = (id: string): readonly string[] => rivalsFor(userId, claimsTo(id), now)
  const fresh = ids.filter((id) => isFresh(userId, claimsTo(id), now))
  const open = ids.filter((id) => isOpen(claimsTo(id)))
  const known = new Set(fresh.filter((id) => !isOpen(claimsTo(id))).flatMap(rivalsTo))
  const ofOpen = new Set(open.flatMap(rivalsTo))
  const rivals = new Set([...[...known].toSorted(), ...[...ofOpen].toSorted()].slice(0, rivalsMax))
  const isUndecided = (id: string): boolean => {
    if (known.size <= rivalsMax || isOpen(claimsTo(id))) return false
    const concerned = rivalsTo(id)
    return concerned.length === 0 || concerned.some((rival) => !rivals.has(rival))
  }
  const isUnclaimed = (id: string): boolean =>
    claimsTo(id).every((claim) => claim.userId === userId)
  const moving = claims.filter((claim) => isLeaving(userId, claim, now))
  return {
    own: new Set(ids.filter((id) => isOwn(userId, claimsTo(id)))),
    fresh: new Set(fresh),
    open: new Set(open),
    rivals,
    undecided: new Set(fresh.filter(isUndecided)),
    unclaimed: new Set(fresh.filter(isUnclaimed)),
    movingFrom: new Set(moving.map((claim) => claim.userId)),
    isMixed: ids.some((id) => isAnothers(userId, claimsTo(id))),
  }
}

export function claimsByLeave(
  claims: readonly LeaveClaim[],
): ReadonlyMap<string, readonly LeaveClaim[]> {
  return Map.groupBy(claims, ({ leaveId }) => leaveId)
}

/** One that has never come for the person, or that all others have been without for long enough. */
function isFresh(userId: string, claims: readonly LeaveClaim[], now: Instant): boolean {
  const own = claims.find((claim) => claim.userId === userId)
  if (!own) return true
  return !own.isOwner && claims.every((claim) => claim === own || isFree(claim, now))
}

export function isOwn(userId: string, claims: readonly LeaveClaim[]): boolean {
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
function isLeaving(userId: string, claim: LeaveClaim, now: Instant): boolean {
  const isAway = claim.absentSince !== null && !isLongAbsent(claim, now)
  return isAway && claim.isOwner && claim.userId !== userId && !claim.isGone
}

/** Who else may have the leave; of one that is booked for many nobody, unless it would move now. */
function rivalsFor(userId: string, claims: readonly LeaveClaim[], now: Instant): readonly string[] {
  const others = claims.filter((claim) => claim.userId !== userId)
  if (claims.length < sharedBy || isOpen(claims)) return others.map((claim) => claim.userId)
  const isMoving = others.every((claim) => isFree(claim, now))
  return isMoving ? others.flatMap((claim) => (claim.isOwner ? claim.userId : [])) : []
}

function isOpen(claims: readonly LeaveClaim[]): boolean {
  return claims.length > 1 && claims.every(({ isOwner }) => !isOwner)
}

/** Whether a leave that comes for somebody else is the person's all the same, until it has moved. */
export function isHeldFor(userId: string, claims: readonly LeaveClaim[], now: Instant): boolean {
  const own = claims.find((claim) => claim.userId === userId)
  if (!own?.isOwner || isLongAbsent(own, now)) return false
  return claims.some((claim) => claim !== own && claim.absentSince === null)
}

/** What several readings of one person's leaves come to. */
export interface Agreed {
  /** What is the person's already, and of all else what came in every reading and can be decided. */
  readonly present: ReadonlySet<string>
  /** What came in any of them. */
  readonly seen: ReadonlySet<string>
}

/** What of an answer the readings agree on; the answer itself may be among them. */
export function agreed(
  ids: ReadonlySet<string>,
  { own, undecided }: Pick<Claims, 'own' | 'undecided'>,
  readings: readonly ReadonlySet<string>[],
): Agreed {
  let [seen, stable] = [ids, ids]
  for (const reading of readings) {
    seen = seen.union(reading)
    stable = stable.intersection(reading)
  }
  return { present: ids.intersection(own).union(stable.difference(undecided)), seen }
}
