import type { LeaveClaim, LeaveProofReason } from '../../domain/leave.ts'
import { type LeavesByPerson, type Likeness, tryBattery } from './battery.ts'
import { listWithLeaves, noteSeen } from './others.ts'
import { amongDeparted, listDisputed } from './ownership.ts'
import { type ProofDeps, setProof } from './proof-state.ts'
import {
  areGiven,
  askLeaves,
  compare,
  hasLeaves,
  idsIn,
  type LeavesReplies,
  Rounds,
} from './replies.ts'

/** How many people's leaves to request, those with stored leaves first. */
const peopleMax = 6
const comparedMax = 3
/** How many more if all of them are refused: their accounts may have ended. */
const furtherMax = 60

/**
 * The state of the employee filter of leaves. `empty`: no known person has leaves, although there are some. `incomparable`:
 * all others are refused, so nothing shows that the filter works. `unsure`: there is nothing to compare. `unknown`: no
 * person is known, and an unknown employee is refused, perhaps because of the parameter itself.
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
  readonly reason: LeaveProofReason | null
  /** The ways in which similar ids return the same leaves without harm to known people. */
  readonly alike: readonly Likeness[]
  /** Claims to leaves that are returned for several people; only their owners see them. */
  readonly disputes: readonly Pick<LeaveClaim, 'leaveId' | 'userId' | 'isOwner'>[]
}

type Found = Pick<LeaveFilterExamined, 'state' | 'reason'> & Partial<LeaveFilterExamined>

/**
 * Examines the filter like feeds do: what it disproves is disproved for feeds, too. Requests leaves of the people `seen`
 * before others. Never fails for faults of the Read API.
 */
export async function examineLeaves(
  deps: ProofDeps,
  seen: readonly string[],
  signal: AbortSignal,
): Promise<LeaveFilterExamined> {
  const replies = await askPeople(deps, seen, signal)
  const given = [...replies].flatMap(([id, reply]) =>
    areGiven(reply) && hasLeaves(reply) ? [[id, reply] as const] : [],
  )
  const answers = new Map(given.slice(0, comparedMax))
  const found =
    answers.size > 0
      ? await compareAll(deps, answers, replies, signal)
      : await compareNothing(deps, replies, signal)
  if (found.reason) await setProof(deps, 'disproved', found.reason)
  const known = await listDisputed(deps)
  return { alike: [], ...found, disputes: [...known, ...sharedIn(replies, known)] }
}

/** Requests leaves of people with stored leaves first, and of none who have left, since their replies say nothing. */
async function askPeople(
  deps: ProofDeps,
  seen: readonly string[],
  signal: AbortSignal,
): Promise<LeavesReplies> {
  const { people, connection } = deps
  const { id } = connection.company
  await people.untilSeen(id, signal)
  const withLeaves = await listWithLeaves(deps, comparedMax)
  const known = await people.listPeopleAfter(id, '', peopleMax)
  const misnamed = new Set(await people.listMisnamed(id, seen))
  const asked = new Set([...withLeaves, ...new Set(seen).difference(misnamed)])
  const first = asked.difference(await amongDeparted(deps, [...asked])).union(new Set(known))
  const replies = new Map(await askAll(deps, [...first].slice(0, peopleMax), signal))
  if (withLeaves.length === 0) return replies
  // Leaves were returned before, so not all people are refused.
  const further = await people.listPeopleAfter(id, '', furtherMax)
  const unasked = further.filter((it) => !replies.has(it))
  while (unasked.length > 0 && replies.values().every((reply) => reply === 'refused')) {
    for (const [it, reply] of await askAll(deps, unasked.splice(0, peopleMax), signal)) {
      replies.set(it, reply)
    }
  }
  return replies
}

async function askAll(
  deps: ProofDeps,
  people: readonly string[],
  signal: AbortSignal,
): Promise<LeavesReplies> {
  const asked = people.map(
    async (id) => [id, await askLeaves(deps.connection, id, signal)] as const,
  )
  const replies = new Map(await Promise.all(asked))
  await noteSeen(deps, replies)
  return replies
}

async function compareAll(
  deps: ProofDeps,
  answers: LeavesByPerson,
  replies: LeavesReplies,
  signal: AbortSignal,
): Promise<Found> {
  const rounds = new Rounds(deps)
  let differs = false
  for (const [userId, own] of answers) {
    const compared = await rounds.compareWith(
      { userId, own, others: [], alike: [], rests: false, mayBeRecent: false },
      signal,
    )
    const others = new Map([...replies].filter(([id]) => id !== userId))
    const result = compare({ ...compared, others })
    if (result.is === 'disproved') return { state: 'disproved', reason: result.reason }
    if (result.is === 'unanswered') return { state: 'unanswered', reason: null }
    differs ||= result.differs
  }
  if (!differs && replies.size === 1) {
    const unfiltered = await askLeaves(deps.connection, undefined, signal)
    const isMore = answers.values().every(({ ids }) => !idsIn(unfiltered).isSubsetOf(ids))
    differs = unfiltered === 'refused' || isMore
  }
  if (!differs) return { state: 'incomparable', reason: null }
  const { is, alike } = await tryBattery(deps, answers, signal)
  if (is === 'disproved') return { state: 'disproved', reason: 'similar_id' }
  return { state: is === 'passed' ? 'honoured' : 'unanswered', reason: null, alike }
}

/** Without leaves of known people, an unknown employee and a request without the parameter still show something. */
async function compareNothing(
  deps: ProofDeps,
  replies: LeavesReplies,
  signal: AbortSignal,
): Promise<Found> {
  const canary = await new Rounds(deps).askForCanary(signal)
  if (hasLeaves(canary)) return { state: 'disproved', reason: 'canary_not_empty' }
  const all = [...replies.values()]
  const stateOf = async (): Promise<LeaveFilterState> => {
    if (canary === 'unanswered' || all.includes('unanswered')) return 'unanswered'
    if (all.length > 0 && all.every((reply) => reply === 'refused')) return 'rejected'
    if (all.length === 0 && canary === 'refused') return 'unknown'
    const unfiltered = await askLeaves(deps.connection, undefined, signal)
    return hasLeaves(unfiltered) && all.length > 0 ? 'empty' : 'unsure'
  }
  return { state: await stateOf(), reason: null }
}

/** Leaves just returned for several people, without disputes known before. */
function sharedIn(
  replies: LeavesReplies,
  known: readonly LeaveClaim[],
): LeaveFilterExamined['disputes'] {
  const disputed = new Set(known.map(({ leaveId }) => leaveId))
  const came = [...replies].flatMap(([userId, reply]) =>
    [...idsIn(reply)].map((leaveId) => ({ leaveId, userId, isOwner: false })),
  )
  const byLeave = [...Map.groupBy(came, ({ leaveId }) => leaveId)]
  return byLeave.flatMap(([id, of]) => (of.length > 1 && !disputed.has(id) ? of : []))
}
