import type { LeaveProof } from '../../domain/leave.ts'
import { setOf, without } from '../../json/long-sets.ts'
import { inSteps } from '../../json/rest.ts'
import type { Claims } from './claims.ts'
import { areEqual, compare, type Compared, shares } from './comparison.ts'
import {
  areGiven,
  askLeaves,
  hasLeaves,
  idsIn,
  type LeavesGiven,
  type PersonsAnswer,
} from './leaves-reply.ts'
import { type CounterEvidence, Mending } from './mending.ts'
import type { Others } from './others.ts'
import type { Ownership } from './ownership.ts'
import type { ProofState, ProofStateDeps } from './proof-state.ts'
import { type ComparedPerson, Rounds } from './round.ts'
import { noteSeen, type SeenAgainDeps } from './seen-again.ts'
import { type Witness, Witnesses } from './witnesses.ts'

/** Until so many people are known, and when the filter is proven again. */
const manyRounds = 3
/** More new leaves than that at once, and than half of those before, are compared twice. */
const newMax = 3
const disputantsMax = 3

/** What is known before anything else is asked. */
export interface Known {
  readonly claims: Claims
  readonly proof: LeaveProof
  /** Whether so many people's leaves are known, and none of anybody else are in the answer, that one comparison tells whose it is. */
  readonly isEstablished: boolean
}

/** The leaves of each reading of a person. */
export type Readings = readonly ReadonlySet<string>[]

/** An answer to be proven. */
interface Asking {
  readonly answer: PersonsAnswer
  readonly known: Known
  readonly signal: AbortSignal
  /** Of the person, the answer first. */
  readonly readings: LeavesGiven[]
}

/** Who is asked for beside a person. */
type Beside = Required<Pick<ComparedPerson, 'others' | 'alike' | 'mayBeRecent'>>

/** What came of asking on: all readings of the person, and what speaks against them. */
interface Evidence {
  readonly readings: Readings
  readonly counter: CounterEvidence | undefined
}

interface EvidenceDeps extends ProofStateDeps, SeenAgainDeps {
  readonly state: ProofState
  readonly ownership: Ownership
  readonly others: Others
}

/** Reads a person's leaves again, each time with what they are compared with. */
export class EvidenceSearch {
  readonly #deps: EvidenceDeps
  readonly #rounds: Rounds
  readonly #mending: Mending
  readonly #witnesses: Witnesses

  constructor(deps: EvidenceDeps) {
    this.#deps = deps
    this.#rounds = new Rounds(deps)
    this.#mending = new Mending({ ...deps, rounds: this.#rounds })
    this.#witnesses = new Witnesses(deps)
  }

  /** Never throws for what the Read API does. */
  async search(answer: PersonsAnswer, known: Known, signal: AbortSignal): Promise<Evidence> {
    const readings: LeavesGiven[] = [answer]
    const counter = await this.#findCounter({ answer, known, signal, readings })
    return { readings: readings.map(({ ids }) => ids), counter }
  }

  async #findCounter(asking: Asking): Promise<CounterEvidence | undefined> {
    const { answer, known, signal, readings } = asking
    const counter = await this.#findAllOfAnother(asking)
    if (counter) return counter
    if (!known.isEstablished) return this.#compare(asking, manyRounds)
    const again = await this.#ask(answer.userId, signal)
    if (!areGiven(again)) return this.#mending.ofSilent(answer.userId)
    readings.push(again)
    return this.#compare(asking, roundsOf(answer, known.claims))
  }

  /** An answer with all of somebody's leaves speaks against the filter, unless that person is refused, has left, or is given none. */
  async #findAllOfAnother({ answer, known, signal }: Asking): Promise<CounterEvidence | undefined> {
    if (known.proof.state === 'disproved') return undefined
    const owners = await this.#deps.ownership.ownersOfAll(known.claims.rivals, answer.ids)
    let silent: string | undefined
    for (const owner of owners) {
      const reply = await this.#ask(owner, signal)
      if (hasLeaves(reply)) return { ...this.#mending.ofSilent(owner), against: 'two_employees' }
      if (reply === 'unanswered') silent ??= owner
    }
    return silent === undefined ? undefined : this.#mending.ofSilentOwner(silent, answer)
  }

  /** In so many rounds, each with a reading of the person: those made already first. */
  async #compare(asking: Asking, rounds: number): Promise<CounterEvidence | undefined> {
    const { answer, known, signal, readings } = asking
    const witness = await this.#witness(asking)
    if (witness === 'silent') return this.#untilWitnessed(asking)
    const asked: string[] = []
    let differs = !known.claims.isMixed && (await this.#deps.others.haveLeaves(answer.userId))
    for (let round = 0; round < rounds; round += 1) {
      const own = readings[round] ?? (await this.#ask(answer.userId, signal))
      if (!areGiven(own)) return this.#mending.ofSilent(answer.userId)
      readings[round] = own
      if (haveNothingInCommon(readings)) return this.#mending.ofSilent(answer.userId)
      const beside = await this.#othersOf(asking, witness, asked)
      asked.push(...beside.others, ...beside.alike)
      const compared = await this.#compareWith(asking, own, beside)
      const result = await this.#judge(asking, compared, witness)
      if ('against' in result) return result
      differs ||= result.differs
    }
    return differs ? undefined : this.#ofRefusals(asking)
  }

  /** Whether one of the answers differs, or what speaks against the person's, or is missing. */
  async #judge(
    asking: Asking,
    compared: Compared,
    witness: Witness,
  ): Promise<{ readonly differs: boolean } | CounterEvidence> {
    const { answer, known } = asking
    const result = compare({ ...compared, needsOthers: !known.isEstablished })
    if (result.is === 'disproved') return this.#mending.ofDisproof(result.reason, answer, compared)
    if (result.is === 'unanswered') return this.#mending.ofSilence(compared)
    await this.#noteOthers(asking, compared)
    const other = await this.#exchangedWith(asking, compared)
    if (other !== undefined) {
      await this.#deps.ownership.settleKnown(answer)
      return this.#mending.ofSilentOwner(other, answer)
    }
    return isWitnessed(witness, compared) ? result : this.#untilWitnessed(asking)
  }

  /** Of those for whom the answer's leaves have come one who is given what came for the person before: one may be taken for the other. */
  async #exchangedWith(
    { answer: { userId, ids }, known: { claims } }: Asking,
    { others }: Compared,
  ): Promise<string | undefined> {
    for (const rival of claims.rivals) {
      const reply = idsIn(others.get(rival) ?? 'unanswered')
      if (!claims.own.isSubsetOf(reply)) continue
      const given = await inSteps(without(reply, ids))
      const came = await inSteps(without(ids, reply))
      if (await this.#deps.ownership.cameBefore(userId, given, came)) return rival
    }
    return undefined
  }

  /** Who has left is not asked: what comes for them says nothing. */
  async #compareWith(
    { answer: { userId }, known, signal }: Asking,
    own: LeavesGiven,
    { others, alike, mayBeRecent }: Beside,
  ): Promise<Compared> {
    const left = await this.#deps.ownership.departed([...others, ...alike])
    const isHere = (id: string): boolean => !left.has(id)
    const beside = { others: others.filter(isHere), alike: alike.filter(isHere), mayBeRecent }
    const compared = await this.#rounds.compareWith(
      { userId, own, ...beside, isPatient: known.isEstablished },
      signal,
    )
    const gone = [...left].map((id) => [id, 'refused'] as const)
    return { ...compared, others: new Map([...compared.others, ...gone]) }
  }

  /** Of an answer without others' leaves none is needed. */
  async #witness({ answer, known, signal }: Asking): Promise<Witness> {
    const { isMixed, rivals } = known.claims
    return isMixed ? this.#witnesses.find(answer, rivals, signal) : 'nobody'
  }

  #untilWitnessed({ answer, known: { claims } }: Asking): CounterEvidence {
    return {
      against: null,
      isMendedBy: async (signal) =>
        (await this.#witnesses.find(answer, claims.rivals, signal, 1)) !== 'silent',
    }
  }

  /** Refusals alone prove nothing, unless there is nobody else and the request without the parameter brings more. */
  async #ofRefusals({ answer, known, signal }: Asking): Promise<CounterEvidence | undefined> {
    const { isMixed } = known.claims
    const isAlone = isMixed || (await this.#isAlone(answer))
    const isMendedBy = (again: AbortSignal): Promise<boolean> =>
      isAlone ? this.#bringsMoreUnasked(answer, again) : this.#isAnotherGiven(answer, again)
    if (isAlone && (await isMendedBy(signal))) return undefined
    return { against: isMixed ? null : 'nothing_to_compare', isMendedBy }
  }

  /** Whether nobody else is known, by whose answer the person's could be told apart. */
  async #isAlone({ userId }: PersonsAnswer): Promise<boolean> {
    const { people, connection } = this.#deps
    const known = await people.listPeopleAfter(connection.company.id, '', 2)
    return known.every((id) => id === userId)
  }

  /** Whether the next one in turn is given other leaves, or none. */
  async #isAnotherGiven({ userId, ids }: PersonsAnswer, signal: AbortSignal): Promise<boolean> {
    const [other] = await this.#deps.others.next(userId)
    const reply = other === undefined ? 'unanswered' : await this.#ask(other, signal)
    return areGiven(reply) && !areEqual(reply.ids, ids)
  }

  async #othersOf(
    { answer: { userId }, known: { claims, proof, isEstablished } }: Asking,
    witness: Witness,
    asked: readonly string[],
  ): Promise<Beside> {
    const { others, ownership } = this.#deps
    const inDispute = proof.state === 'disproved' ? await ownership.disputants() : []
    const disputants = inDispute.filter((id) => id !== userId && !claims.rivals.has(id))
    const inTurn = isEstablished || claims.isMixed ? [] : await others.next(userId, asked)
    const witnesses = typeof witness === 'string' ? [] : [witness.userId]
    const concerned = [...claims.rivals, ...disputants.slice(0, disputantsMax)]
    const isFirst = asked.length === 0
    return {
      others: [...new Set([...concerned, ...witnesses, ...inTurn])],
      alike: isFirst ? await others.alike(userId) : [],
      mayBeRecent: isFirst && isEstablished,
    }
  }

  /** What has come for others as well as for this person is noted as theirs, too. */
  async #noteOthers({ answer: { ids, kept }, known }: Asking, { others }: Compared): Promise<void> {
    await noteSeen(this.#deps, others)
    const concerned = await inSteps(setOf(ids, kept ?? []))
    await this.#deps.ownership.noteReplies(others, concerned, known.claims.rivals)
  }

  /** Without the parameter: refused, or more than for the person. */
  async #bringsMoreUnasked({ ids }: PersonsAnswer, signal: AbortSignal): Promise<boolean> {
    const reply = await askLeaves({ api: this.#deps.connection.api, signal })
    return reply === 'refused' || !idsIn(reply).isSubsetOf(ids)
  }

  #ask(employee: string, signal: AbortSignal): ReturnType<typeof askLeaves> {
    return askLeaves({ api: this.#deps.connection.api, signal, employee })
  }
}

/** Whether the one who had been answered still was. */
function isWitnessed(witness: Witness, { others }: Compared): boolean {
  return typeof witness === 'string' || areGiven(others.get(witness.userId) ?? 'unanswered')
}

/** Of readings that each hold leaves, but none that is in all of them, one is somebody else's. */
function haveNothingInCommon(readings: readonly LeavesGiven[]): boolean {
  const all = readings.map(({ ids }) => ids)
  return all.every(({ size }) => size > 0) && all.reduce((a, b) => a.intersection(b)).size === 0
}

/** An answer that is new in large part, or has nothing of what was kept, may be another's: it is compared twice. */
function roundsOf({ ids, kept }: PersonsAnswer, { fresh }: Claims): number {
  if (!kept) return 1
  const isLarge = fresh.size > newMax && fresh.size > kept.size / 2
  const isForeign = kept.size > 0 && !shares(ids, kept)
  return isLarge || isForeign ? 2 : 1
}
