/*
 * A leave belongs to the employee for whom it was first kept, and to nobody else until it has come for none but another for a
 * day: whoever it comes for meanwhile goes without it.
 */
import type { Connection } from '../../domain/connection.ts'
import type { DepartureStore } from '../../domain/departure.ts'
import {
  type LeaveClaim,
  type LeaveProofStore,
  type LeavesRead,
  ownedAfterMs,
} from '../../domain/leave.ts'
import type { Clock } from '../../domain/world.ts'
import { areSame } from './comparison.ts'

/** A leave that comes for so many is booked for all of them. */
const sharedBy = 3
const disputesMax = 200

export interface OwnershipDeps {
  readonly connection: Connection
  readonly proofs: LeaveProofStore
  readonly departed: Pick<DepartureStore, 'listLeft'>
  readonly clock: Clock
}

/** What is known of the leaves of a person's answer, and of those that it lacks. */
export interface Claims {
  /** Leaves of which it is not known yet whose they are. */
  readonly fresh: ReadonlySet<string>
  /** Leaves that come for this person and others, and are nobody's. */
  readonly open: ReadonlySet<string>
  /** Other people, for whom such leaves have come, too. */
  readonly owners: ReadonlySet<string>
}

/** What of an answer is believed. */
export interface Believed {
  /** Leaves of the answer that are the person's. */
  readonly own: ReadonlySet<string>
  /** Kept ones that the answer lacks and that stand all the same. */
  readonly retained: ReadonlySet<string>
}

/** The leaves that came for a person, as far as their owners are concerned. */
interface PersonsLeaves {
  readonly userId: string
  readonly ids: ReadonlySet<string>
  readonly kept: ReadonlySet<string> | undefined
  readonly ofDraft: boolean
}

/** Whose each leave of a connection is. */
export class Ownership {
  readonly #deps: OwnershipDeps

  constructor(deps: OwnershipDeps) {
    this.#deps = deps
  }

  /** What is known of the leaves that have come for a person. */
  async claimsTo(userId: string, ids: readonly string[]): Promise<Claims> {
    const { proofs, connection, clock } = this.#deps
    const now = clock.now()
    const byLeave = Map.groupBy(await proofs.findClaims(connection.id, ids), leaveOf)
    const fresh = ids.filter((id) => isFresh(userId, byLeave.get(id) ?? [], now))
    const open = ids.filter((id) => isOpen(byLeave.get(id) ?? []))
    const foreign = [...fresh, ...open].flatMap((id) => othersWith(userId, byLeave.get(id) ?? []))
    return {
      fresh: new Set(fresh),
      open: new Set(open),
      owners: new Set(foreign.map((claim) => claim.userId)),
    }
  }

  /** Whether the answer brings all that is kept for one of these people, or holds nothing else. */
  async holdsThoseOf(owners: ReadonlySet<string>, ids: ReadonlySet<string>): Promise<boolean> {
    const { proofs, connection } = this.#deps
    for (const owner of owners) {
      const owned = await proofs.listOwned(connection.id, owner)
      if (areSame(ids, new Set(owned))) return true
    }
    return false
  }

  /** Notes whose the leaves are, where nothing speaks against them; `seen` came in any of the readings. */
  async settle(
    { userId, ids, kept = new Set(), ofDraft }: PersonsLeaves,
    present: ReadonlySet<string>,
    seen: ReadonlySet<string>,
  ): Promise<Believed> {
    const absent = await this.#missing(userId, seen)
    const reading = { userId, present: [...present], absent, mayOwn: true, onlyInFeed: !ofDraft }
    const own = await this.note(reading)
    const lacking = kept.difference(ids)
    const retained = await this.#retained(userId, [...lacking])
    return { own, retained: retained.union(lacking.intersection(seen)) }
  }

  /** Notes an answer in which nothing is new, as far as it says something of leaves that have come for others, too. */
  async noteUnchanged(userId: string, ids: ReadonlySet<string>): Promise<void> {
    const { proofs, connection } = this.#deps
    const unsettled = await proofs.listUnsettled(connection.id, userId)
    const said = unsettled.filter(
      ({ leaveId, absentSince }) => ids.has(leaveId) === (absentSince !== null),
    )
    if (said.length === 0) return
    const leaves = said.map(leaveOf)
    const present = leaves.filter((id) => ids.has(id))
    const absent = leaves.filter((id) => !ids.has(id))
    await this.note({ userId, present, absent, mayOwn: false, onlyInFeed: true })
  }

  /** Which leaves that came for a person do so no longer, theirs or not. */
  async #missing(userId: string, present: ReadonlySet<string>): Promise<readonly string[]> {
    const claimed = await this.#deps.proofs.listClaimed(this.#deps.connection.id, userId)
    return claimed.filter((id) => !present.has(id))
  }

  /** Which of these people are believed to have left: what comes for them says nothing. */
  async departed(userIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (userIds.length === 0) return new Set()
    const { departed, connection } = this.#deps
    return new Set(await departed.listLeft(connection.company.id, userIds))
  }

  /** People for whom leaves have come that have come for one other as well. */
  async disputants(): Promise<readonly string[]> {
    return [...new Set((await this.disputes()).map(({ userId }) => userId))]
  }

  /** Claims to leaves that two people have. */
  async disputes(): Promise<readonly LeaveClaim[]> {
    const claims = await this.shared()
    const byLeave = Map.groupBy(claims, leaveOf)
    return claims.filter(({ leaveId }) => byLeave.get(leaveId)?.length === 2)
  }

  /** Claims to leaves that several people have. */
  shared(): Promise<readonly LeaveClaim[]> {
    const { proofs, connection } = this.#deps
    return proofs.listDisputed(connection.id, disputesMax)
  }

  /** Notes what has come for somebody, and gives the leaves among it that are theirs. */
  async note(reading: Omit<LeavesRead, 'companyId' | 'now'>): Promise<ReadonlySet<string>> {
    const { proofs, connection, clock } = this.#deps
    const all = { ...reading, companyId: connection.company.id, now: clock.now() }
    const claims = await proofs.noteReading(connection.id, all)
    const own = claims.filter(({ userId, isOwner }) => isOwner && userId === reading.userId)
    return new Set(own.map(leaveOf))
  }

  /** Which of these leaves are the person's though they come for somebody else: they stand until they have moved. */
  async #retained(userId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set()
    const { proofs, connection, clock } = this.#deps
    const byLeave = Map.groupBy(await proofs.findClaims(connection.id, ids), leaveOf)
    const now = clock.now()
    return new Set(ids.filter((id) => isHeldFor(userId, byLeave.get(id) ?? [], now)))
  }
}

function leaveOf({ leaveId }: LeaveClaim): string {
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

function isHeldFor(userId: string, claims: readonly LeaveClaim[], now: number): boolean {
  const own = claims.find((claim) => claim.userId === userId)
  if (!own?.isOwner || isLong(own, now)) return false
  return claims.some((claim) => claim !== own && claim.absentSince === null)
}
