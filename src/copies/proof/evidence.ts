import type { LeaveProof } from '../../domain/leave.ts'
import { setOf, within, without } from '../../json/long-sets.ts'
import { inSteps } from '../../json/rest.ts'
import type { Claims } from './claims.ts'
import { areEqual, compare, type Compared, shares } from './comparison.ts'
import {
  areGiven,
  askLeaves,
  idsIn,
  type LeavesGiven,
  type LeavesReply,
  type PersonsAnswer,
} from './leaves-reply.ts'
import { type CounterEvidence, Mending } from './mending.ts'
import type { Others } from './others.ts'
import type { Ownership } from './ownership.ts'
import type { ProofState, ProofStateDeps } from './proof-state.ts'
import { type ComparedPerson, Rounds } from './round.ts'
import { noteSeen, type SeenAgainDeps } from './seen-again.ts'

/** Until so many people are known, and when the filter is proven again. */
const manyRounds = 3
/** More new leaves than that at once, and than half of those before, are read twice. */
const newMax = 3
const ownersMax = 3

/** What is known before anything else is asked. */
export interface Known {
  readonly claims: Claims
  readonly proof: LeaveProof
  /** Whether so many people's leaves are known that one comparison tells whose an answer is. */
  readonly isEstablished: boolean
}

/** The leaves of each reading of a person. */
export type Readings = readonly ReadonlySet<string>[]

/** What came of asking on: all readings of the person, or what speaks against them. */
type Evidence = { readonly readings: Readings } | CounterEvidence

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

  constructor(deps: EvidenceDeps) {
    this.#deps = deps
    this.#rounds = new Rounds(deps)
    this.#mending = new Mending({ ...deps, rounds: this.#rounds })
  }

  /** Never throws for what the Read API does. */
  async search(answer: PersonsAnswer, known: Known, signal: AbortSignal): Promise<Evidence> {
    if (!known.isEstablished) return this.#compare(answer, known, manyRounds, signal)
    const again = await this.#readAgain(answer, signal)
    if (!areGiven(again) || isOther(answer, again)) return this.#mending.ofSilent(answer.userId)
    const found = await this.#compare(answer, known, roundsOf(answer, known.claims), signal)
    return 'readings' in found ? { readings: [again.ids, ...found.readings] } : found
  }

  async #compare(
    answer: PersonsAnswer,
    known: Known,
    count: number,
    signal: AbortSignal,
  ): Promise<Evidence> {
    const { isEstablished } = known
    const readings: ReadonlySet<string>[] = []
    const asked = new Set<string>()
    let differs = await this.#hasOthersKept(answer)
    for (let round = 0; round < count; round += 1) {
      const own = round === 0 ? answer : await this.#ask(answer.userId, signal)
      if (!areGiven(own)) return this.#mending.ofSilent(answer.userId)
      const beside = await this.#othersOf(answer, known, [...asked])
      for (const other of [...beside.others, ...beside.alike]) asked.add(other)
      const compared = await this.#rounds.compareWith(
        { userId: answer.userId, own, ...beside, isPatient: isEstablished },
        signal,
      )
      const result = compare({ ...compared, needsOthers: !isEstablished })
      if (result.is === 'disproved')
        return this.#mending.ofDisproof(result.reason, answer, compared)
      if (result.is === 'unanswered') return this.#mending.ofSilence(compared)
      await this.#noteOthers(answer, known.claims, compared)
      differs ||= result.differs
      readings.push(own.ids)
    }
    return differs ? { readings } : this.#ofRefusals(answer, readings, signal)
  }

  /** With nothing kept that it could continue, an answer that went astray looks like any other: it has to come twice. */
  async #readAgain(answer: PersonsAnswer, signal: AbortSignal): Promise<LeavesReply> {
    const { userId, kept } = answer
    return !kept || kept.size === 0 ? this.#ask(userId, signal) : answer
  }

  /** Refusals alone prove nothing, unless there is nobody else and the request without the parameter brings more. */
  async #ofRefusals(
    answer: PersonsAnswer,
    readings: readonly ReadonlySet<string>[],
    signal: AbortSignal,
  ): Promise<Evidence> {
    const isAlone = await this.#isAlone(answer)
    const isMendedBy = (again: AbortSignal): Promise<boolean> =>
      isAlone ? this.#bringsMoreUnasked(answer, again) : this.#isAnotherGiven(answer, again)
    if (isAlone && (await isMendedBy(signal))) return { readings }
    return { against: 'nothing_to_compare', isMendedBy }
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

  async #hasOthersKept({ userId }: PersonsAnswer): Promise<boolean> {
    return this.#deps.others.haveLeaves(userId)
  }

  async #othersOf(
    { userId }: PersonsAnswer,
    { claims, proof, isEstablished }: Known,
    asked: readonly string[],
  ): Promise<Pick<ComparedPerson, 'others' | 'alike' | 'mayBeRecent'>> {
    const { others, ownership } = this.#deps
    const inDispute = proof.state === 'disproved' ? await ownership.disputants() : []
    const concerned = [...claims.owners, ...inDispute].filter((id) => id !== userId)
    const inTurn = isEstablished ? [] : await others.next(userId, asked)
    const isFirst = asked.length === 0
    return {
      others: [...new Set([...concerned.slice(0, ownersMax), ...inTurn])],
      alike: isFirst ? await others.alike(userId) : [],
      mayBeRecent: isFirst && isEstablished,
    }
  }

  /** What has come for others as well as for this person is noted as theirs, too. */
  async #noteOthers(answer: PersonsAnswer, claims: Claims, { others }: Compared): Promise<void> {
    const { ownership } = this.#deps
    await noteSeen(this.#deps, others)
    const concerned = await inSteps(setOf(answer.ids, answer.kept ?? []))
    const left = await ownership.departed([...others.keys()])
    for (const [userId, reply] of others) {
      if (reply === 'unanswered') continue
      const given = left.has(userId) ? new Set<string>() : idsIn(reply)
      const present = [...(await inSteps(within(given, concerned)))]
      if (present.length === 0 && !claims.owners.has(userId)) continue
      const absent = [...(await inSteps(without(concerned, given)))]
      await ownership.note({ userId, present, absent, mayOwn: false, onlyInFeed: false })
    }
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

/** Of two readings neither of which holds anything of the other, one is somebody else's. */
function isOther({ ids }: PersonsAnswer, again: LeavesGiven): boolean {
  return ids.size > 0 && again.ids.size > 0 && !shares(ids, again.ids)
}

/** An answer that is new in large part, or has nothing of what was kept, may be another's: it is compared twice. */
function roundsOf({ ids, kept }: PersonsAnswer, { fresh }: Claims): number {
  if (!kept) return 1
  const isLarge = fresh.size > newMax && fresh.size > kept.size / 2
  const isForeign = kept.size > 0 && !shares(ids, kept)
  return isLarge || isForeign ? 2 : 1
}
