import type { Leave } from '../../domain/leave.ts'
import type { Answer } from '../../domain/read-api.ts'
import type { Schedule } from '../../domain/schedule.ts'
import type { Task } from '../../domain/task.ts'
import type { Timesheet } from '../../domain/timesheet.ts'
import { type Outcome, type ProbeOutcome, succeeded } from '../advice.ts'

/** What a list brought, read as feeds read it, or why it brought nothing. */
export type ListAnswer<T> = Outcome<Answer<T>>

/** What every list brought, and what one plain request for each brings. */
export interface ListFacts {
  readonly timesheets: ListAnswer<Timesheet>
  /** undefined where nobody asked for everybody's: no feed ever does. */
  readonly leaves: ListAnswer<Leave> | undefined
  readonly schedules: ListAnswer<Schedule>
  /** By project. */
  readonly tasks: ReadonlyMap<string, ListAnswer<Task>>
  /** Of timesheets and tasks: some of the people there are, the first few. */
  readonly userIds: readonly string[]
  /** By user, asked for as feeds ask. */
  readonly leavesOf: ReadonlyMap<string, ListAnswer<Leave>>
  readonly timesheetsOf: ReadonlyMap<string, ListAnswer<Timesheet>>
  readonly plain: readonly PlainList[]
}

/** A list's first answer, without any page being asked for. */
export interface PlainList {
  /** `leaves`, `timesheets`, `projects/prj_1/tasks`, … */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly outcome: ProbeOutcome
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

function distinct<T extends { readonly id: string }>(
  answers: readonly (ListAnswer<T> | undefined)[],
): readonly T[] {
  const records = answers.flatMap((answer) => recordsIn(answer))
  return [...new Map(records.map((record) => [record.id, record])).values()]
}

/** Names by which other programs call the employee in a query, the likeliest first. */
const employeeNames = [
  'userId',
  'employeeId',
  'employee',
  'user',
  'user_id',
  'employee_id',
  'userID',
  'employeeID',
  'assigneeId',
  'uid',
  'memberId',
  'personId',
  'staffId',
  'workerId',
  'ownerId',
  'requesterId',
  'filter[userId]',
  'filter[employeeId]',
  'filter[employee]',
  'filter[user]',
] as const

/** Names by which the employee may be called instead of the one that is set, the likeliest first. */
export function otherEmployeeNames({
  employee,
}: {
  readonly employee: string | null
}): readonly string[] {
  return employeeNames.filter((name) => name !== employee)
}
