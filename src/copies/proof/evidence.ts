import type { LeaveProof, LeaveProofReason } from '../../domain/leave.ts'
import { noteSeen, Others, type Witness } from './others.ts'
import {
  cameBefore,
  type Claims,
  amongDeparted,
  listDisputed,
  noteReplies,
  ownersOfAll,
  noteAnswer,
} from './ownership.ts'
import type { ProofDeps } from './proof-state.ts'
import {
  areEqual,
  areGiven,
  overlapFully,
  askLeaves,
  compare,
  type Compared,
  hasLeaves,
  idsIn,
  type LeavesGiven,
  type LeavesReply,
  type PersonsAnswer,
  Rounds,
  shares,
  withoutLast,
} from './replies.ts'

/** Rounds until the filter is established, and when it is proven again. */
const manyRounds = 3
/** An answer with more new leaves than this, and than half of those before, is compared twice. */
const newMax = 3
const disputantsMax = 3
const alikeMax = 2

type PersonsIds = readonly [userId: string, ids: ReadonlySet<string>]
type Question = (signal: AbortSignal) => Promise<boolean>

/** What speaks against an answer; `against` is null if only evidence is missing. */
export interface CounterEvidence {
  readonly against: LeaveProofReason | null
  readonly isMendedBy: Question
}

/** An answer to prove, with what is known before further requests. */
export interface ProofAttempt {
  readonly answer: PersonsAnswer
  readonly claims: Claims
  readonly proof: LeaveProof
  /**
   * Whether one comparison shows who the answer belongs to: enough people's leaves are known, and it contains none of
   * another owner.
   */
  readonly isEstablished: boolean
  readonly signal: AbortSignal
  /** All readings of the person, starting with the answer; further ones are added. */
  readonly readings: LeavesGiven[]
}

/** Reads a person's leaves again, each time with those to compare them with. */
export class EvidenceSearch {
  readonly #deps: ProofDeps
  readonly #others: Others
  readonly #rounds: Rounds

  constructor(deps: ProofDeps) {
    this.#deps = deps
    this.#others = new Others(deps)
    this.#rounds = new Rounds(deps)
  }

  /** Returns undefined if nothing speaks against the answer. */
  async findCounter(asking: ProofAttempt): Promise<CounterEvidence | undefined> {
    const { answer, claims, signal, readings } = asking
    const counter = await this.#findAllOfAnother(asking)
    if (counter) return counter
    if (!asking.isEstablished) return this.#compare(asking, manyRounds)
    const again = await askLeaves(this.#deps.connection, answer.userId, signal)
    if (!areGiven(again)) return missing(this.until(answer.userId))
    readings.push(again)
    return this.#compare(asking, roundsOf(answer, claims))
  }

  /** Returns a test that passes once the reply for the employee, or an unknown one, is as expected. */
  until(employee: string | undefined, isMended = (_: LeavesReply): boolean => true): Question {
    return async (signal) => {
      const reply = await (employee === undefined
        ? this.#rounds.askForCanary(signal)
        : askLeaves(this.#deps.connection, employee, signal))
      return reply !== 'unanswered' && isMended(reply)
    }
  }

  /** All leaves of another owner speak against the filter, unless the owner is refused, has left, or gets none. */
  async #findAllOfAnother(asking: ProofAttempt): Promise<CounterEvidence | undefined> {
    const { answer, claims, proof, signal } = asking
    if (proof.state === 'disproved') return undefined
    let silent: string | undefined
    for (const owner of await ownersOfAll(this.#deps, claims.rivals, answer.ids)) {
      const reply = await askLeaves(this.#deps.connection, owner, signal)
      if (hasLeaves(reply)) return { against: 'two_employees', isMendedBy: this.until(owner) }
      if (reply === 'unanswered') silent ??= owner
    }
    return silent === undefined ? undefined : this.#untilOwnerAnswers(silent, answer)
  }

  async #compare(asking: ProofAttempt, rounds: number): Promise<CounterEvidence | undefined> {
    const { answer, claims, signal, readings } = asking
    const { userId } = answer
    const { isMixed, rivals } = claims
    // An answer without other owners' leaves needs no witness.
    const witness = isMixed ? await this.#others.findWitness(userId, rivals, signal) : 'none'
    if (witness === 'silent') return this.#untilWitnessed(asking)
    const asked: string[] = []
    let differs = !isMixed && (await this.#others.haveLeaves(userId))
    for (let round = 0; round < rounds; round += 1) {
      const own = readings[round] ?? (await askLeaves(this.#deps.connection, userId, signal))
      if (!areGiven(own)) return missing(this.until(userId))
      readings[round] = own
      if (haveNothingInCommon(readings)) return missing(this.until(userId))
      const compared = await this.#askBeside(asking, own, witness, asked)
      const result = await this.#judge(asking, compared, witness)
      if ('against' in result) return result
      differs ||= result.differs
    }
    return differs ? undefined : this.#ofRefusals(asking)
  }

  async #judge(
    asking: ProofAttempt,
    compared: Compared,
    witness: Witness,
  ): Promise<{ readonly differs: boolean } | CounterEvidence> {
    const { answer, claims } = asking
    const result = compare(compared, !asking.isEstablished)
    if (result.is === 'disproved') return this.#untilMended(result.reason, answer, compared)
    if (result.is === 'unanswered') return this.#untilNotSilent(compared)
    await noteSeen(this.#deps, compared.others)
    // Leaves that were also returned for others are recorded as claimed by them, too.
    const concerned = answer.ids.union(answer.kept ?? new Set<string>())
    await noteReplies(this.#deps, compared.others, concerned, claims.rivals)
    const other = await this.#findExchanged(asking, compared)
    if (other !== undefined) {
      await noteAnswer(this.#deps, answer)
      return this.#untilOwnerAnswers(other, answer)
    }
    const isWitnessed = typeof witness === 'string' || areGiven(compared.others.get(witness.userId))
    return isWitnessed ? result : this.#untilWitnessed(asking)
  }

  /** Returns a rival who now gets what the person got before: the Read API may confuse the two. */
  async #findExchanged(
    { answer: { userId, ids }, claims }: ProofAttempt,
    { others }: Compared,
  ): Promise<string | undefined> {
    for (const rival of claims.rivals) {
      const reply = idsIn(others.get(rival))
      if (!claims.own.isSubsetOf(reply)) continue
      const [given, came] = [reply.difference(ids), ids.difference(reply)]
      if (await cameBefore(this.#deps, userId, given, came)) return rival
    }
    return undefined
  }

  /** Adds to `asked`. Skips people who have left, since their replies say nothing. */
  async #askBeside(
    { answer: { userId }, claims, proof, isEstablished, signal }: ProofAttempt,
    own: LeavesGiven,
    witness: Witness,
    asked: string[],
  ): Promise<Compared> {
    const isAgain = proof.state === 'disproved'
    const disputants = isAgain ? await this.#listDisputants(userId, claims) : []
    const inTurn = isEstablished || claims.isMixed ? [] : await this.#others.next(userId, asked)
    const witnesses = typeof witness === 'string' ? [] : [witness.userId]
    const { connection, people } = this.#deps
    const companyId = connection.company.id
    const alike = asked.length > 0 ? [] : await people.listAlike(companyId, userId, alikeMax)
    const mayBeRecent = isEstablished && asked.length === 0
    const others = new Set([...claims.rivals, ...disputants, ...witnesses, ...inTurn])
    const all = others.union(new Set(alike))
    asked.push(...all)
    const left = await amongDeparted(this.#deps, [...all])
    const here = [...others.difference(left)]
    const similar = alike.filter((id) => !left.has(id))
    const person = {
      userId,
      own,
      others: here,
      alike: similar,
      rests: isEstablished,
      mayBeRecent,
    }
    const compared = await this.#rounds.compareWith(person, signal)
    const gone = [...left].map((id) => [id, 'refused'] as const)
    return { ...compared, others: new Map([...compared.others, ...gone]) }
  }

  /** Returns others with leaves that were returned for exactly two people. */
  async #listDisputants(userId: string, { rivals }: Claims): Promise<readonly string[]> {
    const claims = await listDisputed(this.#deps)
    const byLeave = Map.groupBy(claims, ({ leaveId }) => leaveId)
    const ofTwo = claims.filter(({ leaveId }) => byLeave.get(leaveId)?.length === 2)
    const people = new Set(ofTwo.map((claim) => claim.userId))
    return [...people.difference(rivals.union(new Set([userId])))].slice(0, disputantsMax)
  }

  /** Refusals alone prove nothing, unless no other person is known and the request without the parameter returns more. */
  async #ofRefusals({
    answer,
    claims,
    signal,
  }: ProofAttempt): Promise<CounterEvidence | undefined> {
    const { userId, ids } = answer
    const { isMixed } = claims
    const { people, connection } = this.#deps
    const isAlone =
      isMixed ||
      (await people.listPeopleAfter(connection.company.id, '', 2)).every((id) => id === userId)
    const isMendedBy: Question = async (again) => {
      const [other] = isAlone ? [] : await this.#others.next(userId)
      if (!isAlone && other === undefined) return false
      const reply = await askLeaves(connection, other, again)
      if (isAlone) return reply === 'refused' || !idsIn(reply).isSubsetOf(ids)
      return areGiven(reply) && !areEqual(reply.ids, ids)
    }
    if (isAlone && (await isMendedBy(signal))) return undefined
    return { against: isMixed ? null : 'nothing_to_compare', isMendedBy }
  }

  #untilMended(
    against: LeaveProofReason,
    { userId, ids }: PersonsAnswer,
    { others }: Compared,
  ): CounterEvidence {
    const same = [...others].find(([, reply]) => overlapFully(ids, idsIn(reply)))
    if (against === 'two_employees' && same) {
      const [other, reply] = same
      return { against, isMendedBy: this.#untilDifferent([userId, ids], [other, idsIn(reply)]) }
    }
    const isMendedBy =
      against === 'similar_id'
        ? this.until(withoutLast(userId), (reply) => !shares(ids, idsIn(reply)))
        : this.until(undefined, (reply) => !hasLeaves(reply))
    return { against, isMendedBy }
  }

  /**
   * Once two people's answers no longer overlap. Either may have been answered with the other's leaves, more likely the one with more:
   * they are asked in turns, and both if one has changed.
   */
  #untilDifferent(...answers: [PersonsIds, PersonsIds]): Question {
    const known = new Map(answers)
    const inTurn = [...known.keys()]
    if (answers[1][1].size > answers[0][1].size) inTurn.reverse()
    const hasChanged = async (userId: string, signal: AbortSignal): Promise<boolean> => {
      const reply = await askLeaves(this.#deps.connection, userId, signal)
      const before = known.get(userId) ?? new Set()
      if (reply !== 'unanswered') known.set(userId, idsIn(reply))
      return reply !== 'unanswered' && !areEqual(before, idsIn(reply))
    }
    const areDifferent = (): boolean => {
      const [one = new Set<string>(), two = new Set<string>()] = known.values()
      return !overlapFully(one, two)
    }
    return async (signal) => {
      const [first = '', second = ''] = inTurn
      inTurn.reverse()
      if ((await hasChanged(first, signal)) && !areDifferent()) await hasChanged(second, signal)
      return areDifferent()
    }
  }

  /** If only others got no answer, the next one in turn may get one. */
  #untilNotSilent({ canary, cut }: Compared): CounterEvidence {
    const isOfOthers = canary !== 'unanswered' && cut !== 'unanswered'
    return missing(async (signal) => {
      const [other] = isOfOthers ? await this.#others.next('') : []
      return this.until(other)(signal)
    })
  }

  #untilWitnessed({ answer: { userId }, claims }: ProofAttempt): CounterEvidence {
    return missing(async (signal) => {
      const witness = await this.#others.findWitness(userId, claims.rivals, signal, 1)
      return witness !== 'silent'
    })
  }

  /** For an answer with another owner's leaves: either that owner gets an answer, or the person's answer changes. */
  #untilOwnerAnswers(owner: string, { userId, ids }: PersonsAnswer): CounterEvidence {
    return missing(inTurns(this.#untilChanged(userId, ids), this.until(owner)))
  }

  #untilChanged(userId: string, ids: ReadonlySet<string>): Question {
    return this.until(userId, (reply) => !areEqual(ids, idsIn(reply)))
  }
}

function missing(isMendedBy: Question): CounterEvidence {
  return { against: null, isMendedBy }
}

/** Alternates between the two, so that each try costs a single request. */
function inTurns(...questions: [Question, Question]): Question {
  questions.reverse()
  return (signal) => {
    questions.reverse()
    return questions[0](signal)
  }
}

/** Whether all readings have leaves but none in common, so that one is another person's. */
function haveNothingInCommon(readings: readonly LeavesGiven[]): boolean {
  const all = readings.map(({ ids }) => ids)
  return all.every(({ size }) => size > 0) && all.reduce((a, b) => a.intersection(b)).size === 0
}

/** An answer that is largely new, or shares nothing with the kept copy, may be another person's: it is compared twice. */
function roundsOf({ ids, kept }: PersonsAnswer, { fresh }: Claims): number {
  if (!kept) return 1
  const isLarge = fresh.size > newMax && fresh.size > kept.size / 2
  const isForeign = kept.size > 0 && !shares(ids, kept)
  return isLarge || isForeign ? 2 : 1
}
