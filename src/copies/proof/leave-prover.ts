/*
 * The Read API's leaves carry no user id, so nothing in an answer shows whose leaves it holds. It is believed only with proof:
 * by the answers for nobody, for ids that look alike and for other people.
 */
import PQueue from 'p-queue'

import { addAnswers, type BatteryResult, type LeavesByPerson, runBattery } from './battery.ts'
import { agreed, type Claims } from './claims.ts'
import { type CounterEvidence, EvidenceSearch, type Known } from './evidence.ts'
import { Others } from './others.ts'
import { type Believed, Ownership } from './ownership.ts'
import { type ProofDeps, ProofState } from './proof-state.ts'
import { askLeaves, idsIn, type PersonsAnswer, shares } from './replies.ts'

/** Of so many people ids that look alike are tried. */
const batteryPeople = 3
/** So many people with disputed leaves are asked for at a time, in turns. */
const disputantsMax = 100
/** So many take turns as witnesses: some may be refused. */
const witnessesMax = 20
/** Leaves that are nobody's are looked at again after ten minutes, then after pauses that double up to a day. */
const firstPauseMs = 600_000
const pauseMsMax = 86_400_000
const retriesMax = 10_000

type Readings = readonly ReadonlySet<string>[]

/** Decides what of the leaves answers of a company may be kept. */
export class LeaveProver {
  readonly state: ProofState
  readonly ownership: Ownership
  readonly others: Others
  readonly #deps: ProofDeps
  readonly #evidence: EvidenceSearch
  readonly #open = new OpenQuestion()
  /** By person: when their leaves that are nobody's were last looked at, and the pause after that. */
  readonly #retries = new Map<string, { readonly at: number; readonly pauseMs: number }>()
  /** Whether a disproved filter is being tried again: for the next answer. */
  #isTrying = false
  /** Proofs of a connection that is not established: the first one saves the others much, and so do the next ones. */
  readonly #proofs = new PQueue({ concurrency: 1 })
  /** What is believed is noted for one person after the other: of two who were read side by side the second is seen beside the first. */
  readonly #verdicts = new PQueue({ concurrency: 1 })
  /** Who was last asked for among those for whom disputed leaves have come. */
  #lastDisputant = ''
  #witnessTurn = -1

  constructor(deps: ProofDeps) {
    this.#deps = deps
    this.state = new ProofState(deps)
    this.ownership = new Ownership(deps)
    this.others = new Others(deps)
    this.#evidence = new EvidenceSearch(deps, this.ownership, this.others)
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

  /** What of the answer may be kept; undefined where nothing is proven. Never throws for what the Read API does. */
  async prove(answer: PersonsAnswer, signal: AbortSignal): Promise<Believed | undefined> {
    const known = await this.#known(answer)
    if (known.proof.state === 'disproved') return this.#proveAgain(answer, known, signal)
    if (!this.#needsProof(answer, known.claims)) return this.ownership.settleKnown(answer)
    if (known.isEstablished) return this.#search(answer, known, signal)
    return this.#proofs.add(() => this.#proveFirst(answer, signal))
  }

  /** Tries ids that look like those of these people and of others with leaves, and notes what comes of it. */
  async tryBattery(answers: LeavesByPerson, signal: AbortSignal): Promise<BatteryResult> {
    const people = await this.others.withLeaves(batteryPeople)
    const all = await addAnswers(this.#deps, answers, { people, most: batteryPeople }, signal)
    if (all.size === 0) return { is: 'unanswered', alike: [] }
    const result = await runBattery(this.#deps, all, signal)
    if (result.is === 'passed') await this.state.passBattery()
    if (result.is === 'disproved') await this.state.set('disproved', 'similar_id')
    return result
  }

  /**
   * Looks after the proof while nobody polls, and where polls show nothing new: asks again for those for whom disputed leaves have
   * come, and tries ids that look alike once a day. Gives somebody by whose leaves a disproved filter can be tried again;
   * undefined where it need not be.
   */
  async keep(signal: AbortSignal): Promise<string | undefined> {
    await this.#askDisputants(signal)
    const proof = await this.state.current()
    if (proof.state === 'proven' && !this.state.hasBattery(proof)) {
      await this.tryBattery(new Map(), signal)
    }
    if ((await this.state.current()).state !== 'disproved') return undefined
    const people = await this.others.withLeaves(witnessesMax)
    return people[(this.#witnessTurn += 1) % people.length]
  }

  /** Nobody else asks for those whose calendars are closed or not polled, and their leaves may be another's by now. */
  async #askDisputants(signal: AbortSignal): Promise<void> {
    const { connection, proofs } = this.#deps
    const claims = await proofs.listDisputedAfter(connection.id, this.#lastDisputant, disputantsMax)
    const byPerson = Map.groupBy(claims, ({ userId }) => userId)
    this.#lastDisputant = byPerson.size < disputantsMax ? '' : ([...byPerson.keys()].at(-1) ?? '')
    for (const [employee, disputed] of byPerson) {
      const reply = await askLeaves(connection, employee, signal)
      const leaves = new Set(disputed.map(({ leaveId }) => leaveId))
      await this.ownership.noteReplies(new Map([[employee, reply]]), leaves, new Set([employee]))
    }
  }

  async #known({ userId, ids }: PersonsAnswer): Promise<Known> {
    const proof = await this.state.current()
    return this.#knownWith(proof, await this.ownership.claimsTo(userId, [...ids]))
  }

  async #knownWith(proof: Known['proof'], claims: Claims): Promise<Known> {
    const isEstablished = !claims.isMixed && (await this.state.isEstablished(proof))
    return { proof, claims, isEstablished }
  }

  /** Leaves that are nobody's yet, since they came for two, are looked at again now and then. */
  #needsProof({ userId }: PersonsAnswer, { fresh, open }: Claims): boolean {
    if (open.size === 0) this.#retries.delete(userId)
    if (fresh.size > 0) return true
    return open.size > 0 && this.#isTimeToRetry(userId)
  }

  /** Whether it is; from then on the next pause runs. */
  #isTimeToRetry(userId: string): boolean {
    const now = this.#deps.clock.now()
    const last = this.#retries.get(userId)
    if (last && now >= last.at && now - last.at < last.pauseMs) return false
    if (this.#retries.size >= retriesMax) this.#retries.clear()
    const pauseMs = last ? Math.min(2 * last.pauseMs, pauseMsMax) : firstPauseMs
    this.#retries.set(userId, { at: now, pauseMs })
    return true
  }

  async #proveFirst(answer: PersonsAnswer, signal: AbortSignal): Promise<Believed | undefined> {
    await this.#deps.people.untilSeen(this.#deps.connection.company.id, signal)
    this.#proofs.concurrency = await this.state.proofsAtOnce()
    const known = await this.#known(answer)
    if (known.proof.state === 'disproved') return undefined
    const believed = await this.#search(answer, known, signal)
    this.#proofs.concurrency = await this.state.proofsAtOnce()
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
    return this.#proofs.add(() => this.#search(answer, known, signal))
  }

  async #search(
    answer: PersonsAnswer,
    known: Known,
    signal: AbortSignal,
  ): Promise<Believed | undefined> {
    const { readings, counter } = await this.#evidence.search(answer, known, signal)
    const believed = counter
      ? await this.#leaveOpen(answer.userId, counter)
      : await this.#decide(answer, known, readings, signal)
    if (!believed && (await this.state.current()).state !== 'disproved') {
      const came = readings.reduce((all, ids) => all.union(ids))
      await this.ownership.noteUnowned(answer.userId, came, !answer.ofDraft)
    }
    return believed
  }

  /** What of an answer is believed against which nothing speaks. */
  async #decide(
    answer: PersonsAnswer,
    known: Known,
    readings: Readings,
    signal: AbortSignal,
  ): Promise<Believed | undefined> {
    const { proof } = known
    const needsBattery = proof.state === 'disproved' || !this.state.hasBattery(proof)
    if (needsBattery && !(await this.#passesBattery(answer, signal))) return undefined
    const verdict = await this.#verdicts.add(() => this.#reachVerdict(answer, known, readings))
    if (verdict.is === 'contested') {
      return this.#search(answer, await this.#knownWith(proof, verdict.claims), signal)
    }
    if (verdict.is === 'wronged') await this.state.set('disproved', 'two_employees')
    if (verdict.is !== 'believed') return undefined
    this.#open.close()
    return verdict.believed
  }

  /**
   * What becomes of an answer that nothing spoke against. `contested`: its leaves have come for somebody else meanwhile, with
   * whom it is to be compared; `wronged`: they are others'; `overtaken`: the filter has been disproved meanwhile.
   */
  async #reachVerdict(answer: PersonsAnswer, { claims, proof }: Known, readings: Readings) {
    const now = await this.ownership.claimsTo(answer.userId, [...answer.ids])
    if (!now.rivals.isSubsetOf(claims.rivals)) return { is: 'contested', claims: now } as const
    const believed = await this.ownership.settleProven(answer, agreed(answer.ids, now, readings))
    if (proof.state !== 'disproved' && (await this.state.areTwoWronged(proof))) {
      return { is: 'wronged' } as const
    }
    const isProven = await this.state.setProven(proof)
    return isProven ? ({ is: 'believed', believed } as const) : ({ is: 'overtaken' } as const)
  }

  async #passesBattery(answer: PersonsAnswer, signal: AbortSignal): Promise<boolean> {
    const { userId, ids } = answer
    const { is, culprit } = await this.tryBattery(new Map([[userId, answer]]), signal)
    if (culprit !== undefined) {
      const isMendedBy = async (again: AbortSignal): Promise<boolean> => {
        const reply = await askLeaves(this.#deps.connection, culprit, again)
        return reply !== 'unanswered' && !shares(ids, idsIn(reply))
      }
      const against = is === 'disproved' ? 'similar_id' : null
      await this.#leaveOpen(userId, { against, isMendedBy })
    }
    return is === 'passed'
  }

  async #leaveOpen(userId: string, { against, isMendedBy }: CounterEvidence): Promise<undefined> {
    this.#open.open(userId, isMendedBy)
    if (against === 'nothing_to_compare') await this.state.set('unproven', against)
    else if (against) await this.state.set('disproved', against)
    else await this.state.noteUnanswered()
    return undefined
  }
}

/** What spoke against the last proof, or was missing for it, and whose answers were thrown away meanwhile. */
class OpenQuestion {
  isOpen = false
  #question: CounterEvidence['isMendedBy'] | undefined
  readonly #waiting = new Set<string>()

  /** Leaves it open for that person; the latest question counts. */
  open(userId: string, question: CounterEvidence['isMendedBy']): void {
    this.isOpen = true
    this.#question = question
    this.#waiting.add(userId)
  }

  isWaiting(userId: string): boolean {
    return this.#waiting.has(userId)
  }

  /** Whether it is in order by now; asks, and closes it where it is. */
  async isSettled(signal: AbortSignal): Promise<boolean> {
    const question = this.#question
    if (question && !(await question(signal))) return false
    if (this.#question === question) this.close()
    return true
  }

  close(): void {
    this.isOpen = false
    this.#question = undefined
    this.#waiting.clear()
  }
}
