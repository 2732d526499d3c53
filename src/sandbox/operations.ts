/* The six operations of the Read API: their names, filters and order. */
import type { z } from 'zod'

import { leaveStatuses } from '../domain/leave.ts'
import { scheduleTypes } from '../domain/schedule.ts'
import { timesheetStatuses } from '../domain/timesheet.ts'
import { invoiceCodec } from '../wire/invoice.ts'
import { leaveCodec } from '../wire/leave.ts'
import { scheduleCodec } from '../wire/schedule.ts'
import { taskCodec } from '../wire/task.ts'
import { timesheetCodec } from '../wire/timesheet.ts'
import { userCodec } from '../wire/user.ts'

export const basePath = '/api/public/v1'

/** The type of a filter's value; an array lists the allowed words. */
export type FilterValue = 'identifier' | 'date' | 'flag' | readonly string[]

/** A filter of a list, keyed as in `WORKFORCE_PARAMS`. */
export interface Filter {
  readonly value: FilterValue
  readonly column: string
  /** Which records it selects, in the words of the spec. */
  readonly meaning: string
}

/** An operation; its id is the OpenAPI `operationId`. */
export interface Operation {
  readonly id: OperationId
  readonly answers: {
    readonly name: string
    readonly codec: z.core.$ZodType
    readonly meaning: string
  }
  /** Below the base path, in OpenAPI syntax. */
  readonly path: string
  readonly summary: string
  readonly description: string
}

export interface ListOperation extends Operation {
  readonly list: ListName
  /** Keyed as in `WORKFORCE_PARAMS`. */
  readonly filters: Readonly<Record<string, Filter>>
  /** The sort order in words, for the documentation. */
  readonly order: string
  /** The sort column; ties are sorted by `position`. */
  readonly sortedBy: string
}

export interface RecordOperation extends Operation {
  readonly record: 'users' | 'invoices'
}

export type ListName = 'timesheets' | 'leaves' | 'tasks' | 'schedules'

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
    answers: {
      name: 'Timesheet',
      codec: timesheetCodec,
      meaning: 'What one employee worked in one period.',
    },
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
    sortedBy: 'period_start',
  },
  leaves: {
    id: 'listLeaves',
    answers: {
      name: 'Leave',
      codec: leaveCodec,
      meaning: 'A time-off request. It does not name its employee.',
    },
    path: '/leaves',
    summary: 'List leaves',
    description:
      'The leaves (time-off requests) of the caller’s company. A leave does not name its employee; ask for one employee at a time.',
    list: 'leaves',
    filters: { employee: employee('leaves'), status: status('leaves', leaveStatuses) },
    order: loaded,
    sortedBy: 'position',
  },
  tasks: {
    id: 'listTasksForProject',
    answers: { name: 'Task', codec: taskCodec, meaning: 'Something to do in a project.' },
    path: '/projects/{id}/tasks',
    summary: 'List tasks for project',
    description: 'All tasks of a project that are not archived.',
    list: 'tasks',
    filters: {},
    order: loaded,
    sortedBy: 'position',
  },
  schedules: {
    id: 'listSchedules',
    answers: { name: 'Schedule', codec: scheduleCodec, meaning: 'A weekly work schedule.' },
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
    sortedBy: 'position',
  },
}

const recordOperations: Readonly<Record<RecordOperation['record'], RecordOperation>> = {
  invoices: {
    id: 'getInvoice',
    answers: {
      name: 'Invoice',
      codec: invoiceCodec,
      meaning: 'An invoice with its full breakdown.',
    },
    path: '/invoices/{id}',
    summary: 'Get invoice',
    description: 'One invoice with its full breakdown into line items.',
    record: 'invoices',
  },
  users: {
    id: 'getUser',
    answers: { name: 'User', codec: userCodec, meaning: 'A person who works for the company.' },
    path: '/users/{id}',
    summary: 'Get user',
    description: 'One user, with the manager relationship expanded into assignedManager.',
    record: 'users',
  },
}

export type AnyOperation = ListOperation | RecordOperation

/** In the order of the specification. */
export const operations: readonly AnyOperation[] = [
  listOperations.timesheets,
  recordOperations.invoices,
  recordOperations.users,
  listOperations.leaves,
  listOperations.tasks,
  listOperations.schedules,
]
