import type { Connection } from '../../domain/connection.ts'
import type { CopyStore, DoubtStore } from '../../domain/copy.ts'
import type { DepartureStore } from '../../domain/departure.ts'
import type { LeaveProof, LeaveProofReason, LeaveProofStore } from '../../domain/leave.ts'
import type { KnownPeople } from '../../domain/person.ts'
import { type Clock, clockSkewMs, type Log } from '../../domain/world.ts'

const dayMs = 86_400_000
/** A disproved filter is left alone so long before it is tried again. */
export const tryAgainAfterMs = 600_000
/** So many people with leaves are enough to tell whose an answer is. */
const establishedPeople = 20

/** One company's connection, and what is known of its people and their leaves. */
export interface ProofDeps {
  readonly connection: Connection
  readonly proofs: LeaveProofStore
  readonly doubts: DoubtStore
  readonly copies: CopyStore
  readonly departed: DepartureStore
  readonly people: KnownPeople
  readonly clock: Clock
  readonly log: Log
}

/** What is known of a connection's employee filter of leaves. */
export class ProofState {
  readonly #deps: ProofDeps

  constructor(deps: ProofDeps) {
    this.#deps = deps
  }

  async current(): Promise<LeaveProof> {
    const { proofs, connection } = this.#deps
    return this.ofCredential(await proofs.findProof(connection.id))
  }

  /** What is kept, as it stands now; a new credential may be shown others' leaves, so nothing is proven with it yet. */
  ofCredential(proof: LeaveProof): LeaveProof {
    const { connection } = this.#deps
    if (proof.credential === null || proof.credential === connection.credential) return proof
    return { ...proof, state: 'unproven', reason: 'not_asked', batteryAt: null, triedAt: null }
  }

  async set(state: LeaveProof['state'], reason: LeaveProofReason | null): Promise<void> {
    await this.#change((before) => this.#turned(before, state, reason))
  }

  /** Notes a proof that began when the state was that; false where it has been disproved since. */
  async setProven(begun: LeaveProof): Promise<boolean> {
    const { state } = await this.#change((before) => {
      const isSameDisproof = begun.state === before.state && begun.since === before.since
      const isOvertaken = before.state === 'disproved' && !isSameDisproof
      return isOvertaken ? before : this.#turned(before, 'proven', null)
    })
    return state === 'proven'
  }

  /** Notes why it is unproven, where it still is: somebody who had to be asked was not answered. */
  async noteUnanswered(): Promise<void> {
    await this.#change((before) =>
      before.state === 'unproven' ? this.#turned(before, 'unproven', 'canary_unanswered') : before,
    )
  }

  /** Notes that ids that look alike have brought nobody else's leaves. */
  async passBattery(): Promise<void> {
    await this.#change((before) => ({ ...before, batteryAt: this.#deps.clock.now() }))
  }

  /** Whether ids that look alike have been tried within a day. */
  hasBattery({ batteryAt }: LeaveProof): boolean {
    const now = this.#deps.clock.now()
    return batteryAt !== null && batteryAt <= now && now - batteryAt < dayMs
  }

  /** Whether it is time to try a disproved filter again. */
  isTimeToTry({ since, triedAt }: LeaveProof): boolean {
    const now = this.#deps.clock.now()
    const before = now - tryAgainAfterMs
    return [since, triedAt ?? 0].every(
      (instant) => instant <= before || instant > now + clockSkewMs,
    )
  }

  /** Whether it is time, and nobody else does. */
  async mayTryAgain(proof: LeaveProof): Promise<boolean> {
    if (!this.isTimeToTry(proof)) return false
    const { clock, proofs, connection } = this.#deps
    return proofs.takeTry(connection.id, clock.now() - tryAgainAfterMs, clock.now())
  }

  /** Whether so many people's leaves are known that one comparison tells whose an answer is. */
  async isEstablished(proof: LeaveProof): Promise<boolean> {
    if (proof.state !== 'proven' || !this.hasBattery(proof)) return false
    const { connection, doubts, people, proofs, clock } = this.#deps
    const { id, company } = connection
    const known = await doubts.countFilled(id, 'leaves', establishedPeople)
    if (known < establishedPeople && known < (await people.countPeople(company.id))) return false
    return (await proofs.countWrongedOwners(id, clock.now() - dayMs)) === 0
  }

  /**
   * How many proofs may go on side by side: the first one saves the others much, and once the filter is established all that
   * wait need less. Until then no more are under way than are missing.
   */
  async proofsAtOnce(): Promise<number> {
    const proof = await this.current()
    if (proof.state !== 'proven' || !this.hasBattery(proof)) return 1
    return (await this.isEstablished(proof)) ? Number.POSITIVE_INFINITY : establishedPeople
  }

  /** Whether leaves of several people have come for the wrong ones within a day, and since the filter was last proven. */
  async areTwoWronged(proof: LeaveProof): Promise<boolean> {
    const { connection, proofs, clock } = this.#deps
    const since = Math.max(clock.now() - dayMs, proof.state === 'proven' ? proof.since : 0)
    return (await proofs.countWrongedOwners(connection.id, since)) > 1
  }

  #turned(
    before: LeaveProof,
    state: LeaveProof['state'],
    reason: LeaveProofReason | null,
  ): LeaveProof {
    const { clock, connection } = this.#deps
    const isKept = before.credential === connection.credential
    if (isKept && before.state === state && before.reason === reason) return before
    const now = clock.now()
    const since = before.state === state && before.since <= now ? before.since : now
    // What was tried before a filter was disproved says nothing any more.
    const batteryAt = state === 'disproved' ? null : before.batteryAt
    return { ...before, state, reason, since, batteryAt }
  }

  /** What others note meanwhile is not overlooked: a disproof stands that comes while ids that look alike are tried. */
  async #change(change: (before: LeaveProof) => LeaveProof): Promise<LeaveProof> {
    const { proofs, connection, log } = this.#deps
    const before = await this.current()
    if (change(before) === before) return before
    const after = await proofs.changeProof(connection.id, (kept) => ({
      ...change(this.ofCredential(kept)),
      credential: connection.credential,
    }))
    const { state, reason } = after
    if (before.state !== state || before.reason !== reason) {
      const data = { company: connection.company.id, state, reason }
      if (state === 'proven') log.info(data, 'leave_proof_changed')
      else log.warn(data, 'leave_proof_changed')
    }
    return after
  }
}
