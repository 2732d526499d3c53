/*
 * The Read API's leaves carry no user id, so nothing in an answer shows whose leaves it holds. It is believed only with proof:
 * by the answers for nobody, for ids that look alike and for other people.
 */
import type { DepartureStore } from '../../domain/departure.ts'
import type { LeaveProofReason } from '../../domain/leave.ts'
import { setOf } from '../../json/long-sets.ts'
import { inSteps } from '../../json/rest.ts'
import { addAnswers, type BatteryResult, runBattery } from './battery.ts'
import type { Claims } from './claims.ts'
import { shares } from './comparison.ts'
import { EvidenceSearch, type Known, type Readings } from './evidence.ts'
import { askLeaves, idsIn, type LeavesGiven, type PersonsAnswer } from './leaves-reply.ts'
import type { CounterEvidence } from './mending.ts'
import { OpenQuestion } from './open-question.ts'
import { Others } from './others.ts'
import { type Believed, Ownership } from './ownership.ts'
import { ProofState, type ProofStateDeps } from './proof-state.ts'
import { RetryTimes } from './retry-times.ts'
import type { SeenAgainDeps } from './seen-again.ts'
import { Turns } from './turns.ts'
import { Verdicts } from './verdicts.ts'

/** Of so many people ids that look alike are tried. */
const batteryPeople = 3

export interface LeaveProverDeps extends ProofStateDeps, SeenAgainDeps {
  readonly departed: Pick<DepartureStore, 'findDeparture' | 'listLeft'>
}

/** Decides what of the leaves answers of a company may be kept. */
export class LeaveProver {
  readonly state: ProofState
  readonly ownership: Ownership
  readonly others: Others
  readonly #deps: LeaveProverDeps
  readonly #evidence: EvidenceSearch
  readonly #open = new OpenQuestion()
  readonly #retries = new RetryTimes()
  /** Whether a disproved filter is being tried again: for the next answer. */
  #isTrying = false
  /** Proofs of a connection that is not established: the first one saves the others much, and so do the next ones. */
  readonly #proofs = new Turns()
  readonly #verdicts: Verdicts

  constructor(deps: LeaveProverDeps) {
    this.#deps = deps
    this.state = new ProofState(deps)
    this.ownership = new Ownership(deps)
    this.others = new Others(deps)
    const { state, ownership, others } = this
    this.#verdicts = new Verdicts({ state, ownership })
    this.#evidence = new EvidenceSearch({ ...deps, state, ownership, others })
  }

  /** Notes that the connection has no employee parameter: nothing is asked, leaves stay unproven. */
  async noteNoParameter(): Promise<void> {
    await this.state.set('unproven', 'no_parameter')
  }

  /**
   * Whether it is worth asking for that person's leaves. What spoke against a proof, or was missing for it, is asked for in
   * their place first, so that an answer that cannot be believed costs no more than one that can.
   */
  async isWorthAsking(userId: string, signal: AbortSignal): Promise<boolean> {
    this.#isTrying = false
    if (!this.#open.isOpen) return true
    const proof = await this.state.current()
    if (proof.state !== 'disproved') {
      return !this.#open.isWaiting(userId) || this.#open.isSettled(signal)
    }
    if (!this.state.isTimeToTry(proof)) return true
    if (!(await this.#open.isSettled(signal))) return false
    this.#isTrying = await this.state.mayTryAgain(proof)
    return true
  }

  /** Whether the filter is disproved as far as is known. */
  async isDisproved(): Promise<boolean> {
    return (await this.state.current()).state === 'disproved'
  }

  /** What of the answer may be kept; undefined where nothing is proven. Never throws for what the Read API does. */
  async prove(answer: PersonsAnswer, signal: AbortSignal): Promise<Believed | undefined> {
    const known = await this.#known(answer)
    if (known.proof.state === 'disproved') return this.#proveAgain(answer, known, signal)
    if (!this.#needsProof(answer, known.claims)) return this.ownership.settleKnown(answer)
    if (known.isEstablished) return this.#search(answer, known, signal)
    return this.#proofs.take(() => this.#proveFirst(answer, signal))
  }

  async #known({ userId, ids }: PersonsAnswer): Promise<Known> {
    const proof = await this.state.current()
    const claims = await this.ownership.claimsTo(userId, [...ids])
    const isEstablished = !claims.isMixed && (await this.state.isEstablished(proof))
    return { proof, claims, isEstablished }
  }

  /** Leaves that are nobody's yet, since they came for two, are looked at again now and then. */
  #needsProof({ userId }: PersonsAnswer, { fresh, open }: Claims): boolean {
    if (open.size === 0) this.#retries.forget(userId)
    if (fresh.size > 0) return true
    return open.size > 0 && this.#retries.takeTurn(userId, this.#deps.clock.now())
  }

  /** Tries ids that look like those of these people and of others with leaves, and notes what comes of it. */
  async tryBattery(
    answers: ReadonlyMap<string, LeavesGiven>,
    signal: AbortSignal,
  ): Promise<BatteryResult> {
    const people = await this.others.withLeaves(batteryPeople)
    const all = await addAnswers(this.#deps, { answers, people, most: batteryPeople }, signal)
    if (all.size === 0) return { is: 'unanswered', alike: [] }
    const result = await runBattery(this.#deps, all, signal)
    if (result.is === 'passed') await this.state.passBattery()
    if (result.is === 'disproved') await this.state.set('disproved', 'similar_id')
    return result
  }

  async #proveFirst(answer: PersonsAnswer, signal: AbortSignal): Promise<Believed | undefined> {
    await this.#deps.people.untilSeen(this.#deps.connection.company.id, signal)
    this.#proofs.allow(await this.state.proofsAtOnce())
    const known = await this.#known(answer)
    if (known.proof.state === 'disproved') return undefined
    const believed = await this.#search(answer, known, signal)
    this.#proofs.allow(await this.state.proofsAtOnce())
    return believed
  }

  async #proveAgain(
    answer: PersonsAnswer,
    known: Known,
    signal: AbortSignal,
  ): Promise<Believed | undefined> {
    // Nothing can be shown to the wrong person; whether it may be believed is for further readings to tell.
    if (answer.ids.size === 0) return this.ownership.settleKnown(answer)
    if (!this.#isTrying && !(await this.state.mayTryAgain(known.proof))) return undefined
    this.#isTrying = false
    return this.#proofs.take(() => this.#search(answer, known, signal))
  }

  async #search(
    answer: PersonsAnswer,
    known: Known,
    signal: AbortSignal,
  ): Promise<Believed | undefined> {
    const { readings, counter } = await this.#evidence.search(answer, known, signal)
    const believed = counter
      ? await this.#leaveOpen(answer.userId, counter)
      : await this.#decide(answer, { ...known, readings }, signal)
    if (!believed && !(await this.isDisproved())) {
      await this.ownership.noteUnowned(answer, await inSteps(setOf(...readings)))
    }
    return believed
  }

  /** What of an answer is believed against which nothing speaks. */
  async #decide(
    answer: PersonsAnswer,
    { readings, ...known }: Known & { readonly readings: Readings },
    signal: AbortSignal,
  ): Promise<Believed | undefined> {
    const { proof } = known
    const isAgain = proof.state === 'disproved'
    const needsBattery = isAgain || !this.state.hasBattery(proof)
    if (needsBattery && !(await this.#passesBattery(answer, signal))) return undefined
    const verdict = await this.#verdicts.reach(answer, known, readings)
    if (verdict.is === 'contested') {
      const { claims } = verdict
      const isEstablished = !claims.isMixed && (await this.state.isEstablished(proof))
      return this.#search(answer, { claims, proof, isEstablished }, signal)
    }
    if (verdict.is === 'wronged') return this.#disprove('two_employees')
    if (verdict.is === 'believed') this.#open.close()
    return verdict.believed
  }

  async #passesBattery(answer: PersonsAnswer, signal: AbortSignal): Promise<boolean> {
    const { userId } = answer
    const result = await this.tryBattery(new Map([[userId, answer]]), signal)
    if (result.culprit !== undefined)
      await this.#leaveOpen(userId, this.#untilMended(result, answer))
    return result.is === 'passed'
  }

  #untilMended({ is, culprit = '' }: BatteryResult, { ids }: PersonsAnswer): CounterEvidence {
    const { api } = this.#deps.connection
    const isMendedBy = async (signal: AbortSignal): Promise<boolean> => {
      const reply = await askLeaves({ api, signal, employee: culprit })
      return reply !== 'unanswered' && !shares(ids, idsIn(reply))
    }
    return { against: is === 'disproved' ? 'similar_id' : null, isMendedBy }
  }

  async #leaveOpen(userId: string, { against, isMendedBy }: CounterEvidence): Promise<undefined> {
    this.#open.open(userId, isMendedBy)
    if (against === 'nothing_to_compare') await this.state.set('unproven', against)
    else if (against) await this.#disprove(against)
    else await this.state.noteUnanswered()
    return undefined
  }

  async #disprove(reason: LeaveProofReason): Promise<undefined> {
    await this.state.set('disproved', reason)
    return undefined
  }
}
