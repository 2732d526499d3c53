import { leaveStatuses } from '../../domain/leave.ts'
import type { RecordFault } from '../../domain/read-api.ts'
import type { Instant } from '../../domain/world.ts'
import { allLeaves, allTimesheets, type ListAnswer, type ListFacts } from './list-facts.ts'
import { succeeded } from './outcomes.ts'

const knownStatuses: ReadonlySet<string> = new Set(leaveStatuses)

export interface RecordsVerdict {
  readonly ok: boolean
  /** One for each field of each resource, the counts added up. */
  readonly faults: readonly RecordFault[]
  readonly oddities: readonly Oddity[]
}

/** Records that fit field by field and still say nothing that a calendar can show. */
export interface Oddity {
  readonly noun: 'leave' | 'timesheet'
  readonly oddity: 'unlisted_status' | 'backward'
  readonly count: number
}

/** Which records do not fit the spec. */
export function judgeRecords(lists: ListFacts): RecordsVerdict {
  const faults = merged(faultsOf(lists))
  const oddities = odditiesOf(lists).filter(({ count }) => count > 0)
  return { ok: faults.length === 0 && oddities.length === 0, faults, oddities }
}

function faultsOf(lists: ListFacts): readonly RecordFault[] {
  const { leaves, timesheets, schedules, tasks, leavesOf, timesheetsOf } = lists
  return [
    ...faultsIn(leaves, leavesOf),
    ...faultsIn(timesheets, timesheetsOf),
    ...faultsIn(schedules),
    ...[...tasks.values()].flatMap((answer) => faultsIn(answer)),
  ]
}

/** Of the whole list or, where that could not be read, of its parts. */
function faultsIn(
  whole: ListAnswer<unknown> | undefined,
  parts: ReadonlyMap<string, ListAnswer<unknown>> = new Map(),
): readonly RecordFault[] {
  const answers = whole && succeeded(whole) ? [whole] : [...parts.values()].filter(succeeded)
  return answers.flatMap(({ faults, misfits }) => [...faults, ...misfits])
}

function merged(faults: readonly RecordFault[]): readonly RecordFault[] {
  const byField = new Map<string, RecordFault>()
  for (const fault of faults) {
    const key = `${fault.resource} ${fault.field}`
    const known = byField.get(key)
    byField.set(key, known ? { ...known, count: known.count + fault.count } : fault)
  }
  return [...byField.values()]
}

function odditiesOf(lists: ListFacts): readonly Oddity[] {
  const leaves = allLeaves(lists)
  const unlisted = leaves.filter(({ status }) => !knownStatuses.has(status))
  const backward = leaves.filter(({ startDate, endDate }) => isBackward(startDate, endDate))
  const periods = allTimesheets(lists).filter(({ periodStart, periodEnd }) =>
    isBackward(periodStart, periodEnd),
  )
  return [
    { noun: 'leave', oddity: 'unlisted_status', count: unlisted.length },
    { noun: 'leave', oddity: 'backward', count: backward.length },
    { noun: 'timesheet', oddity: 'backward', count: periods.length },
  ]
}

function isBackward(start: Instant, end: Instant): boolean {
  return end < start
}
