import type { LeaveFilterExamined, LeaveFilterState } from '../../copies/proof/leave-examination.ts'
import { isRefusal } from '../../copies/proof/leaves-reply.ts'
import { tryAgainAfterMs } from '../../copies/proof/proof-state.ts'
import type { FindingLevel } from '../../domain/examination.ts'
import type { LeaveProof } from '../../domain/leave.ts'
import type { Instant } from '../../domain/world.ts'
import type { ListFacts } from './list-facts.ts'
import { idsOf, type ProbeOutcome, recordsOf, succeeded } from './outcomes.ts'

export interface LeaveFilterFacts {
  /** How many leaves a request without a filter brings; null where it is refused. */
  readonly unfiltered: number | null
  /** Under the name that is set; null where none is. */
  readonly underSet: LeaveFilterExamined | null
  /** Another name under which the filter is honoured; null where none was found, or none had to be looked for. */
  readonly betterName: string | null
  /** Whether other names were tried. */
  readonly areNamesTried: boolean
  /** Whether a list that comes by itself is refused once it is asked for by pages as they are set. */
  readonly arePagesRefused: boolean
}

/** What came of asking for leaves by employee under another name. */
export interface FilterOutcomes {
  readonly ofNobody: ProbeOutcome
  /** Of each known user; none where nobody's answer says enough. */
  readonly ofUsers: readonly ProbeOutcome[]
}

export interface LeaveFilterVerdict extends Pick<
  LeaveFilterFacts,
  'unfiltered' | 'betterName' | 'areNamesTried'
> {
  readonly level: FindingLevel
  /** `unnamed`: no name is set; `unpaged`: it is refused as every list is that is asked for by pages. */
  readonly state: LeaveFilterState | 'unnamed' | 'unpaged'
  readonly reason: LeaveFilterExamined['reason']
  readonly alike: LeaveFilterExamined['alike']
  /** Whether it was disproved before and is not proven again yet, whatever the filter does now. */
  readonly wasDisproved: boolean
  /** From when on feeds try it again, if it is disproved. */
  readonly triedAgainFrom: Instant
}

/** Whether leaves can be told apart by employee; feeds say the same. */
export function judgeLeaveFilter(facts: LeaveFilterFacts, proof: LeaveProof): LeaveFilterVerdict {
  const { unfiltered, underSet, betterName, areNamesTried } = facts
  const { reason = null, alike = [] } = underSet ?? {}
  const state = stateOf(facts)
  const wasDisproved = proof.state === 'disproved'
  const triedAgainFrom = Math.max(proof.since, proof.triedAt ?? 0) + tryAgainAfterMs
  const isMended = betterName === null && !wasDisproved
  const level = isMended ? levelOf(state) : 'wrong'
  return {
    level,
    state,
    reason,
    alike,
    unfiltered,
    betterName,
    areNamesTried,
    wasDisproved,
    triedAgainFrom,
  }
}

function stateOf({ underSet, arePagesRefused }: LeaveFilterFacts): LeaveFilterVerdict['state'] {
  const state = underSet?.state ?? 'unnamed'
  const isRefused = state === 'rejected' || state === 'unknown'
  return isRefused && arePagesRefused ? 'unpaged' : state
}

/** Whether an answer for an employee whom nobody knows shows that the employee was looked at. */
export function isClean(ofNobody: ProbeOutcome): boolean {
  if (!succeeded(ofNobody)) return false
  const { records, status } = ofNobody
  return records ? records.length === 0 : isRefusal(status)
}

/** Whether another name has to be looked for. */
export function isUnfit(state: LeaveFilterState): boolean {
  return state !== 'honoured' && state !== 'unsure' && state !== 'unanswered'
}

/** Whether a list that comes by itself is refused once it is asked for by pages as they are set. */
export function judgePagesRefused({ plain }: ListFacts): boolean {
  return plain.some(({ ids, outcome }) => ids === undefined && recordsOf(outcome) !== undefined)
}

/** How many leaves came without a filter, of all pages where they could be read; null where they were refused. */
export function countUnfiltered({ leaves, plain }: ListFacts): number | null {
  if (leaves && succeeded(leaves)) return leaves.ids.length
  const first = plain.find(({ path }) => path === 'leaves')
  return (first && recordsOf(first.outcome)?.length) ?? null
}

/** Whether leaves come apart under a name: nobody's are none, and nobody has another's. */
export function isHonoured(
  { ofNobody, ofUsers }: FilterOutcomes,
  unfiltered: number | null,
): boolean {
  if (!isClean(ofNobody)) return false
  // An empty list where there is more shows the filter; a refusal may be one of the parameter itself.
  if (ofUsers.length === 0) return recordsOf(ofNobody) !== undefined && (unfiltered ?? 0) > 0
  const ids = ofUsers.flatMap((outcome) => idsOf(recordsOf(outcome) ?? []))
  return ofUsers.every(succeeded) && ids.length > 0 && new Set(ids).size === ids.length
}

/** What an unknown employee does not get is proven enough to be served. */
function levelOf(state: LeaveFilterVerdict['state']): FindingLevel {
  if (state === 'honoured') return 'ok'
  return state === 'empty' || state === 'unsure' || state === 'unknown' ? 'note' : 'wrong'
}
