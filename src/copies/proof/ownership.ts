/*
 * A leave belongs to the employee it was first stored for. It moves to another once its owner has lacked it for a day and it is
 * returned for only one other; until then everybody else is not shown it.
 */
import { isFree, isLongAbsent, type LeaveClaim, type LeavesRead } from '../../domain/leave.ts'
import type { Instant } from '../../domain/world.ts'
import type { ProofDeps } from './proof-state.ts'
import { overlapFully, idsIn, type LeavesReplies, type PersonsAnswer } from './replies.ts'

/** A leave with that many claims counts as one booked for several people, not as a mix-up of two. */
const sharedBy = 3
const rivalsMax = 3

const disputesMax = 200
/** Most leaves without an owner to record per person. */
const unownedMax = 1000

export interface Believed {
  /** Leaves of the answer that belong to the person. */
  readonly own: ReadonlySet<string>
  /** Stored leaves that the answer lacks but that stay. */
  readonly retained: ReadonlySet<string>
}

/** Returns what is known about leaves that were returned for a person. */
export async function claimsTo(
  deps: ProofDeps,
  { userId, ids }: Pick<PersonsAnswer, 'userId' | 'ids'>,
): Promise<Claims> {
  const claims = claimsAmong(await find(deps, ids), userId, [...ids], deps.clock.now())
  if (claims.unclaimed.size === 0 || !(await hasLostAll(deps, claims.movingFrom))) return claims
  return { ...claims, undecided: claims.undecided.union(claims.unclaimed) }
}

/**
 * Whether one of these people lost all leaves while Get user still shows them. Their account may have been merged into
 * another, or the Read API confuses the two. New leaves may belong to either.
 */
async function hasLostAll(deps: ProofDeps, people: ReadonlySet<string>): Promise<boolean> {
  for (const person of people) {
    if ((await deps.proofs.listOwned(deps.connection.id, person)).length > 0) continue
    if (!(await deps.departed.findDeparture(deps.connection.company.id, person))) return true
  }
  return false
}

/** Whether any of the former leaves was returned for the person before all of the latter, and has not been missing for a day. */
export async function cameBefore(
  deps: ProofDeps,
  userId: string,
  former: ReadonlySet<string>,
  latter: ReadonlySet<string>,
): Promise<boolean> {
  const claims = await find(deps, former.union(latter))
  const now = deps.clock.now()
  const own = claims.filter((claim) => claim.userId === userId && !isLongAbsent(claim, now))
  const firstAt = (ids: ReadonlySet<string>): number =>
    own.reduce((at, it) => (ids.has(it.leaveId) ? Math.min(at, it.since) : at), Infinity)
  return latter.size > 0 && firstAt(former) < firstAt(latter)
}

/** Which of these people, without those who have left, own all leaves of the answer, or only such; two leaves at least. */
export async function ownersOfAll(
  deps: ProofDeps,
  people: ReadonlySet<string>,
  ids: ReadonlySet<string>,
): Promise<readonly string[]> {
  const left = await amongDeparted(deps, [...people])
  const owners: string[] = []
  for (const person of people.difference(left)) {
    if (overlapFully(ids, new Set(await deps.proofs.listOwned(deps.connection.id, person))))
      owners.push(person)
  }
  return owners
}

/** Records an answer. Without further readings nothing in it is new; with them, what they agree on may become the person's. */
export async function noteAnswer(
  deps: ProofDeps,
  { userId, ids, kept = new Set(), ofDraft }: PersonsAnswer,
  readings?: ReturnType<typeof agreed>,
): Promise<Believed> {
  const { present, seen } = readings ?? { present: ids, seen: ids }
  const absent = await listMissing(deps, userId, seen)
  const marks = { mayOwn: readings !== undefined, onlyInFeed: !ofDraft }
  const own = await note(deps, userId, present, absent, marks)
  const lacking = kept.difference(ids)
  const byLeave = Map.groupBy(await find(deps, lacking), ({ leaveId }) => leaveId)
  const now = deps.clock.now()
  const held = [...lacking].filter((id) => isHeldFor(userId, byLeave.get(id) ?? [], now))
  return { own, retained: new Set(held).union(lacking.intersection(seen)) }
}

/**
 * Records leaves without an owner, unless some of the answer are the person's. So the person is queried before another gets
 * them.
 */
export async function noteUnowned(
  deps: ProofDeps,
  userId: string,
  ids: ReadonlySet<string>,
  onlyInFeed: boolean,
): Promise<void> {
  if (ids.size === 0 || ids.size > unownedMax) return
  const claims = await find(deps, ids)
  if (isOwn(userId, claims)) return
  const byLeave = Map.groupBy(claims, ({ leaveId }) => leaveId)
  const present = [...ids].filter((id) => isUnnoted(userId, byLeave.get(id) ?? []))
  if (present.length === 0) return
  const noted = await deps.proofs.listClaimed(deps.connection.id, userId)
  if (noted.length + present.length > unownedMax) return
  await note(deps, userId, present, [], { onlyInFeed })
}

/** Records an answer equal to the stored copy, as far as it says something new about leaves that others claim. */
export async function noteUnchanged(
  deps: ProofDeps,
  { userId, ids }: PersonsAnswer,
  unsettled: readonly LeaveClaim[],
): Promise<void> {
  const said = unsettled.filter(({ userId: of, leaveId, absentSince, isGone }) => {
    const isNoted = ids.has(leaveId) ? absentSince === null : absentSince !== null && !isGone
    return of === userId && !isNoted
  })
  if (said.length === 0) return
  const leaves = new Set(said.map(({ leaveId }) => leaveId))
  const absent = leaves.difference(ids)
  await note(deps, userId, leaves.intersection(ids), absent, { onlyInFeed: true })
}

/**
 * Records which of the concerned leaves were returned for each queried person, and for claimants also which were not.
 * Departed people have none.
 */
export async function noteReplies(
  deps: ProofDeps,
  replies: LeavesReplies,
  concerned: ReadonlySet<string>,
  claimants: ReadonlySet<string>,
): Promise<void> {
  const left = await amongDeparted(deps, [...replies.keys()])
  for (const [userId, reply] of replies) {
    if (reply === 'unanswered') continue
    const isGone = reply === 'refused' || left.has(userId)
    const given = isGone ? new Set<string>() : idsIn(reply)
    await noteUnowned(deps, userId, given, true)
    const present = given.intersection(concerned)
    if (present.size === 0 && !claimants.has(userId)) continue
    await note(deps, userId, present, concerned.difference(given), { isGone })
  }
}

/** Records that a person is refused, so that their leaves may move to another. */
export async function noteRefused(deps: ProofDeps, userId: string): Promise<void> {
  const absent = await listMissing(deps, userId, new Set())
  if (absent.length > 0) await note(deps, userId, [], absent, { isGone: true })
}

/** Returns which people are believed to have left: replies for them say nothing. */
export async function amongDeparted(
  { departed: departures, connection }: ProofDeps,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set()
  return new Set(await departures.listLeft(connection.company.id, userIds))
}

export function listDisputed({ proofs, connection }: ProofDeps): Promise<readonly LeaveClaim[]> {
  return proofs.listDisputed(connection.id, disputesMax)
}

/** Records one reading; returns the leaves in it that belong to the person. */
async function note(
  { proofs, connection, clock }: ProofDeps,
  userId: string,
  present: Iterable<string>,
  absent: Iterable<string>,
  marks: Partial<Pick<LeavesRead, 'mayOwn' | 'isGone' | 'onlyInFeed'>>,
): Promise<ReadonlySet<string>> {
  const claims = await proofs.noteReading(connection.id, {
    companyId: connection.company.id,
    userId,
    present: [...present],
    absent: [...absent],
    now: clock.now(),
    mayOwn: false,
    isGone: false,
    onlyInFeed: false,
    ...marks,
  })
  const own = claims.filter((claim) => claim.isOwner && claim.userId === userId)
  return new Set(own.map(({ leaveId }) => leaveId))
}

async function listMissing(
  { proofs, connection }: ProofDeps,
  userId: string,
  present: ReadonlySet<string>,
): Promise<readonly string[]> {
  const claimed = await proofs.listClaimed(connection.id, userId)
  return claimed.filter((id) => !present.has(id))
}

async function find(
  { proofs, connection }: ProofDeps,
  ids: ReadonlySet<string>,
): Promise<readonly LeaveClaim[]> {
  return ids.size > 0 ? proofs.findClaims(connection.id, [...ids]) : []
}

export interface Claims {
  readonly own: ReadonlySet<string>
  readonly fresh: ReadonlySet<string>
  /** Leaves without an owner that were returned for this person and for others. */
  readonly open: ReadonlySet<string>
  /** Other people for whom fresh and open leaves were returned; these people are queried, too. */
  readonly rivals: ReadonlySet<string>
  /** Fresh leaves that cannot be decided, since not all claimants of the answer are queried. */
  readonly undecided: ReadonlySet<string>
  /** Fresh leaves that no other person claims. */
  readonly unclaimed: ReadonlySet<string>
  /** Owners with an answer that lacks one of these leaves, for less than a day. */
  readonly movingFrom: ReadonlySet<string>
  readonly isMixed: boolean
}

export function claimsAmong(
  claims: readonly LeaveClaim[],
  userId: string,
  ids: readonly string[],
  now: Instant,
): Claims {
  const byLeave = Map.groupBy(claims, ({ leaveId }) => leaveId)
  const claimsOf = (id: string): readonly LeaveClaim[] => byLeave.get(id) ?? []
  const rivalsTo = (id: string): readonly string[] => rivalsFor(userId, claimsOf(id), now)
  const fresh = ids.filter((id) => isFresh(userId, claimsOf(id), now))
  const open = ids.filter((id) => isOpen(claimsOf(id)))
  const known = new Set(fresh.filter((id) => !isOpen(claimsOf(id))).flatMap(rivalsTo))
  const ofOpen = new Set(open.flatMap(rivalsTo))
  const rivals = new Set([...[...known].toSorted(), ...[...ofOpen].toSorted()].slice(0, rivalsMax))
  const isUndecided = (id: string): boolean => {
    if (known.size <= rivalsMax || isOpen(claimsOf(id))) return false
    const concerned = rivalsTo(id)
    return concerned.length === 0 || concerned.some((rival) => !rivals.has(rival))
  }
  const isUnclaimed = (id: string): boolean => claimsOf(id).every((it) => it.userId === userId)
  const moving = claims.filter((claim) => {
    const isAway = claim.absentSince !== null && !isLongAbsent(claim, now)
    return isAway && claim.isOwner && claim.userId !== userId && !claim.isGone
  })
  return {
    own: new Set(ids.filter((id) => isOwn(userId, claimsOf(id)))),
    fresh: new Set(fresh),
    open: new Set(open),
    rivals,
    undecided: new Set(fresh.filter(isUndecided)),
    unclaimed: new Set(fresh.filter(isUnclaimed)),
    movingFrom: new Set(moving.map((claim) => claim.userId)),
    isMixed: ids.some((id) => {
      const all = claimsOf(id)
      return all.length < sharedBy && all.some((it) => it.isOwner && it.userId !== userId)
    }),
  }
}

/** Whether it was never returned for the person, or all other claims to it have lapsed. */
function isFresh(userId: string, claims: readonly LeaveClaim[], now: Instant): boolean {
  const own = claims.find((claim) => claim.userId === userId)
  if (!own) return true
  return !own.isOwner && claims.every((claim) => claim === own || isFree(claim, now))
}

function isOwn(userId: string, claims: readonly LeaveClaim[]): boolean {
  return claims.some((claim) => claim.isOwner && claim.userId === userId)
}

/** Whether the leave has no owner, is not booked for many, and is not yet recorded for this person. */
export function isUnnoted(userId: string, claims: readonly LeaveClaim[]): boolean {
  const isNoted = (claim: LeaveClaim): boolean =>
    claim.isOwner || (claim.userId === userId && claim.absentSince === null)
  return claims.length < sharedBy && !claims.some(isNoted)
}

/** A leave booked for many has no rivals, unless it would move now. */
function rivalsFor(userId: string, claims: readonly LeaveClaim[], now: Instant): readonly string[] {
  const others = claims.filter((claim) => claim.userId !== userId)
  if (claims.length < sharedBy || isOpen(claims)) return others.map((claim) => claim.userId)
  const isMoving = others.every((claim) => isFree(claim, now))
  return isMoving ? others.flatMap((claim) => (claim.isOwner ? claim.userId : [])) : []
}

function isOpen(claims: readonly LeaveClaim[]): boolean {
  return claims.length > 1 && claims.every(({ isOwner }) => !isOwner)
}

/** Whether the leave still belongs to this person although it is returned for another: it has not moved yet. */
function isHeldFor(userId: string, claims: readonly LeaveClaim[], now: Instant): boolean {
  const own = claims.find((claim) => claim.userId === userId)
  if (!own?.isOwner || isLongAbsent(own, now)) return false
  return claims.some((claim) => claim !== own && claim.absentSince === null)
}

/** Returns which leaves of an answer count after several readings: the person's own, and others that are in every reading. */
export function agreed(
  ids: ReadonlySet<string>,
  { own, undecided }: Pick<Claims, 'own' | 'undecided'>,
  readings: readonly ReadonlySet<string>[],
): { readonly present: ReadonlySet<string>; readonly seen: ReadonlySet<string> } {
  const seen = readings.reduce((all, reading) => all.union(reading), ids)
  const stable = readings.reduce((all, reading) => all.intersection(reading), ids)
  return { present: ids.intersection(own).union(stable.difference(undecided)), seen }
}
