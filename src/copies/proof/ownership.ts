/*
 * A leave belongs to the employee for whom it was first kept, and to nobody else until it has come for none but another for a
 * day: whoever it comes for meanwhile goes without it.
 */
import type { Connection, Standing } from '../../domain/connection.ts'
import type { DepartureStore } from '../../domain/departure.ts'
import { isLongAbsent } from '../../domain/leave-claims.ts'
import { type LeaveClaim, type LeaveProofStore, type LeavesRead } from '../../domain/leave.ts'
import type { Clock } from '../../domain/world.ts'
import { filtered, grouped } from '../../json/long-lists.ts'
import { setBy, setOf, within, without } from '../../json/long-sets.ts'
import { inSteps } from '../../json/rest.ts'
import { type Claims, claimsAmong, isHeldFor, isUnnoted, leaveOf } from './claims.ts'
import { areSame } from './comparison.ts'
import { idsIn, type LeavesReply } from './leaves-reply.ts'

const disputesMax = 200
/** Of more than that nothing is noted of one person. */
const unownedMax = 1000

export interface OwnershipDeps {
  readonly connection: Connection
  readonly proofs: LeaveProofStore
  readonly departed: Pick<DepartureStore, 'findDeparture' | 'listLeft'>
  readonly clock: Clock
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

interface Settled {
  readonly present: ReadonlySet<string>
  readonly seen: ReadonlySet<string>
  readonly mayOwn: boolean
}

const unowned = { mayOwn: false, isGone: false }

/** Whose each leave of a connection is. */
export class Ownership {
  readonly #deps: OwnershipDeps

  constructor(deps: OwnershipDeps) {
    this.#deps = deps
  }

  /** What is known of the leaves that have come for a person. */
  async claimsTo(userId: string, ids: readonly string[]): Promise<Claims> {
    const { proofs, connection, clock } = this.#deps
    const found = await proofs.findClaims(connection.id, ids)
    const claims = await inSteps(claimsAmong(found, { userId, ids, now: clock.now() }))
    if (claims.unclaimed.size === 0 || !(await this.#hasLostAll(claims.movingFrom))) return claims
    return { ...claims, undecided: await inSteps(setOf(claims.undecided, claims.unclaimed)) }
  }

  /**
   * Whether one of these people has lost all leaves though Get user shows them still: their account may have been merged into the
   * one that has them, or the Read API takes the two for each other. What is new may be either's.
   */
  async #hasLostAll(people: ReadonlySet<string>): Promise<boolean> {
    const { proofs, departed, connection } = this.#deps
    for (const person of people) {
      const owned = await proofs.listOwned(connection.id, person)
      if (owned.length > 0) continue
      if (!(await departed.findDeparture(connection.company.id, person))) return true
    }
    return false
  }

  /** Whether one of the former leaves came for a person before all of the latter did, and has not been missing for a day. */
  async cameBefore(
    userId: string,
    former: ReadonlySet<string>,
    latter: ReadonlySet<string>,
  ): Promise<boolean> {
    const { proofs, connection, clock } = this.#deps
    const claims = await proofs.findClaims(connection.id, [...former, ...latter])
    const now = clock.now()
    const own = claims.filter((claim) => claim.userId === userId && !isLongAbsent(claim, now))
    const firstAt = (ids: ReadonlySet<string>): number =>
      own.reduce((at, it) => (ids.has(it.leaveId) ? Math.min(at, it.since) : at), Infinity)
    return latter.size > 0 && firstAt(former) < firstAt(latter)
  }

  /** Those of these people, the ones who have left not counted, all of whose leaves an answer brings, or whose leaves are all it holds. */
  async ownersOfAll(
    people: ReadonlySet<string>,
    ids: ReadonlySet<string>,
  ): Promise<readonly string[]> {
    const { proofs, connection } = this.#deps
    const left = await this.departed([...people])
    const owners: string[] = []
    for (const person of people) {
      const owned = left.has(person) ? [] : await proofs.listOwned(connection.id, person)
      if (areSame(ids, new Set(owned))) owners.push(person)
    }
    return owners
  }

  /** Notes an answer that brings nothing that is not known: whose a leave is, it does not change. */
  settleKnown(answer: PersonsLeaves): Promise<Believed> {
    return this.#settle(answer, { present: answer.ids, seen: answer.ids, mayOwn: false })
  }

  /** Notes whose the leaves are that nothing speaks against; `seen` came in any of the readings. */
  settleProven(
    answer: PersonsLeaves,
    readings: { readonly present: ReadonlySet<string>; readonly seen: ReadonlySet<string> },
  ): Promise<Believed> {
    return this.#settle(answer, { ...readings, mayOwn: true })
  }

  async #settle(
    { userId, ids, kept = new Set(), ofDraft }: PersonsLeaves,
    { present, seen, mayOwn }: Settled,
  ): Promise<Believed> {
    const absent = await this.#missing(userId, seen)
    const read = { userId, present: [...present], absent, mayOwn, isGone: false }
    const own = await this.note({ ...read, onlyInFeed: !ofDraft })
    const lacking = await inSteps(without(kept, ids))
    const retained = await this.#retained(userId, [...lacking])
    const came = await inSteps(within(lacking, seen))
    return { own, retained: await inSteps(setOf(retained, came)) }
  }

  /** Notes leaves that came for a person and are nobody's, unless some of the answer are theirs: before they become another's that person is asked for. */
  async noteUnowned(
    { userId, ofDraft }: Pick<PersonsLeaves, 'userId' | 'ofDraft'>,
    ids: ReadonlySet<string>,
  ): Promise<void> {
    if (ids.size === 0 || ids.size > unownedMax) return
    const { proofs, connection } = this.#deps
    const claims = await proofs.findClaims(connection.id, [...ids])
    if (claims.some((claim) => claim.isOwner && claim.userId === userId)) return
    const byLeave = Map.groupBy(claims, leaveOf)
    const present = [...ids].filter((id) => isUnnoted(userId, byLeave.get(id) ?? []))
    if (present.length === 0) return
    const noted = await proofs.listClaimed(connection.id, userId)
    if (noted.length + present.length > unownedMax) return
    await this.note({ userId, present, absent: [], ...unowned, onlyInFeed: !ofDraft })
  }

  /** Notes an answer in which nothing is new, as far as it says something of leaves that have come for others, too. */
  async noteUnchanged(
    userId: string,
    ids: ReadonlySet<string>,
    unsettled: Standing['unsettled'],
  ): Promise<void> {
    const said = unsettled.filter((claim) => {
      const isNoted = ids.has(claim.leaveId)
        ? claim.absentSince === null
        : claim.absentSince !== null && !claim.isGone
      return claim.userId === userId && !isNoted
    })
    if (said.length === 0) return
    const leaves = said.map(leaveOf)
    const present = leaves.filter((id) => ids.has(id))
    const absent = leaves.filter((id) => !ids.has(id))
    await this.note({ userId, present, absent, ...unowned, onlyInFeed: true })
  }

  /** Notes which of these leaves, and which of nobody's, came for people who were asked for, and which did not for those for whom they had; who has left is without them. */
  async noteReplies(
    replies: ReadonlyMap<string, LeavesReply>,
    concerned: ReadonlySet<string>,
    claimants: ReadonlySet<string>,
  ): Promise<void> {
    const left = await this.departed([...replies.keys()])
    for (const [userId, reply] of replies) {
      if (reply === 'unanswered') continue
      const isGone = reply === 'refused' || left.has(userId)
      const given = isGone ? new Set<string>() : idsIn(reply)
      await this.noteUnowned({ userId, ofDraft: false }, given)
      const present = [...(await inSteps(within(given, concerned)))]
      if (present.length === 0 && !claimants.has(userId)) continue
      const absent = [...(await inSteps(without(concerned, given)))]
      await this.note({ userId, present, absent, mayOwn: false, isGone, onlyInFeed: false })
    }
  }

  /** Notes that a person is refused: their leaves may be another's by now. */
  async noteRefused(userId: string): Promise<void> {
    const absent = await this.#missing(userId, new Set())
    if (absent.length === 0) return
    await this.note({ userId, present: [], absent, ...unowned, isGone: true, onlyInFeed: false })
  }

  /** Which leaves that came for a person do so no longer, theirs or not. */
  async #missing(userId: string, present: ReadonlySet<string>): Promise<readonly string[]> {
    const claimed = await this.#deps.proofs.listClaimed(this.#deps.connection.id, userId)
    return inSteps(filtered(claimed, (id) => !present.has(id)))
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
    const isOwn = ({ userId, isOwner }: LeaveClaim): boolean => isOwner && userId === reading.userId
    return inSteps(setBy(await inSteps(filtered(claims, isOwn)), leaveOf))
  }

  /** Which of these leaves are the person's though they come for somebody else: they stand until they have moved. */
  async #retained(userId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set()
    const { proofs, connection, clock } = this.#deps
    const claims = await proofs.findClaims(connection.id, ids)
    const byLeave = await inSteps(grouped(claims, leaveOf))
    const now = clock.now()
    const isHeld = (id: string): boolean => isHeldFor(userId, byLeave.get(id) ?? [], now)
    return inSteps(setOf(await inSteps(filtered(ids, isHeld))))
  }
}
