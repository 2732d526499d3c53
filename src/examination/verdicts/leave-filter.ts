import { isCleanRefusal } from '../../copies/proof/leave-prover.ts'
import type { LeaveProof } from '../../domain/leave.ts'
import type { ListFacts } from './list-facts.ts'
import { idsOf, type ProbeOutcome, recordsOf, succeeded } from './outcomes.ts'

export interface LeaveFilterFacts {
  /** How many leaves a request without a filter brings; null where it is refused. */
  readonly unfiltered: number | null
  /** Under the name that is set; null where none is. */
  readonly underSet: FilterOutcomes | null
  /** Another name under which the filter is honoured; null where none was found, or none had to be looked for. */
  readonly betterName: string | null
}

/** What came of asking for leaves by employee under one name. */
export interface FilterOutcomes {
  readonly ofNobody: ProbeOutcome
  /** Of each known user; none where nobody's answer says enough. */
  readonly ofUsers: readonly ProbeOutcome[]
}

/**
 * What becomes of leaves' employee filter under a name. `empty`: nobody known has leaves though there are some;
 * `unsure`: nothing contradicts it and nothing shows it; `unanswered`: the Read API failed meanwhile.
 */
export type LeaveFilterState =
  | 'honoured'
  | 'ignored'
  | 'rejected'
  | 'empty'
  | 'unsure'
  | 'unanswered'
  | 'unnamed'

export interface LeaveFilterVerdict extends Pick<LeaveFilterFacts, 'unfiltered' | 'betterName'> {
  readonly ok: boolean
  readonly state: LeaveFilterState
  /** Whether a leave has come for two employees, whatever the filter does now. */
  readonly isDisputed: boolean
}

/** Whether leaves can be told apart by employee. */
export function judgeLeaveFilter(facts: LeaveFilterFacts, proof: LeaveProof): LeaveFilterVerdict {
  const { unfiltered, underSet, betterName } = facts
  const state = underSet ? stateOf(underSet, unfiltered) : 'unnamed'
  const isDisputed = proof.state === 'disproved' && proof.reason === 'two_employees'
  const ok = betterName === null && !isDisputed && isServed(state)
  return { ok, state, unfiltered, betterName, isDisputed }
}

/** How the filter behaves under the name that was asked with. */
export function stateOf(
  { ofNobody, ofUsers }: FilterOutcomes,
  unfiltered: number | null,
): LeaveFilterState {
  if (!isClean(ofNobody)) return recordsOf(ofNobody) ? 'ignored' : 'unanswered'
  const hasSome = (unfiltered ?? 0) > 0
  // An empty list where there is more shows the filter; a refusal may be one of the parameter itself.
  if (ofUsers.length === 0) return recordsOf(ofNobody) && hasSome ? 'honoured' : 'unsure'
  return stateOfUsers(ofUsers, hasSome)
}

/** Whether an answer for an employee whom nobody knows shows that the employee was looked at. */
export function isClean(ofNobody: ProbeOutcome): boolean {
  if (!succeeded(ofNobody)) return false
  const { records, status } = ofNobody
  return records ? records.length === 0 : isCleanRefusal(status)
}

/** Whether another name has to be looked for. */
export function isUnfit(state: LeaveFilterState): boolean {
  return state !== 'honoured' && state !== 'unsure' && state !== 'unanswered'
}

/** How many leaves came without a filter; null where they were refused. */
export function countUnfiltered({ plain }: ListFacts): number | null {
  const leaves = plain.find(({ path }) => path === 'leaves')
  return (leaves && recordsOf(leaves.outcome)?.length) ?? null
}

function stateOfUsers(outcomes: readonly ProbeOutcome[], hasSome: boolean): LeaveFilterState {
  const replies = outcomes.filter(succeeded)
  if (replies.length < outcomes.length) return 'unanswered'
  const lists = replies.flatMap(({ records }) => (records ? [idsOf(records)] : []))
  // A refusal of the parameter itself; a Read API that is busy or fails says nothing of it.
  const areRefusals = replies.every(({ status }) => isCleanRefusal(status))
  if (lists.length === 0) return areRefusals ? 'rejected' : 'unanswered'
  const ids = lists.flat()
  if (new Set(ids).size < ids.length) return 'ignored'
  if (ids.length > 0) return 'honoured'
  return hasSome ? 'empty' : 'unsure'
}

/** What an unknown employee does not get is proven enough to be served. */
function isServed(state: LeaveFilterState): boolean {
  return state === 'honoured' || state === 'empty' || state === 'unsure'
}
