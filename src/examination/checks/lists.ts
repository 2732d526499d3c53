import { AppError } from '../../domain/errors.ts'
import { type Finding, findingOf, type ProbeAnswer } from '../../domain/examination.ts'
import type { Leave } from '../../domain/leave.ts'
import type { Answer, ListKind, FilterOf } from '../../domain/read-api.ts'
import type { Schedule } from '../../domain/schedule.ts'
import type { Task } from '../../domain/task.ts'
import type { Timesheet } from '../../domain/timesheet.ts'
import { dayMs } from '../../domain/world.ts'
import { ask, counted, type Inquiry, orFault, type Outcome, succeeded } from '../inquiry.ts'

/** A list as feeds read it, or the reason why it could not be read. */
export type ListAnswer<T> = Outcome<Answer<T>>

/** What every list returned, and what one plain request for each returns. */
export interface ListFacts {
  readonly timesheets: ListAnswer<Timesheet>
  /** Leaves of all people, which feeds never request; undefined if not requested. */
  readonly leaves: ListAnswer<Leave> | undefined
  readonly schedules: ListAnswer<Schedule>
  /** By project. */
  readonly tasks: ReadonlyMap<string, ListAnswer<Task>>
  /** The first few people in timesheets and tasks. */
  readonly userIds: readonly string[]
  /** By user, requested as feeds do. */
  readonly leavesOf: ReadonlyMap<string, ListAnswer<Leave>>
  readonly timesheetsOf: ReadonlyMap<string, ListAnswer<Timesheet>>
  readonly plain: readonly PlainList[]
}

export type Query = Readonly<Record<string, string>>

/** A list's first response, requested without paging. */
export interface PlainList {
  readonly kind: ListKind
  /** `leaves`, `timesheets`, `projects/prj_1/tasks`, … */
  readonly path: string
  readonly query: Query
  readonly outcome: Outcome<ProbeAnswer>
  /** The ids from the same list as feeds read it; undefined if that failed. */
  readonly ids: ReadonlySet<string> | undefined
  /** At least the number of records that did not fit the spec and so are missing from `ids`. */
  readonly setAside: number
}

/** Returns the records of a list; empty if it could not be read. */
export function recordsIn<T>(answer: ListAnswer<T> | undefined): readonly T[] {
  return answer && succeeded(answer) ? answer.records : []
}

/** Returns all leaves from all requests, without duplicates. */
export function allLeaves({ leaves, leavesOf }: ListFacts): readonly Leave[] {
  return distinct([leaves, ...leavesOf.values()])
}

/** Returns all timesheets from all requests, without duplicates. */
export function allTimesheets({ timesheets, timesheetsOf }: ListFacts): readonly Timesheet[] {
  return distinct([timesheets, ...timesheetsOf.values()])
}

export function allTasks({ tasks }: ListFacts): readonly Task[] {
  return [...tasks.values()].flatMap((answer) => recordsIn(answer))
}

function distinct<T extends { readonly id: string }>(
  answers: readonly (ListAnswer<T> | undefined)[],
): readonly T[] {
  const records = answers.flatMap((answer) => recordsIn(answer))
  return [...new Map(records.map((record) => [record.id, record])).values()]
}

/** Whether the list does not exist, as opposed to being unreadable. */
export function isMissing(answer: ListAnswer<unknown> | undefined): boolean {
  return answer instanceof AppError && answer.code === 'upstream_not_found'
}

/** How many users have their own lists read. */
const usersMax = 6
/** For how many projects the tasks are checked for truncation. */
const projectsMax = 3

/** Reads all lists, and those of a few known users. */
export async function askLists(inquiry: Inquiry): Promise<ListFacts> {
  const { connection, signal, guesses } = inquiry
  const { api, company, parameters } = connection
  const [[timesheets, query], leaves, schedules, tasks] = await Promise.all([
    readTimesheets(inquiry),
    guesses ? orFault(api.list('leaves', {}, { signal })) : undefined,
    orFault(api.list('schedules', {}, { signal })),
    byKey(company.projects, (project) => api.list('tasks', { project }, { signal })),
  ])
  const owners = recordsIn(timesheets).map(({ userId }) => userId)
  const assignees = [...tasks.values()]
    .flatMap((answer) => recordsIn(answer))
    .flatMap((task) => task.assignees ?? [])
  const userIds = [...new Set([...owners, ...assignees.map(({ id }) => id)])].slice(0, usersMax)
  const leavesOf = await byKey(parameters.leaves.employee === null ? [] : userIds, (employee) =>
    api.list('leaves', { employee }, { signal }),
  )
  const timesheetsOf = await byKey(userIds, (employee) =>
    api.list('timesheets', { employee, ...boundsFor(inquiry) }, { signal }),
  )
  const longestTasks = [...tasks]
    .toSorted(([, one], [, other]) => recordsIn(other).length - recordsIn(one).length)
    .slice(0, projectsMax)
  const plain = await Promise.all([
    ...(leaves ? [plainList(inquiry, 'leaves', 'leaves', leaves)] : []),
    plainList(inquiry, 'timesheets', 'timesheets', timesheets, query),
    plainList(inquiry, 'schedules', 'schedules', schedules),
    ...longestTasks.map(([id, answer]) =>
      plainList(inquiry, 'tasks', `projects/${encodeURIComponent(id)}/tasks`, answer),
    ),
  ])
  return { timesheets, leaves, schedules, tasks, userIds, leavesOf, timesheetsOf, plain }
}

/** Recent ones, since a large company has too many. If there are none and a person waits for the result, all. */
async function readTimesheets(inquiry: Inquiry): Promise<[ListAnswer<Timesheet>, Query]> {
  const { connection, signal, guesses } = inquiry
  const list = (bounds: object): Promise<ListAnswer<Timesheet>> =>
    orFault(connection.api.list('timesheets', bounds, { signal }))
  const recent = await list(boundsFor(inquiry))
  const isEnough = recordsIn(recent).length > 0 || !guesses
  return isEnough ? [recent, boundsQuery(inquiry)] : [await list({}), {}]
}

async function byKey<T>(
  keys: readonly string[],
  read: (key: string) => Promise<Answer<T>>,
): Promise<ReadonlyMap<string, ListAnswer<T>>> {
  const entries = keys.map(async (key) => [key, await orFault(read(key))] as const)
  return new Map(await Promise.all(entries))
}

async function plainList(
  inquiry: Inquiry,
  kind: ListKind,
  path: string,
  answer: ListAnswer<{ readonly id: string }>,
  query: Query = {},
): Promise<PlainList> {
  const asked = { kind, path, query, outcome: await ask(inquiry, { path, query }) }
  if (!succeeded(answer)) return { ...asked, ids: undefined, setAside: 0 }
  const ids = new Set(answer.records.map(({ id }) => id))
  const setAside = answer.faults.reduce((sum, { count }) => sum + count, 0)
  return { ...asked, ids, setAside }
}

/** Any current monthly period lies within this many days of today. */
const boundsDays = 45

/** Returns the bounds within which timesheets are examined. */
export function boundsFor({ now }: Inquiry): Required<Pick<FilterOf<'timesheets'>, 'from' | 'to'>> {
  const today = Math.floor(now / dayMs) * dayMs
  return { from: today - boundsDays * dayMs, to: today + boundsDays * dayMs }
}

/** Returns the bounds as query parameters. */
export function boundsQuery(inquiry: Inquiry): Query {
  const { timesheets: names } = inquiry.connection.parameters
  const { from, to } = boundsFor(inquiry)
  return {
    ...(names.from !== null && { [names.from]: new Date(from).toISOString() }),
    ...(names.to !== null && { [names.to]: new Date(to).toISOString() }),
  }
}

interface AnswersOfList {
  /** The list in one piece; undefined if not requested. */
  readonly whole: ListAnswer<unknown> | undefined
  /** The list by person or project. */
  readonly parts: readonly ListAnswer<unknown>[]
}

/** Returns everything that was returned, by list. */
export function answersOf(lists: ListFacts): Readonly<Record<ListKind, AnswersOfList>> {
  const { timesheets, leaves, schedules, tasks, timesheetsOf, leavesOf } = lists
  return {
    timesheets: { whole: timesheets, parts: [...timesheetsOf.values()] },
    leaves: { whole: leaves, parts: [...leavesOf.values()] },
    schedules: { whole: schedules, parts: [] },
    tasks: { whole: undefined, parts: [...tasks.values()] },
  }
}

/**
 * Checks whether each list operation returns `{data: […]}`. One successful request is enough, but tasks must be readable
 * for every project.
 */
export function checkLists(lists: ListFacts): readonly Finding[] {
  const { tasks, ...others } = answersOf(lists)
  const ofTasks = tasks.parts.filter((answer) => !isMissing(answer))
  const faultOfTasks = ofTasks.find((answer) => answer instanceof AppError)
  return [
    ...Object.entries(others).flatMap(([list, { whole, parts }]) => {
      const answers = [...(whole ? [whole] : []), ...parts]
      return answers.length > 0 ? [checkList(list, answers)] : []
    }),
    ...(faultOfTasks ? [unreadable('tasks', faultOfTasks)] : []),
    ...(ofTasks.length > 0 && !faultOfTasks
      ? [readable('tasks', allTasks(lists).length, ` of ${counted(ofTasks.length, 'project')}`)]
      : []),
  ]
}

function checkList(list: string, answers: readonly ListAnswer<unknown>[]): Finding {
  const fault = answers.find((answer) => answer instanceof AppError)
  const sizes = answers.filter(succeeded).map(({ records }) => records.length)
  return sizes.length === 0 && fault ? unreadable(list, fault) : readable(list, Math.max(...sizes))
}

function readable(list: string, records: number, of = ''): Finding {
  const seen = `The list of ${list} answers with ${counted(records, list.replace(/s$/, ''))}${of}.`
  return findingOf({ check: `list-${list}`, level: 'ok', seen, means: 'It can be read.' })
}

function unreadable(list: string, { message: seen }: AppError): Finding {
  const means = `Calendars that show ${list} are not served, or show them as last read.`
  return findingOf({ check: `list-${list}`, level: 'wrong', seen, means })
}
