import type { LeaveProof, LeaveProofReason } from '../../domain/leave.ts'
import type { Claims } from './claims.ts'
import { noteSeen, type Others, type Witness } from './others.ts'
import type { Ownership } from './ownership.ts'
import type { ProofDeps } from './proof-state.ts'
import {
  areEqual,
  areGiven,
  areSame,
  askLeaves,
  compare,
  type Compared,
  hasLeaves,
  idsIn,
  type LeavesGiven,
  type LeavesReply,
  type PersonsAnswer,
  shares,
  withoutLast,
} from './replies.ts'
import { type ComparedPerson, Rounds } from './round.ts'

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

/** What speaks against an answer, or is missing, with the request that would show whether it is so still. */
export interface CounterEvidence {
  readonly against: LeaveProofReason | null
  readonly isMendedBy: (signal: AbortSignal) => Promise<boolean>
}

/** What came of asking on: the leaves of all readings of the person, and what speaks against them. */
interface Evidence {
  readonly readings: readonly ReadonlySet<string>[]
  readonly counter: CounterEvidence | undefined
}

/** An answer to be proven. */
interface Asking {
  readonly answer: PersonsAnswer
  readonly known: Known
  readonly signal: AbortSignal
  /** Of the person, the answer first. */
  readonly readings: LeavesGiven[]
}

/** Who is asked for beside a person. */
type Beside = Pick<ComparedPerson, 'others' | 'alike' | 'mayBeRecent'>

type PersonsIds = readonly [userId: string, ids: ReadonlySet<string>]

/** Reads a person's leaves again, each time with what they are compared with. */
export class EvidenceSearch {
  readonly #deps: ProofDeps
  readonly #ownership: Ownership
  readonly #others: Others
  readonly #rounds: Rounds

  constructor(deps: ProofDeps, ownership: Ownership, others: Others) {
    this.#deps = deps
    this.#ownership = ownership
    this.#others = others
    this.#rounds = new Rounds(deps)
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
    if (!areGiven(again)) return this.#untilAnswered(answer.userId)
    readings.push(again)
    return this.#compare(asking, roundsOf(answer, known.claims))
  }

  /** An answer with all of somebody's leaves speaks against the filter, unless that person is refused, has left, or is given none. */
  async #findAllOfAnother({ answer, known, signal }: Asking): Promise<CounterEvidence | undefined> {
    if (known.proof.state === 'disproved') return undefined
    const owners = await this.#ownership.ownersOfAll(known.claims.rivals, answer.ids)
    let silent: string | undefined
    for (const owner of owners) {
      const reply = await this.#ask(owner, signal)
      if (hasLeaves(reply)) return { ...this.#untilAnswered(owner), against: 'two_employees' }
      if (reply === 'unanswered') silent ??= owner
    }
    return silent === undefined ? undefined : this.#untilOwnerAnswers(silent, answer)
  }

  /** In so many rounds, each with a reading of the person: those made already first. */
  async #compare(asking: Asking, rounds: number): Promise<CounterEvidence | undefined> {
    const { answer, known, signal, readings } = asking
    const { userId } = answer
    const { isMixed, rivals } = known.claims
    // Of an answer without others' leaves no witness is needed.
    const witness = isMixed ? await this.#others.findWitness(userId, rivals, signal) : 'none'
    if (witness === 'silent') return this.#untilWitnessed(asking)
    const asked: string[] = []
    let differs = !isMixed && (await this.#others.haveLeaves(userId))
    for (let round = 0; round < rounds; round += 1) {
      const own = readings[round] ?? (await this.#ask(userId, signal))
      if (!areGiven(own)) return this.#untilAnswered(userId)
      readings[round] = own
      if (haveNothingInCommon(readings)) return this.#untilAnswered(userId)
      const beside = await this.#othersOf(asking, witness, asked)
      asked.push(...beside.others, ...beside.alike)
      const result = await this.#judge(asking, await this.#askBeside(asking, own, beside), witness)
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
    const result = compare(compared, !known.isEstablished)
    if (result.is === 'disproved') return this.#untilMended(result.reason, answer, compared)
    if (result.is === 'unanswered') return this.#untilNotSilent(compared)
    await noteSeen(this.#deps, compared.others)
    // What has come for others as well as for this person is noted as theirs, too.
    const concerned = answer.ids.union(answer.kept ?? new Set<string>())
    await this.#ownership.noteReplies(compared.others, concerned, known.claims.rivals)
    const other = await this.#exchangedWith(asking, compared)
    if (other !== undefined) {
      await this.#ownership.settleKnown(answer)
      return this.#untilOwnerAnswers(other, answer)
    }
    const isWitnessed =
      typeof witness === 'string' || areGiven(compared.others.get(witness.userId) ?? 'unanswered')
    return isWitnessed ? result : this.#untilWitnessed(asking)
  }

  /** Of those for whom the answer's leaves have come one who is given what came for the person before: one may be taken for the other. */
  async #exchangedWith(
    { answer: { userId, ids }, known: { claims } }: Asking,
    { others }: Compared,
  ): Promise<string | undefined> {
    for (const rival of claims.rivals) {
      const reply = idsIn(others.get(rival) ?? 'unanswered')
      if (!claims.own.isSubsetOf(reply)) continue
      const [given, came] = [reply.difference(ids), ids.difference(reply)]
      if (await this.#ownership.cameBefore(userId, given, came)) return rival
    }
    return undefined
  }

  /** Who has left is not asked: what comes for them says nothing. */
  async #askBeside(
    { answer: { userId }, known, signal }: Asking,
    own: LeavesGiven,
    { others, alike, mayBeRecent = false }: Beside,
  ): Promise<Compared> {
    const left = await this.#ownership.departed([...others, ...alike])
    const isHere = (id: string): boolean => !left.has(id)
    const beside = { others: others.filter(isHere), alike: alike.filter(isHere), mayBeRecent }
    const compared = await this.#rounds.compareWith(
      { userId, own, ...beside, isPatient: known.isEstablished },
      signal,
    )
    const gone = [...left].map((id) => [id, 'refused'] as const)
    return { ...compared, others: new Map([...compared.others, ...gone]) }
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
    const [other] = await this.#others.next(userId)
    const reply = other === undefined ? 'unanswered' : await this.#ask(other, signal)
    return areGiven(reply) && !areEqual(reply.ids, ids)
  }

  /** Without the parameter: refused, or more than for the person. */
  async #bringsMoreUnasked({ ids }: PersonsAnswer, signal: AbortSignal): Promise<boolean> {
    const reply = await this.#ask(undefined, signal)
    return reply === 'refused' || !idsIn(reply).isSubsetOf(ids)
  }

  async #othersOf(
    { answer: { userId }, known: { claims, proof, isEstablished } }: Asking,
    witness: Witness,
    asked: readonly string[],
  ): Promise<Beside> {
    const inDispute = proof.state === 'disproved' ? await this.#ownership.disputants() : []
    const disputants = inDispute.filter((id) => id !== userId && !claims.rivals.has(id))
    const inTurn = isEstablished || claims.isMixed ? [] : await this.#others.next(userId, asked)
    const witnesses = typeof witness === 'string' ? [] : [witness.userId]
    const concerned = [...claims.rivals, ...disputants.slice(0, disputantsMax)]
    const isFirst = asked.length === 0
    return {
      others: [...new Set([...concerned, ...witnesses, ...inTurn])],
      alike: isFirst ? await this.#others.alike(userId) : [],
      mayBeRecent: isFirst && isEstablished,
    }
  }

  /** After an answer that somebody spoke against. */
  #untilMended(
    reason: LeaveProofReason,
    { userId, ids }: PersonsAnswer,
    { others }: Compared,
  ): CounterEvidence {
    const same = [...others].find(([, reply]) => areSame(ids, idsIn(reply)))
    if (reason === 'two_employees' && same) {
      const isMendedBy = this.#untilDifferent([userId, ids], [same[0], idsIn(same[1])])
      return { against: reason, isMendedBy }
    }
    const cut = reason === 'similar_id' ? withoutLast(userId) : undefined
    const isMendedBy = async (signal: AbortSignal): Promise<boolean> => {
      if (cut === undefined) {
        const reply = await this.#rounds.askForNobody(signal)
        return reply !== 'unanswered' && !hasLeaves(reply)
      }
      const reply = await this.#ask(cut, signal)
      return reply !== 'unanswered' && !shares(ids, idsIn(reply))
    }
    return { against: reason, isMendedBy }
  }

  /** After nobody's request, or another person's in turn, was not answered: the next in turn may be. */
  #untilNotSilent({ nobody, cut }: Compared): CounterEvidence {
    const isMendedBy = async (signal: AbortSignal): Promise<boolean> => {
      const [other] =
        nobody === 'unanswered' || cut === 'unanswered' ? [] : await this.#others.next('')
      const reply = await (other === undefined
        ? this.#rounds.askForNobody(signal)
        : this.#ask(other, signal))
      return reply !== 'unanswered'
    }
    return { against: null, isMendedBy }
  }

  #untilAnswered(userId: string): CounterEvidence {
    return {
      against: null,
      isMendedBy: async (signal) => (await this.#ask(userId, signal)) !== 'unanswered',
    }
  }

  #untilWitnessed({ answer: { userId }, known: { claims } }: Asking): CounterEvidence {
    return {
      against: null,
      isMendedBy: async (signal) =>
        (await this.#others.findWitness(userId, claims.rivals, signal, 1)) !== 'silent',
    }
  }

  /** After an answer with all leaves of somebody who is silent, or with those of somebody who may be taken for the person: the answer itself is asked for again, too. */
  #untilOwnerAnswers(owner: string, { userId, ids }: PersonsAnswer): CounterEvidence {
    const inTurns = [userId, owner]
    const isMendedBy = async (signal: AbortSignal): Promise<boolean> => {
      const [next = ''] = inTurns
      inTurns.reverse()
      const reply = await this.#ask(next, signal)
      return reply !== 'unanswered' && (next === owner || !areEqual(ids, idsIn(reply)))
    }
    return { against: null, isMendedBy }
  }

  /** Either may have been answered with the other's, more likely the one who has more: they are asked in turns, and both once one has changed. */
  #untilDifferent(own: PersonsIds, other: PersonsIds): CounterEvidence['isMendedBy'] {
    const answers = new Map([own, other])
    const hasChanged = async (userId: string, signal: AbortSignal): Promise<boolean> => {
      const reply = await this.#ask(userId, signal)
      if (reply === 'unanswered') return false
      const before = answers.get(userId)
      answers.set(userId, idsIn(reply))
      return !areEqual(before ?? new Set(), idsIn(reply))
    }
    const areDifferent = (): boolean => {
      const [one = new Set<string>(), two = new Set<string>()] = answers.values()
      return !areSame(one, two)
    }
    const inTurns = (other[1].size > own[1].size ? [other, own] : [own, other]).map(([id]) => id)
    return async (signal) => {
      const [first = '', second = ''] = inTurns
      inTurns.reverse()
      if (!(await hasChanged(first, signal)) || areDifferent()) return areDifferent()
      await hasChanged(second, signal)
      return areDifferent()
    }
  }

  #ask(employee: string | undefined, signal: AbortSignal): Promise<LeavesReply> {
    return askLeaves(this.#deps.connection, employee, signal)
  }
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
