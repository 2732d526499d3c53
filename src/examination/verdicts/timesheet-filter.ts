import type { Timesheet } from '../../domain/timesheet.ts'
import { type ListFacts, recordsIn } from './list-facts.ts'
import { idsOf, isUnanswered, type ProbeOutcome, recordsOf, textMember } from './outcomes.ts'

export interface TimesheetFilterFacts {
  /** Whether a name of the employee is set. */
  readonly isNamed: boolean
  /** Somebody's timesheets; undefined where there are none to try the filter with. */
  readonly own: OwnTimesheets | undefined
  /** Of asking for that user's under the name that is set; undefined where that was not done. */
  readonly underSet: ProbeOutcome | undefined
  /** Another name under which the filter is honoured; null where none was found, or none had to be looked for. */
  readonly betterName: string | null
  /** undefined where no bounds can be asked for, or nothing lies within them. */
  readonly within: TimesheetsWithin | undefined
}

/** Somebody's timesheets, as they are known without asking for that user. */
export interface OwnTimesheets {
  readonly userId: string
  readonly records: readonly Timesheet[]
}

/** Timesheets that lie between two dates, and what came of asking for those that do. */
export interface TimesheetsWithin {
  readonly expected: readonly Timesheet[]
  readonly outcome: ProbeOutcome
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
  const areBoundsHeld = holdsBounds(facts.within)
  const better = {
    ...betterEmployee(state, facts.betterName),
    ...(areBoundsHeld ? {} : { from: null, to: null }),
  }
  const ok = Object.keys(better).length === 0 && state !== 'unanswered'
  return { ok, state, areBoundsHeld, better }
}

/** How the filter behaves under the name that was asked with. */
export function stateOf(
  outcome: ProbeOutcome,
  { userId, records }: OwnTimesheets,
): TimesheetFilterState {
  if (isUnanswered(outcome)) return 'unanswered'
  const brought = recordsOf(outcome)
  if (!brought) return 'lossy'
  if (brought.some((record) => textMember(record, 'userId') !== userId)) return 'ignored'
  return bringsSome(brought, records) ? 'honoured' : 'lossy'
}

/** Whether another name has to be looked for. */
export function isUnfit(state: TimesheetFilterState): boolean {
  return state === 'ignored' || state === 'lossy'
}

/** The timesheets of one of the known users. */
export function findOwn({ timesheets, userIds }: ListFacts): OwnTimesheets | undefined {
  const records = recordsIn(timesheets)
  const userId = userIds.find((id) => records.some((timesheet) => timesheet.userId === id))
  if (userId === undefined) return undefined
  return { userId, records: records.filter((timesheet) => timesheet.userId === userId) }
}

function judgeSetName({ isNamed, own, underSet }: TimesheetFilterFacts): TimesheetFilterState {
  if (!isNamed) return 'unnamed'
  return own && underSet ? stateOf(underSet, own) : 'untried'
}

/** A filter that loses records is better not sent. */
function betterEmployee(
  state: TimesheetFilterState,
  betterName: string | null,
): BetterTimesheetNames {
  if (betterName !== null) return { employee: betterName }
  return state === 'lossy' ? { employee: null } : {}
}

function holdsBounds(within: TimesheetsWithin | undefined): boolean {
  if (!within || isUnanswered(within.outcome)) return true
  return bringsSome(recordsOf(within.outcome) ?? [], within.expected)
}

/** Whether some of those expected came: a first page may not hold all of them. */
function bringsSome(brought: readonly unknown[], expected: readonly Timesheet[]): boolean {
  const ids = new Set(idsOf(brought))
  return expected.some(({ id }) => ids.has(id))
}
