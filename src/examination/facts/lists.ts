import type { Answer } from '../../domain/read-api.ts'
import type { Task } from '../../domain/task.ts'
import {
  type ListAnswer,
  type ListFacts,
  type PlainList,
  recordsIn,
} from '../verdicts/list-facts.ts'
import { succeeded } from '../verdicts/outcomes.ts'
import { ask, type Inquiry, orFault } from './inquiry.ts'
import { boundsFor, boundsQuery } from './timesheet-bounds.ts'

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
