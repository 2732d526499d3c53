import type { FindingLevel } from '../../domain/examination.ts'
import type { RecordFault } from '../../domain/read-api.ts'
import type { LeftOut } from '../../publishing/left-out.ts'
import {
  allLeaves,
  allTimesheets,
  type ListAnswer,
  type ListFacts,
  recordsIn,
} from './list-facts.ts'
import { succeeded } from './outcomes.ts'

/** What calendars leave out, as the code tells that makes them. */
export interface LeftOutFacts {
  /** Of what was read just now, new ones. */
  readonly ofNew: readonly LeftOut[]
  /** The same ones if they showed the active schedules that no new one shows. */
  readonly ofUnnamed: readonly LeftOut[]
  /** New ones if days and ends were read as they seem to be written. */
  readonly otherwise: readonly LeftOut[]
  /** Of what was kept before, those that there are. */
  readonly ofFeeds: readonly LeftOut[]
  readonly lists: ListFacts
}

export interface RecordsVerdict {
  readonly level: FindingLevel
  /** One for each field of each resource, the counts added up. */
  readonly faults: readonly RecordFault[]
  readonly oddities: readonly Oddity[]
  /** How many of these would be shown if days and ends were read as they seem to be written. */
  readonly ofSettings: number
}

/** Records that fit field by field and still say nothing that a calendar can show. */
export interface Oddity extends Pick<LeftOut, 'kind' | 'reason'> {
  readonly count: number
}

/** Of a schedule that is named in settings they are a finding of their own. */
const ofSchedules: ReadonlySet<LeftOut['reason']> = new Set([
  'missing_schedule',
  'inactive_schedule',
  'needs_rotation',
  'unknown_type',
])

/** Which records do not fit the spec, or are left out though they do. */
export function judgeRecords(facts: LeftOutFacts): RecordsVerdict {
  const { ofNew, ofUnnamed, otherwise, lists } = facts
  const faults = merged(faultsOf(lists))
  const shown = [...ofNew.filter(({ reason }) => !ofSchedules.has(reason)), ...ofOthers(facts)]
  const malformed = ofUnnamed.filter(({ reason }) => reason === 'malformed_day')
  const then = new Set(otherwise.map(nameOf))
  const ofSettings = new Set(ofNew.map(nameOf)).difference(then).size
  return {
    level: levelOf(faults.length + shown.length, malformed.length),
    faults,
    oddities: counted([...shown, ...malformed]),
    ofSettings,
  }
}

function levelOf(shown: number, hidden: number): FindingLevel {
  if (shown > 0) return 'wrong'
  return hidden > 0 ? 'note' : 'ok'
}

/** What was read just now says more of a record than what was kept of it before. */
function ofOthers({ ofFeeds, lists }: LeftOutFacts): readonly LeftOut[] {
  const read = new Set([
    ...allLeaves(lists).map(({ id }) => nameOf({ kind: 'leave', id })),
    ...allTimesheets(lists).map(({ id }) => nameOf({ kind: 'timesheet', id })),
    ...[...lists.tasks.values()]
      .flatMap((answer) => recordsIn(answer))
      .map(({ id }) => nameOf({ kind: 'task', id })),
  ])
  return ofFeeds.filter((it) => isChosen(it) || !read.has(nameOf(it)))
}

/** Whether it follows from what a calendar is told to show. */
function isChosen({ kind, reason }: LeftOut): boolean {
  return kind === 'timesheet' && reason === 'unknown_status'
}

function nameOf({ kind, id }: Pick<LeftOut, 'kind' | 'id'>): string {
  return `${kind} ${id}`
}

/** Each record counts once for each reason. */
function counted(leftOut: readonly LeftOut[]): readonly Oddity[] {
  const distinct = new Map(leftOut.map((it) => [`${it.reason} ${nameOf(it)}`, it]))
  const alike = Map.groupBy(distinct.values(), ({ kind, reason }) => `${kind} ${reason}`)
  return [...alike.values()].flatMap(([first, ...others]) =>
    first ? [{ kind: first.kind, reason: first.reason, count: 1 + others.length }] : [],
  )
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
