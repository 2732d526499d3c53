/* The six operations of the Read API: what each is called, by what its list is filtered, and in what order it comes. */
import { leaveStatuses } from '../domain/leave.ts'
import { scheduleTypes } from '../domain/schedule.ts'
import { timesheetStatuses } from '../domain/timesheet.ts'

export const basePath = '/api/public/v1'

/** How the value of a filter is written. */
export type FilterValue = 'identifier' | 'date' | 'flag' | readonly string[]

/** A filter of a list, by the key that `WORKFORCE_PARAMS` has for it. */
export interface Filter {
  readonly value: FilterValue
  /** What it compares. */
  readonly column: string
  /** What the spec calls it, and what it lets pass. */
  readonly meaning: string
}

/** One operation; its id is the OpenAPI `operationId`. */
export interface Operation {
  readonly id: OperationId
  /** Of what it answers, or lists. */
  readonly recordName: RecordName
  /** Below the base path, as OpenAPI writes it. */
  readonly path: string
  readonly summary: string
  readonly description: string
}

export interface ListOperation extends Operation {
  readonly list: ListName
  /** By the keys of `WORKFORCE_PARAMS`. */
  readonly filters: Readonly<Record<string, Filter>>
  /** In which order its records come. */
  readonly order: string
}

export interface RecordOperation extends Operation {
  readonly record: 'users' | 'invoices'
}

export type ListName = 'timesheets' | 'leaves' | 'tasks' | 'schedules'

type RecordName = 'Timesheet' | 'Invoice' | 'User' | 'Leave' | 'Task' | 'Schedule'

export type OperationId =
  | 'listTimesheets'
  | 'getInvoice'
  | 'getUser'
  | 'listLeaves'
  | 'listTasksForProject'
  | 'listSchedules'

const employee = (noun: string): Filter => ({
  value: 'identifier',
  column: 'user_id',
  meaning: `only ${noun} of the user with this user id`,
})

const status = (noun: string, values: readonly string[]): Filter => ({
  value: values,
  column: 'status',
  meaning: `only ${noun} with this approval status`,
})

const loaded = 'in the order in which they were loaded; what is added later comes last'

export const listOperations: Readonly<Record<ListName, ListOperation>> = {
  timesheets: {
    id: 'listTimesheets',
    recordName: 'Timesheet',
    path: '/timesheets',
    summary: 'List timesheets',
    description: 'The timesheets of the caller’s company, with their entries.',
    list: 'timesheets',
    filters: {
      employee: employee('timesheets'),
      status: status('timesheets', timesheetStatuses),
      from: {
        value: 'date',
        column: 'period_start',
        meaning: 'only timesheets whose periodStart is greater than or equal to this ISO 8601 date',
      },
      to: {
        value: 'date',
        column: 'period_end',
        meaning: 'only timesheets whose periodEnd is less than or equal to this ISO 8601 date',
      },
    },
    order: `by periodStart, those of the same ${loaded}`,
  },
  leaves: {
    id: 'listLeaves',
    recordName: 'Leave',
    path: '/leaves',
    summary: 'List leaves',
    description:
      'The leaves (time-off requests) of the caller’s company. A leave does not name its employee; ask for one employee at a time.',
    list: 'leaves',
    filters: { employee: employee('leaves'), status: status('leaves', leaveStatuses) },
    order: loaded,
  },
  tasks: {
    id: 'listTasksForProject',
    recordName: 'Task',
    path: '/projects/{id}/tasks',
    summary: 'List tasks for project',
    description: 'All tasks of a project that are not archived.',
    list: 'tasks',
    filters: {},
    order: loaded,
  },
  schedules: {
    id: 'listSchedules',
    recordName: 'Schedule',
    path: '/schedules',
    summary: 'List schedules',
    description:
      'The work schedules of the caller’s company: the active ones, unless others are asked for.',
    list: 'schedules',
    filters: {
      type: {
        value: scheduleTypes,
        column: 'type',
        meaning: 'only schedules of this type',
      },
      active: {
        value: 'flag',
        column: 'active',
        meaning: 'active versus inactive schedules; defaults to true when omitted',
      },
    },
    order: loaded,
  },
}

const recordOperations: Readonly<Record<RecordOperation['record'], RecordOperation>> = {
  invoices: {
    id: 'getInvoice',
    recordName: 'Invoice',
    path: '/invoices/{id}',
    summary: 'Get invoice',
    description: 'One invoice with its full breakdown into line items.',
    record: 'invoices',
  },
  users: {
    id: 'getUser',
    recordName: 'User',
    path: '/users/{id}',
    summary: 'Get user',
    description: 'One user, with the manager relationship expanded into assignedManager.',
    record: 'users',
  },
}

export type AnyOperation = ListOperation | RecordOperation

/** In the order in which the spec has them. */
export const operations: readonly AnyOperation[] = [
  listOperations.timesheets,
  recordOperations.invoices,
  recordOperations.users,
  listOperations.leaves,
  listOperations.tasks,
  listOperations.schedules,
]
