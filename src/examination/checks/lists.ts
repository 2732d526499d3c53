import { defaultParameters, type ParameterNames } from '../../domain/connection.ts'
import { AppError } from '../../domain/errors.ts'
import { type Finding, findingOf } from '../../domain/examination.ts'
import type { ListKind, Answer } from '../../domain/read-api.ts'
import type { Task } from '../../domain/task.ts'
import { succeeded, ask, type Inquiry, orFault, counted } from '../advice.ts'
import type { LeaveFilterVerdict } from './leave-filter.ts'
import { type ListAnswer, type ListFacts, type PlainList, recordsIn } from './list-facts.ts'
import { boundsFor, boundsQuery, type TimesheetFilterVerdict } from './timesheet-filter.ts'

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

/** How many of the known users are asked for one by one. */
const usersMax = 6
/** How many projects' tasks are looked at for signs of being cut. */
const projectsMax = 3

type WholeLists = Pick<ListFacts, 'timesheets' | 'leaves' | 'schedules' | 'tasks'>
type ListsOfUsers = Pick<ListFacts, 'leavesOf' | 'timesheetsOf'>

/** Reads every list there is, and those of a few known users; everybody's leaves only where a person wants to know. */
export async function askLists(inquiry: Inquiry): Promise<ListFacts> {
  const { query, ...whole } = await readWhole(inquiry)
  const userIds = knownUsers(whole)
  const ofUsers = await readOfUsers(inquiry, userIds)
  const plain = await askPlainly(inquiry, whole, query)
  return { ...whole, userIds, ...ofUsers, plain }
}

async function readWhole(inquiry: Inquiry): Promise<WholeLists & Pick<PlainList, 'query'>> {
  const { connection, signal } = inquiry
  const { api, company } = connection
  const [timesheets, leaves, schedules, tasks] = await Promise.all([
    readTimesheets(inquiry),
    inquiry.guesses ? orFault(api.list('leaves', {}, { signal })) : undefined,
    orFault(api.list('schedules', {}, { signal })),
    byKey(company.projects, (id) => api.list('tasks', { project: id }, { signal })),
  ])
  return { ...timesheets, leaves, schedules, tasks }
}

/** Recent timesheets, since all of a large company's would be too many; all where that brings none and a person wants to know. */
async function readTimesheets(
  inquiry: Inquiry,
): Promise<Pick<ListFacts, 'timesheets'> & Pick<PlainList, 'query'>> {
  const { api } = inquiry.connection
  const recent = await orFault(
    api.list('timesheets', boundsFor(inquiry), { signal: inquiry.signal }),
  )
  if (recordsIn(recent).length > 0 || !inquiry.guesses) {
    return { timesheets: recent, query: boundsQuery(inquiry) }
  }
  return {
    timesheets: await orFault(api.list('timesheets', {}, { signal: inquiry.signal })),
    query: {},
  }
}

function knownUsers({ timesheets, tasks }: WholeLists): readonly string[] {
  const owners = recordsIn(timesheets).map(({ userId }) => userId)
  const assignees = [...tasks.values()]
    .flatMap((answer) => recordsIn(answer))
    .flatMap(({ assignees: some }) => some ?? [])
  return [...new Set([...owners, ...assignees.map(({ id }) => id)])].slice(0, usersMax)
}

async function readOfUsers(inquiry: Inquiry, userIds: readonly string[]): Promise<ListsOfUsers> {
  const { connection, signal } = inquiry
  const { api, parameters } = connection
  const leavesOf = await byKey(parameters.leaves.employee === null ? [] : userIds, (employee) =>
    api.list('leaves', { employee }, { signal }),
  )
  const timesheetsOf = await byKey(userIds, (employee) =>
    api.list('timesheets', { employee, ...boundsFor(inquiry) }, { signal }),
  )
  return { leavesOf, timesheetsOf }
}

async function byKey<T>(
  keys: readonly string[],
  read: (key: string) => Promise<Answer<T>>,
): Promise<ReadonlyMap<string, ListAnswer<T>>> {
  const entries = keys.map(async (key) => [key, await orFault(read(key))] as const)
  return new Map(await Promise.all(entries))
}

function askPlainly(
  inquiry: Inquiry,
  { timesheets, leaves, schedules, tasks }: WholeLists,
  query: PlainList['query'],
): Promise<readonly PlainList[]> {
  return Promise.all([
    ...(leaves ? [plainList(inquiry, 'leaves', leaves)] : []),
    plainList(inquiry, 'timesheets', timesheets, query),
    plainList(inquiry, 'schedules', schedules),
    ...longest(tasks).map(([id, answer]) =>
      plainList(inquiry, `projects/${encodeURIComponent(id)}/tasks`, answer),
    ),
  ])
}

function longest(tasks: ListFacts['tasks']): readonly (readonly [string, ListAnswer<Task>])[] {
  return [...tasks]
    .toSorted(([, one], [, other]) => recordsIn(other).length - recordsIn(one).length)
    .slice(0, projectsMax)
}

async function plainList(
  inquiry: Inquiry,
  path: string,
  answer: ListAnswer<{ readonly id: string }>,
  query: PlainList['query'] = {},
): Promise<PlainList> {
  const outcome = await ask(inquiry, { path, query })
  if (!succeeded(answer)) return { path, query, outcome, ids: undefined, setAside: 0 }
  const ids = new Set(answer.records.map(({ id }) => id))
  const setAside = answer.faults.reduce((sum, { count }) => sum + count, 0)
  return { path, query, outcome, ids, setAside }
}

/** Says whether a list can be read. */
export function sayList(verdict: ListVerdict): Finding {
  const { list } = verdict
  const check = `list-${list}`
  if (!verdict.ok) {
    const means = `Calendars that show ${list} are not served, or show them as last read.`
    return findingOf({ check, level: 'wrong', seen: verdict.fault.message, means, set: null })
  }
  const { records, projects } = verdict
  const of = projects === undefined ? '' : ` of ${counted(projects, 'project')}`
  const seen = `The list of ${list} answers with ${counted(records, singular(list))}${of}.`
  return findingOf({ check, level: 'ok', seen, means: 'It can be read.', set: null })
}

/** One of a list, which is called after them. */
function singular(list: string): string {
  return list.replace(/s$/, '')
}

interface FilterVerdicts {
  readonly leaves: LeaveFilterVerdict
  readonly timesheets: TimesheetFilterVerdict
}

/** The parameter names that would do better than those that are set, as the setting has them: both filters are named in one. */
export function betterParameters(
  set: ParameterNames,
  { leaves, timesheets }: FilterVerdicts,
): object {
  return withoutDefaults({
    ...set,
    leaves: { ...set.leaves, employee: leaves.betterName ?? set.leaves.employee },
    timesheets: { ...set.timesheets, ...timesheets.better },
  })
}

/** The setting is merged over the defaults, so only what differs has to stand in it. */
function withoutDefaults(parameters: ParameterNames): object {
  const resources = Object.entries(parameters).map(([resource, names]) => {
    const defaults = new Map(Object.entries(defaultsOf(resource)))
    const own = Object.entries(names).filter(([key, name]) => defaults.get(key) !== name)
    return [resource, Object.fromEntries(own)] as const
  })
  return Object.fromEntries(resources.filter(([, names]) => Object.keys(names).length > 0))
}

function defaultsOf(resource: string): object {
  return Object.entries(defaultParameters).find(([key]) => key === resource)?.[1] ?? {}
}
