import type { LeaveClaim, LeaveProofReason } from '../../domain/leave.ts'
import type { LeavesByPerson } from './battery.ts'
import { LeaveProver } from './leave-prover.ts'
import { noteSeen } from './others.ts'
import type { ProofDeps } from './proof-state.ts'
import {
  askLeaves,
  compare,
  hasLeaves,
  idsIn,
  type LeavesGiven,
  type LeavesReplies,
  type Likeness,
} from './replies.ts'
import { Rounds } from './round.ts'

/** So many are asked for, those with leaves first. */
const peopleMax = 6
const comparedMax = 3
/** Where all of those are refused, since their accounts have ended perhaps, so many more are asked for. */
const furtherMax = 60

/**
 * What becomes of the employee filter of leaves. `empty`: nobody known has leaves though there are some; `incomparable`: all
 * others are refused, so that nothing shows that the employee is looked at; `unsure`: there is nothing to compare;
 * `unknown`: nobody is known, and what is asked for nobody is refused, perhaps for the parameter itself.
 */
export type LeaveFilterState =
  | 'honoured'
  | 'disproved'
  | 'rejected'
  | 'empty'
  | 'incomparable'
  | 'unsure'
  | 'unknown'
  | 'unanswered'

export interface LeaveFilterExamined {
  readonly state: LeaveFilterState
  /** Why it is disproved; null where it is not. */
  readonly reason: LeaveProofReason | null
  /** In which ways ids that look alike bring the same leaves, without harm as people are called now. */
  readonly alike: readonly Likeness[]
  /** To leaves that come for several people: their owners alone are shown them. */
  readonly disputes: readonly Pick<LeaveClaim, 'leaveId' | 'userId' | 'isOwner'>[]
}

type Found = Pick<LeaveFilterExamined, 'state' | 'reason'> & Partial<LeaveFilterExamined>

/** Examines the filter as feeds prove it: what it disproves is disproved for feeds, too. */
export class LeaveExamination {
  readonly #deps: ProofDeps
  readonly #prover: LeaveProver
  readonly #rounds: Rounds

  constructor(deps: ProofDeps) {
    this.#deps = deps
    this.#prover = new LeaveProver(deps)
    this.#rounds = new Rounds(deps)
  }

  /** Asks for these people before others who are known. Never fails for what the Read API does. */
  async examine(seen: readonly string[], signal: AbortSignal): Promise<LeaveFilterExamined> {
    const replies = await this.#replies(seen, signal)
    const given = [...replies].filter((it): it is [string, LeavesGiven] => hasLeaves(it[1]))
    const answers = new Map(given.slice(0, comparedMax))
    const found =
      answers.size > 0
        ? await this.#compare(answers, replies, signal)
        : await this.#compareNothing(replies, signal)
    if (found.reason) await this.#prover.state.set('disproved', found.reason)
    const known = await this.#prover.ownership.shared()
    return { alike: [], ...found, disputes: [...known, ...sharedIn(replies, known)] }
  }

  /** Those with leaves kept are asked for first. Who has left is not: what comes for them says nothing. */
  async #replies(seen: readonly string[], signal: AbortSignal): Promise<LeavesReplies> {
    const { people, connection } = this.#deps
    const { id } = connection.company
    await people.untilSeen(id, signal)
    const [withLeaves, known] = await Promise.all([
      this.#prover.others.withLeaves(comparedMax),
      people.listPeopleAfter(id, '', peopleMax),
    ])
    const misnamed = new Set(await people.listMisnamed(id, seen))
    const asked = [...new Set([...withLeaves, ...seen.filter((it) => !misnamed.has(it))])]
    const left = await this.#prover.ownership.departed(asked)
    const first = [...new Set([...asked.filter((it) => !left.has(it)), ...known])]
    const replies = await this.#askAll(first.slice(0, peopleMax), signal)
    return withLeaves.length > 0 ? this.#untilAnswered(replies, signal) : replies
  }

  /** These, and those of further people while all are refused: leaves have come, so not everybody is. */
  async #untilAnswered(replies: LeavesReplies, signal: AbortSignal): Promise<LeavesReplies> {
    const { people, connection } = this.#deps
    const further = await people.listPeopleAfter(connection.company.id, '', furtherMax)
    const unasked = further.filter((it) => !replies.has(it))
    let all = replies
    while (unasked.length > 0 && [...all.values()].every((reply) => reply === 'refused')) {
      all = new Map([...all, ...(await this.#askAll(unasked.splice(0, peopleMax), signal))])
    }
    return all
  }

  async #askAll(people: readonly string[], signal: AbortSignal): Promise<LeavesReplies> {
    const asked = people.map(
      async (id) => [id, await askLeaves(this.#deps.connection, id, signal)] as const,
    )
    const replies = new Map(await Promise.all(asked))
    await noteSeen(this.#deps, replies)
    return replies
  }

  async #compare(
    answers: LeavesByPerson,
    replies: LeavesReplies,
    signal: AbortSignal,
  ): Promise<Found> {
    let differs = false
    for (const [userId, own] of answers) {
      const compared = await this.#rounds.compareWith(
        { userId, own, others: [], alike: [] },
        signal,
      )
      const others = new Map([...replies].filter(([id]) => id !== userId))
      const result = compare({ ...compared, others })
      if (result.is === 'disproved') return { state: 'disproved', reason: result.reason }
      if (result.is === 'unanswered') return { state: 'unanswered', reason: null }
      differs ||= result.differs
    }
    const isAlone = replies.size === answers.size && answers.size === 1
    if (!differs && !(isAlone && (await this.#bringsMoreUnasked(answers, signal)))) {
      return { state: 'incomparable', reason: null }
    }
    const { is, alike } = await this.#prover.tryBattery(answers, signal)
    if (is === 'disproved') return { state: 'disproved', reason: 'similar_id' }
    return { state: is === 'passed' ? 'honoured' : 'unanswered', reason: null, alike }
  }

  /** Nobody known has leaves: what nobody has, and what there is without the parameter, says something all the same. */
  async #compareNothing(replies: LeavesReplies, signal: AbortSignal): Promise<Found> {
    const nobody = await this.#rounds.askForNobody(signal)
    if (hasLeaves(nobody)) return { state: 'disproved', reason: 'canary_not_empty' }
    const all = [...replies.values()]
    if (nobody === 'unanswered' || all.includes('unanswered'))
      return { state: 'unanswered', reason: null }
    if (all.length > 0 && all.every((reply) => reply === 'refused'))
      return { state: 'rejected', reason: null }
    if (all.length === 0 && nobody === 'refused') return { state: 'unknown', reason: null }
    const unasked = await askLeaves(this.#deps.connection, undefined, signal)
    if (!hasLeaves(unasked)) return { state: 'unsure', reason: null }
    return { state: all.length > 0 ? 'empty' : 'unsure', reason: null }
  }

  async #bringsMoreUnasked(answers: LeavesByPerson, signal: AbortSignal): Promise<boolean> {
    const reply = await askLeaves(this.#deps.connection, undefined, signal)
    return (
      reply === 'refused' || [...answers.values()].every(({ ids }) => !idsIn(reply).isSubsetOf(ids))
    )
  }
}

/** Leaves that have just come for several people, those left out of which it is known already. */
function sharedIn(
  replies: LeavesReplies,
  known: readonly LeaveClaim[],
): LeaveFilterExamined['disputes'] {
  const disputed = new Set(known.map(({ leaveId }) => leaveId))
  const seen = new Map<string, string>()
  const shared = new Map<string, Set<string>>()
  for (const [userId, reply] of replies) {
    for (const leaveId of idsIn(reply)) {
      const first = seen.get(leaveId)
      if (first === undefined) seen.set(leaveId, userId)
      else if (!disputed.has(leaveId)) {
        shared.set(leaveId, (shared.get(leaveId) ?? new Set([first])).add(userId))
      }
    }
  }
  return [...shared].flatMap(([leaveId, userIds]) =>
    [...userIds].map((userId) => ({ leaveId, userId, isOwner: false })),
  )
}
