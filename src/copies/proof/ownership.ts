/*
 * A leave belongs to the employee for whom it was first kept, and to nobody else until it has come for none but another for a
 * day: all others for whom it comes meanwhile go without it.
 */
import type { Standing } from '../../domain/connection.ts'
import { type LeaveClaim, type LeavesRead, isLongAbsent } from '../../domain/leave.ts'
import {
  type Agreed,
  type Claims,
  claimsAmong,
  claimsByLeave,
  isHeldFor,
  isOwn,
  isUnnoted,
} from './claims.ts'
import type { ProofDeps } from './proof-state.ts'
import { areSame, idsIn, type LeavesReplies } from './replies.ts'

const disputesMax = 200
/** Of more than that nothing is noted of one person. */
const unownedMax = 1000

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
  readonly #deps: ProofDeps

  constructor(deps: ProofDeps) {
    this.#deps = deps
  }

  /** What is known of the leaves that have come for a person. */
  async claimsTo(userId: string, ids: readonly string[]): Promise<Claims> {
    const claims = claimsAmong(await this.#find(ids), userId, ids, this.#deps.clock.now())
    if (claims.unclaimed.size === 0 || !(await this.#hasLostAll(claims.movingFrom))) return claims
    return { ...claims, undecided: claims.undecided.union(claims.unclaimed) }
  }

  /**
   * Whether one of these people has lost all leaves though Get user shows them still: their account may have been merged into the
   * one that has them, or the Read API takes the two for each other. What is new may be either's.
   */
  async #hasLostAll(people: ReadonlySet<string>): Promise<boolean> {
    const { departed, connection } = this.#deps
    for (const person of people) {
      if ((await this.#owned(person)).length > 0) continue
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
    const claims = await this.#find([...former, ...latter])
    const now = this.#deps.clock.now()
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
    const left = await this.departed([...people])
    const owners: string[] = []
    for (const person of people.difference(left)) {
      if (areSame(ids, new Set(await this.#owned(person)))) owners.push(person)
    }
    return owners
  }

  /** Notes an answer that brings nothing that is not known: whose a leave is, it does not change. */
  settleKnown(answer: PersonsLeaves): Promise<Believed> {
    return this.#settle(answer, { present: answer.ids, seen: answer.ids }, false)
  }

  /** Notes whose the leaves are that nothing speaks against. */
  settleProven(answer: PersonsLeaves, readings: Agreed): Promise<Believed> {
    return this.#settle(answer, readings, true)
  }

  async #settle(
    { userId, ids, kept = new Set(), ofDraft }: PersonsLeaves,
    { present, seen }: Agreed,
    mayOwn: boolean,
  ): Promise<Believed> {
    const absent = await this.#missing(userId, seen)
    const own = await this.#note(userId, [...present], absent, { mayOwn, onlyInFeed: !ofDraft })
    const lacking = kept.difference(ids)
    const retained = await this.#retained(userId, [...lacking])
    return { own, retained: retained.union(lacking.intersection(seen)) }
  }

  /** Notes leaves that came for a person and are nobody's, unless some of the answer are theirs: before they become another's that person is asked for. */
  async noteUnowned(userId: string, ids: ReadonlySet<string>, onlyInFeed: boolean): Promise<void> {
    if (ids.size === 0 || ids.size > unownedMax) return
    const { proofs, connection } = this.#deps
    const claims = await this.#find([...ids])
    if (isOwn(userId, claims)) return
    const byLeave = claimsByLeave(claims)
    const present = [...ids].filter((id) => isUnnoted(userId, byLeave.get(id) ?? []))
    if (present.length === 0) return
    const noted = await proofs.listClaimed(connection.id, userId)
    if (noted.length + present.length > unownedMax) return
    await this.#note(userId, present, [], { onlyInFeed })
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
    const leaves = new Set(said.map(({ leaveId }) => leaveId))
    const present = [...leaves.intersection(ids)]
    await this.#note(userId, present, [...leaves.difference(ids)], { onlyInFeed: true })
  }

  /** Notes which of these leaves, and which of nobody's, came for people who were asked for, and which did not for those for whom they had; who has left is without them. */
  async noteReplies(
    replies: LeavesReplies,
    concerned: ReadonlySet<string>,
    claimants: ReadonlySet<string>,
  ): Promise<void> {
    const left = await this.departed([...replies.keys()])
    for (const [userId, reply] of replies) {
      if (reply === 'unanswered') continue
      const isGone = reply === 'refused' || left.has(userId)
      const given = isGone ? new Set<string>() : idsIn(reply)
      await this.noteUnowned(userId, given, true)
      const present = [...given.intersection(concerned)]
      if (present.length === 0 && !claimants.has(userId)) continue
      await this.#note(userId, present, [...concerned.difference(given)], { isGone })
    }
  }

  /** Notes that a person is refused: their leaves may be another's by now. */
  async noteRefused(userId: string): Promise<void> {
    const absent = await this.#missing(userId, new Set())
    if (absent.length > 0) await this.#note(userId, [], absent, { isGone: true })
  }

  /** Which of these people are believed to have left: what comes for them says nothing. */
  async departed(userIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (userIds.length === 0) return new Set()
    const { departed, connection } = this.#deps
    return new Set(await departed.listLeft(connection.company.id, userIds))
  }

  /** People for whom leaves have come that have come for one other as well. */
  async disputants(): Promise<readonly string[]> {
    const claims = await this.shared()
    const byLeave = claimsByLeave(claims)
    const disputed = claims.filter(({ leaveId }) => byLeave.get(leaveId)?.length === 2)
    return [...new Set(disputed.map(({ userId }) => userId))]
  }

  /** Claims to leaves that several people have. */
  shared(): Promise<readonly LeaveClaim[]> {
    const { proofs, connection } = this.#deps
    return proofs.listDisputed(connection.id, disputesMax)
  }

  /** Notes what has come for somebody, and gives the leaves among it that are theirs. */
  async #note(
    userId: string,
    present: readonly string[],
    absent: readonly string[],
    of: Partial<Pick<LeavesRead, 'mayOwn' | 'isGone' | 'onlyInFeed'>>,
  ): Promise<ReadonlySet<string>> {
    const { proofs, connection, clock } = this.#deps
    const companyId = connection.company.id
    const reading = { companyId, userId, present, absent, now: clock.now() }
    const marks = { mayOwn: false, isGone: false, onlyInFeed: false, ...of }
    const claims = await proofs.noteReading(connection.id, { ...reading, ...marks })
    const own = claims.filter((claim) => claim.isOwner && claim.userId === userId)
    return new Set(own.map(({ leaveId }) => leaveId))
  }

  /** Which leaves that came for a person do so no longer, theirs or not. */
  async #missing(userId: string, present: ReadonlySet<string>): Promise<readonly string[]> {
    const claimed = await this.#deps.proofs.listClaimed(this.#deps.connection.id, userId)
    return claimed.filter((id) => !present.has(id))
  }

  /** Which of these leaves are the person's though they come for somebody else: they stand until they have moved. */
  async #retained(userId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set()
    const byLeave = claimsByLeave(await this.#find(ids))
    const now = this.#deps.clock.now()
    return new Set(ids.filter((id) => isHeldFor(userId, byLeave.get(id) ?? [], now)))
  }

  #find(ids: readonly string[]): Promise<readonly LeaveClaim[]> {
    return this.#deps.proofs.findClaims(this.#deps.connection.id, ids)
  }

  #owned(userId: string): Promise<readonly string[]> {
    return this.#deps.proofs.listOwned(this.#deps.connection.id, userId)
  }
}
