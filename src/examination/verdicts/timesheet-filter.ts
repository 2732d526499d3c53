import { type ListFacts, recordsIn } from './list-facts.ts'
import { isUnanswered, type ProbeOutcome, recordsOf, textMember } from './outcomes.ts'

export interface TimesheetFilterFacts {
  /** Whether a name of the employee is set. */
  readonly isNamed: boolean
  /** A user who has timesheets; undefined where there are none to try the filter with. */
  readonly userId: string | undefined
  /** Of asking for that user's under the name that is set; undefined where that was not done. */
  readonly underSet: FilterAnswers | undefined
  /** Another name under which the filter is honoured; null where none was found, or none had to be looked for. */
  readonly betterName: string | null
  /** undefined where no bounds can be asked for, or nothing lies within them. */
  readonly within: AnswersWithin | undefined
}

/** The first pages that came when everybody's timesheets, or those of somebody who has some, were asked for between two dates. */
export interface AnswersWithin {
  readonly ofAll: ProbeOutcome
  readonly ofOne: ProbeOutcome | undefined
}

/** The first pages that came for a user who has timesheets and for nobody; the latter undefined where it was not asked for. */
export interface FilterAnswers {
  readonly ofOwn: ProbeOutcome
  readonly ofNobody: ProbeOutcome | undefined
}

/** How the timesheets' employee filter behaves; `lossy`: it leaves out the employee's own. */
export type TimesheetFilterState =
  | 'honoured'
  | 'ignored'
  | 'lossy'
  | 'unanswered'
  | 'unnamed'
  | 'untried'

/** Parameter names of timesheets that would do better; a null is never sent. */
export interface BetterTimesheetNames {
  readonly employee?: string | null
  readonly from?: null
  readonly to?: null
}

export interface TimesheetFilterVerdict {
  /** Whether nothing is lost, as far as is known. */
  readonly ok: boolean
  readonly state: TimesheetFilterState
  /** Whether what lies within the bounds comes; false where they leave out more. */
  readonly areBoundsHeld: boolean
  /** Empty where those that are set do well enough. */
  readonly better: BetterTimesheetNames
}

/** Whether timesheets are filtered by employee and by bounds so that nothing is lost. */
export function judgeTimesheetFilter(facts: TimesheetFilterFacts): TimesheetFilterVerdict {
  const state = judgeSetName(facts)
  const isFiltered = state === 'honoured' || facts.betterName !== null
  const areBoundsHeld = holdsBounds(facts, isFiltered)
  const better = {
    ...betterEmployee(state, facts.betterName),
    ...(areBoundsHeld ? {} : { from: null, to: null }),
  }
  const ok = areBoundsHeld && state !== 'lossy' && state !== 'unanswered'
  return { ok, state, areBoundsHeld, better }
}

/**
 * How the filter behaves under the name that was asked with. A first page may hold any of the user's timesheets, but not
 * none; where nobody's is not empty, it is that user's by chance.
 */
export function stateOf({ ofOwn, ofNobody }: FilterAnswers, userId: string): TimesheetFilterState {
  if (isUnanswered(ofOwn)) return 'unanswered'
  const brought = recordsOf(ofOwn) ?? []
  if (brought.length === 0) return 'lossy'
  const isMixed = brought.some((record) => (textMember(record, 'userId') ?? userId) !== userId)
  const isAnybodys = ofNobody !== undefined && (recordsOf(ofNobody)?.length ?? 0) > 0
  return isMixed || isAnybodys ? 'ignored' : 'honoured'
}

/** Whether another name has to be looked for. */
export function isUnfit(state: TimesheetFilterState): boolean {
  return state === 'ignored' || state === 'lossy'
}

/** A user who has timesheets. */
export function findOwn({ timesheets, userIds }: ListFacts): string | undefined {
  const owners = new Set(recordsIn(timesheets).map(({ userId }) => userId))
  return userIds.find((id) => owners.has(id))
}

/** A filter that loses the employee's own loses them between two dates, too: that is not the dates' fault. */
function holdsBounds({ within }: TimesheetFilterFacts, isFiltered: boolean): boolean {
  if (!within) return true
  return isHeld(within.ofAll) && (!isFiltered || !within.ofOne || isHeld(within.ofOne))
}

function isHeld(outcome: ProbeOutcome): boolean {
  return isUnanswered(outcome) || (recordsOf(outcome) ?? []).length > 0
}

function judgeSetName({ isNamed, userId, underSet }: TimesheetFilterFacts): TimesheetFilterState {
  if (!isNamed) return 'unnamed'
  return userId !== undefined && underSet ? stateOf(underSet, userId) : 'untried'
}

/** A filter that loses records is better not sent. */
function betterEmployee(
  state: TimesheetFilterState,
  betterName: string | null,
): BetterTimesheetNames {
  if (betterName !== null) return { employee: betterName }
  return state === 'lossy' ? { employee: null } : {}
}
