import { AppError } from '../domain/errors.ts'
import type { ProbeAnswer } from '../domain/examination.ts'
import type { Leave } from '../domain/leave.ts'
import type { Answer, TimesheetFilter } from '../domain/read-api.ts'
import type { Schedule } from '../domain/schedule.ts'
import type { Task } from '../domain/task.ts'
import type { Timesheet } from '../domain/timesheet.ts'
import { ask, type Examining, orFault } from './examining.ts'

const dayMs = 86_400_000
/** Any monthly period lies within so many days before or after today. */
const boundsDays = 45
/** How many of the known users are asked for one by one. */
const usersMax = 6
/** How many projects' tasks are looked at for signs of being cut. */
const projectsMax = 3

export type Reading<T> = Answer<T> | AppError

/** What the lists brought, read as feeds read them, and what one plain request for each brings. */
export interface Readings {
  readonly timesheets: Reading<Timesheet>
  readonly leaves: Reading<Leave>
  readonly schedules: Reading<Schedule>
  /** By project. */
  readonly tasks: ReadonlyMap<string, Reading<Task>>
  /** Of timesheets and tasks: some of the people there are, the first few. */
  readonly userIds: readonly string[]
  /** By user, asked for as feeds ask. */
  readonly leavesOf: ReadonlyMap<string, Reading<Leave>>
  readonly timesheetsOf: ReadonlyMap<string, Reading<Timesheet>>
  readonly plain: readonly PlainList[]
}

/** A list's first answer, without any page being asked for. */
export interface PlainList {
  /** `leaves`, `timesheets`, `projects/prj_1/tasks`, … */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly answer: ProbeAnswer | AppError
  /** The ids that were read from the same list as feeds read it; undefined where that failed. */
  readonly ids: ReadonlySet<string> | undefined
  /** At least as many records as did not fit the spec and hence are not among the ids. */
  readonly setAside: number
}

/** Reads every list there is, and those of a few known users. */
export async function gather(examining: Examining): Promise<Readings> {
  const { connection, signal } = examining
  const { api, company, parameters } = connection
  const [recent, leaves, schedules, tasks] = await Promise.all([
    readTimesheets(examining),
    orFault(api.list('leaves', {}, signal)),
    orFault(api.list('schedules', {}, signal)),
    byKey(company.projects, (id) => api.list('tasks', { project: id }, signal)),
  ])
  const { timesheets } = recent
  const userIds = knownUsers(recordsIn(timesheets), [...tasks.values()].flatMap(recordsIn))
  const leavesOf = await byKey(parameters.leaves.employee === null ? [] : userIds, (employee) =>
    api.list('leaves', { employee }, signal),
  )
  const bounds = boundsFor(examining)
  const timesheetsOf = await byKey(userIds, (employee) =>
    api.list('timesheets', { employee, ...bounds }, signal),
  )
  const plain = await Promise.all([
    plainList(examining, 'leaves', leaves),
    plainList(examining, 'timesheets', timesheets, recent.query),
    plainList(examining, 'schedules', schedules),
    ...longest(tasks).map(([id, reading]) =>
      plainList(examining, `projects/${encodeURIComponent(id)}/tasks`, reading),
    ),
  ])
  return { timesheets, leaves, schedules, tasks, userIds, leavesOf, timesheetsOf, plain }
}

/** The records of a reading, none where it failed. */
export function recordsIn<T>(reading: Reading<T> | undefined): readonly T[] {
  return reading === undefined || reading instanceof AppError ? [] : reading.records
}

/** Every leave that came by any way of asking, once. */
export function allLeaves({ leaves, leavesOf }: Readings): readonly Leave[] {
  return distinct([leaves, ...leavesOf.values()])
}

/** Every timesheet that came by any way of asking, once. */
export function allTimesheets({ timesheets, timesheetsOf }: Readings): readonly Timesheet[] {
  return distinct([timesheets, ...timesheetsOf.values()])
}

function distinct<T extends { readonly id: string }>(
  readings: readonly Reading<T>[],
): readonly T[] {
  const records = readings.flatMap((reading) => recordsIn(reading))
  return [...new Map(records.map((record) => [record.id, record])).values()]
}

interface AskedTimesheets {
  readonly timesheets: Reading<Timesheet>
  readonly query: Readonly<Record<string, string>>
}

/** Recent timesheets, since all of a large company's would be too many; all where that brings none. */
async function readTimesheets(examining: Examining): Promise<AskedTimesheets> {
  const { api } = examining.connection
  const recent = await orFault(api.list('timesheets', boundsFor(examining), examining.signal))
  if (recordsIn(recent).length > 0) {
    return { timesheets: recent, query: boundsQuery(examining) }
  }
  return { timesheets: await orFault(api.list('timesheets', {}, examining.signal)), query: {} }
}

/** The bounds as the query that asks for them. */
export function boundsQuery(examining: Examining): Readonly<Record<string, string>> {
  const { timesheets: names } = examining.connection.parameters
  const { from, to } = boundsFor(examining)
  return {
    ...(names.from === null ? {} : { [names.from]: new Date(from).toISOString() }),
    ...(names.to === null ? {} : { [names.to]: new Date(to).toISOString() }),
  }
}

/** The bounds within which timesheets are examined. */
export function boundsFor({ now }: Examining): Required<Pick<TimesheetFilter, 'from' | 'to'>> {
  const today = Math.floor(now / dayMs) * dayMs
  return { from: today - boundsDays * dayMs, to: today + boundsDays * dayMs }
}

function knownUsers(timesheets: readonly Timesheet[], tasks: readonly Task[]): readonly string[] {
  const assignees = tasks.flatMap(({ assignees: some }) => some ?? [])
  const ids = [...timesheets.map(({ userId }) => userId), ...assignees.map(({ id }) => id)]
  return [...new Set(ids)].slice(0, usersMax)
}

async function byKey<T>(
  keys: readonly string[],
  read: (key: string) => Promise<Answer<T>>,
): Promise<ReadonlyMap<string, Reading<T>>> {
  const entries = keys.map(async (key) => [key, await orFault(read(key))] as const)
  return new Map(await Promise.all(entries))
}

function longest(tasks: Readings['tasks']): readonly (readonly [string, Reading<Task>])[] {
  const size = (reading: Reading<Task>): number => recordsIn(reading).length
  return [...tasks].toSorted(([, one], [, other]) => size(other) - size(one)).slice(0, projectsMax)
}

async function plainList(
  examining: Examining,
  path: string,
  reading: Reading<{ readonly id: string }>,
  query: PlainList['query'] = {},
): Promise<PlainList> {
  const answer = await ask(examining, { path, query })
  if (reading instanceof AppError) return { path, query, answer, ids: undefined, setAside: 0 }
  const ids = new Set(reading.records.map(({ id }) => id))
  const setAside = reading.faults.reduce((sum, { count }) => sum + count, 0)
  return { path, query, answer, ids, setAside }
}
