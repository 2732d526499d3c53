import { AppError } from '../../domain/errors.ts'
import type { ListKind } from '../../domain/read-api.ts'
import type { ListAnswer, ListFacts } from './list-facts.ts'
import { succeeded } from './outcomes.ts'

/** Of one list operation. */
export type ListVerdict = ReadList | UnreadList

interface ReadList {
  readonly ok: true
  readonly list: ListKind
  /** How many the fullest answer brought; of tasks, all answers together. */
  readonly records: number
  /** Of tasks: how many projects they are of. */
  readonly projects?: number
}

interface UnreadList {
  readonly ok: false
  readonly list: ListKind
  readonly fault: AppError
}

type AnyAnswer = ListAnswer<unknown>

/** Whether each list operation answers `{data: […]}`: it does if any way of asking brings that. */
export function judgeLists(lists: ListFacts): readonly ListVerdict[] {
  const { timesheets, leaves, schedules, tasks, timesheetsOf, leavesOf } = lists
  const ofProjects = [...tasks.values()].filter((answer) => !isMissing(answer))
  return [
    judgeList('timesheets', [timesheets, ...timesheetsOf.values()]),
    ...(leaves || leavesOf.size > 0
      ? [judgeList('leaves', [...(leaves ? [leaves] : []), ...leavesOf.values()])]
      : []),
    judgeList('schedules', [schedules]),
    ...(ofProjects.length > 0 ? [judgeTasks(ofProjects)] : []),
  ]
}

/** Whether there is no such thing, as opposed to one that cannot be read. */
export function isMissing(answer: AnyAnswer | undefined): boolean {
  return answer instanceof AppError && answer.code === 'upstream_not_found'
}

function judgeList(list: ListKind, answers: readonly AnyAnswer[]): ListVerdict {
  const read = answers.filter(succeeded)
  const fault = findFault(answers)
  if (read.length === 0 && fault) return { ok: false, list, fault }
  return { ok: true, list, records: Math.max(...read.map(({ records }) => records.length)) }
}

/** Every project counts by itself. */
function judgeTasks(answers: readonly AnyAnswer[]): ListVerdict {
  const fault = findFault(answers)
  if (fault) return { ok: false, list: 'tasks', fault }
  const sizes = answers.filter(succeeded).map(({ records }) => records.length)
  const records = sizes.reduce((sum, size) => sum + size, 0)
  return { ok: true, list: 'tasks', records, projects: answers.length }
}

function findFault(answers: readonly AnyAnswer[]): AppError | undefined {
  return answers.find((answer) => answer instanceof AppError)
}
