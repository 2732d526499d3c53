/* What the claims to the leaves of an answer say: to whom they belong, and with whose answers it has to be compared. Pure. */
import { isFree, isLongAbsent, type LeaveClaim } from '../../domain/leave.ts'
import type { Instant } from '../../domain/world.ts'

/** A leave with that many claims is booked for all of them. */
const sharedBy = 3
/** How many other claimants are asked beside an answer. */
const rivalsMax = 3

/** What is known of the leaves in a person's answer. */
export interface Claims {
  /** Leaves of this person. */
  readonly own: ReadonlySet<string>
  /** Leaves without an owner so far. */
  readonly fresh: ReadonlySet<string>
  /** Leaves that came for this person and for others, and have no owner. */
  readonly open: ReadonlySet<string>
  /** Other people for whom fresh and open leaves came: they are asked, too. */
  readonly rivals: ReadonlySet<string>
  /** Fresh leaves that cannot be decided, since not all claimants of the answer are asked. */
  readonly undecided: ReadonlySet<string>
  /** Fresh leaves that no other person claims. */
  readonly unclaimed: ReadonlySet<string>
  /** Owners who have been answered without one of these leaves, but for less than a day. */
  readonly movingFrom: ReadonlySet<string>
  /** Whether leaves of other owners are among them. */
  readonly isMixed: boolean
}

/** What the claims to these leaves say for a person whose answer has just brought them. */
export function claimsAmong(
  claims: readonly LeaveClaim[],
  userId: string,
  ids: readonly string[],
  now: Instant,
): Claims {
  const byLeave = Map.groupBy(claims, ({ leaveId }) => leaveId)
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
  const isUnclaimed = (id: string): boolean => claimsTo(id).every((it) => it.userId === userId)
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

/** Never came for the person, or all other claims to it have lapsed. */
function isFresh(userId: string, claims: readonly LeaveClaim[], now: Instant): boolean {
  const own = claims.find((claim) => claim.userId === userId)
  if (!own) return true
  return !own.isOwner && claims.every((claim) => claim === own || isFree(claim, now))
}

export function isOwn(userId: string, claims: readonly LeaveClaim[]): boolean {
  return claims.some((claim) => claim.isOwner && claim.userId === userId)
}

function isAnothers(userId: string, claims: readonly LeaveClaim[]): boolean {
  return claims.length < sharedBy && claims.some((it) => it.isOwner && it.userId !== userId)
}

/** Whether the leave has no owner, is not booked for many, and its coming for this person is not noted yet. */
export function isUnnoted(userId: string, claims: readonly LeaveClaim[]): boolean {
  const isNoted = (claim: LeaveClaim): boolean =>
    claim.isOwner || (claim.userId === userId && claim.absentSince === null)
  return claims.length < sharedBy && !claims.some(isNoted)
}

function isLeaving(userId: string, claim: LeaveClaim, now: Instant): boolean {
  const isAway = claim.absentSince !== null && !isLongAbsent(claim, now)
  return isAway && claim.isOwner && claim.userId !== userId && !claim.isGone
}

/** A leave that is booked for many has no rivals, unless it would move now. */
function rivalsFor(userId: string, claims: readonly LeaveClaim[], now: Instant): readonly string[] {
  const others = claims.filter((claim) => claim.userId !== userId)
  if (claims.length < sharedBy || isOpen(claims)) return others.map((claim) => claim.userId)
  const isMoving = others.every((claim) => isFree(claim, now))
  return isMoving ? others.flatMap((claim) => (claim.isOwner ? claim.userId : [])) : []
}

function isOpen(claims: readonly LeaveClaim[]): boolean {
  return claims.length > 1 && claims.every(({ isOwner }) => !isOwner)
}

/** Whether the leave is still this person's although it comes for another: it has not moved yet. */
export function isHeldFor(userId: string, claims: readonly LeaveClaim[], now: Instant): boolean {
  const own = claims.find((claim) => claim.userId === userId)
  if (!own?.isOwner || isLongAbsent(own, now)) return false
  return claims.some((claim) => claim !== own && claim.absentSince === null)
}

/** Which leaves of an answer count after several readings: the person's own, and others that came in every reading. */
export function agreed(
  ids: ReadonlySet<string>,
  { own, undecided }: Pick<Claims, 'own' | 'undecided'>,
  readings: readonly ReadonlySet<string>[],
): { readonly present: ReadonlySet<string>; readonly seen: ReadonlySet<string> } {
  const seen = readings.reduce((all, reading) => all.union(reading), ids)
  const stable = readings.reduce((all, reading) => all.intersection(reading), ids)
  return { present: ids.intersection(own).union(stable.difference(undecided)), seen }
}
