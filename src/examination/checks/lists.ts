import { AppError } from '../../domain/errors.ts'
import { type Finding, findingOf, type ProbeAnswer } from '../../domain/examination.ts'
import type { Leave } from '../../domain/leave.ts'
import type { Answer, ListKind, FilterOf } from '../../domain/read-api.ts'
import type { Schedule } from '../../domain/schedule.ts'
import type { Task } from '../../domain/task.ts'
import type { Timesheet } from '../../domain/timesheet.ts'
import { dayMs } from '../../domain/world.ts'
import { ask, counted, type Inquiry, orFault, type Outcome, succeeded } from '../inquiry.ts'

/** What a list brought, read as feeds read it, or why it brought nothing. */
export type ListAnswer<T> = Outcome<Answer<T>>

/** What every list brought, and what one plain request for each brings. */
export interface ListFacts {
  readonly timesheets: ListAnswer<Timesheet>
  /** Everybody's, for which no feed asks; undefined where they were not asked for. */
  readonly leaves: ListAnswer<Leave> | undefined
  readonly schedules: ListAnswer<Schedule>
  /** By project. */
  readonly tasks: ReadonlyMap<string, ListAnswer<Task>>
  /** The first few people of timesheets and tasks. */
  readonly userIds: readonly string[]
  /** By user, asked for as feeds ask. */
  readonly leavesOf: ReadonlyMap<string, ListAnswer<Leave>>
  readonly timesheetsOf: ReadonlyMap<string, ListAnswer<Timesheet>>
  readonly plain: readonly PlainList[]
}

export type Query = Readonly<Record<string, string>>

/** A list's first answer, asked for without paging. */
export interface PlainList {
  readonly kind: ListKind
  /** `leaves`, `timesheets`, `projects/prj_1/tasks`, … */
  readonly path: string
  readonly query: Query
  readonly outcome: Outcome<ProbeAnswer>
  /** The ids that were read from the same list as feeds read it; undefined where that failed. */
  readonly ids: ReadonlySet<string> | undefined
  /** At least as many records as did not fit the spec and so are not among the ids. */
  readonly setAside: number
}

/** The records of a list, none where it could not be read. */
export function recordsIn<T>(answer: ListAnswer<T> | undefined): readonly T[] {
  return answer && succeeded(answer) ? answer.records : []
}

/** Every leave that came by any way of asking, once. */
export function allLeaves({ leaves, leavesOf }: ListFacts): readonly Leave[] {
  return distinct([leaves, ...leavesOf.values()])
}

/** Every timesheet that came by any way of asking, once. */
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

/** Whether the list does not exist, as opposed to one that cannot be read. */
export function isMissing(answer: ListAnswer<unknown> | undefined): boolean {
  return answer instanceof AppError && answer.code === 'upstream_not_found'
}

/** How many users' own lists are read. */
const usersMax = 6
/** How many projects' tasks are looked at for signs of being cut. */
const projectsMax = 3

/** Reads every list there is, and those of a few known users. */
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

/** Recent ones, since all of a large company's would be too many; all where that brings none and a person waits for it. */
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

/** Any monthly period lies within these days before and after today. */
const boundsDays = 45

/** The bounds within which timesheets are examined. */
export function boundsFor({ now }: Inquiry): Required<Pick<FilterOf<'timesheets'>, 'from' | 'to'>> {
  const today = Math.floor(now / dayMs) * dayMs
  return { from: today - boundsDays * dayMs, to: today + boundsDays * dayMs }
}

/** The bounds as the query that asks for them. */
export function boundsQuery(inquiry: Inquiry): Query {
  const { timesheets: names } = inquiry.connection.parameters
  const { from, to } = boundsFor(inquiry)
  return {
    ...(names.from !== null && { [names.from]: new Date(from).toISOString() }),
    ...(names.to !== null && { [names.to]: new Date(to).toISOString() }),
  }
}

interface AnswersOfList {
  /** As it came in one piece; undefined where it was not asked for. */
  readonly whole: ListAnswer<unknown> | undefined
  /** As it came by person or project. */
  readonly parts: readonly ListAnswer<unknown>[]
}

/** By list, everything that came, by any way of asking. */
export function answersOf(lists: ListFacts): Readonly<Record<ListKind, AnswersOfList>> {
  const { timesheets, leaves, schedules, tasks, timesheetsOf, leavesOf } = lists
  return {
    timesheets: { whole: timesheets, parts: [...timesheetsOf.values()] },
    leaves: { whole: leaves, parts: [...leavesOf.values()] },
    schedules: { whole: schedules, parts: [] },
    tasks: { whole: undefined, parts: [...tasks.values()] },
  }
}

/** Whether each list operation answers `{data: […]}`: it does if any way of asking brings that; of tasks every project counts. */
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
