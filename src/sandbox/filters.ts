import type { Request } from 'express'

import { AppError } from '../domain/errors.ts'
import type { Instant } from '../domain/world.ts'
import { isIdentifier } from '../wire/fields.ts'

/** The values that the spec lists for the fields that are filtered by. */
export const leaveStatuses = ['PENDING', 'APPROVED', 'REJECTED', 'CANCELLED']
export const timesheetStatuses = ['DRAFT', 'SUBMITTED', 'APPROVED', 'REJECTED']
export const scheduleTypes = ['FIXED', 'FLEXIBLE', 'ROTATING']

/** What is undefined does not filter. */
export interface LeaveQuery {
  readonly employee: string | undefined
  readonly status: string | undefined
}

/** Both bounds are included. */
export interface TimesheetQuery extends LeaveQuery {
  readonly from: Instant | undefined
  readonly to: Instant | undefined
}

export interface ScheduleQuery {
  readonly type: string | undefined
  readonly active: boolean
}

type Parameters = Request['query']

/** `invalid` for a value that cannot be meant; parameters of other names are ignored. */
export function readLeaveQuery(parameters: Parameters): LeaveQuery {
  return {
    employee: readIdentifier(parameters, 'userId'),
    status: readChoice(parameters, 'status', leaveStatuses),
  }
}

/** `invalid` for a value that cannot be meant; parameters of other names are ignored. */
export function readTimesheetQuery(parameters: Parameters): TimesheetQuery {
  return {
    employee: readIdentifier(parameters, 'userId'),
    status: readChoice(parameters, 'status', timesheetStatuses),
    from: readDate(parameters, 'startDate'),
    to: readDate(parameters, 'endDate'),
  }
}

/** Only active schedules unless asked for the others; `invalid` for a value that cannot be meant. */
export function readScheduleQuery(parameters: Parameters): ScheduleQuery {
  return {
    type: readChoice(parameters, 'type', scheduleTypes),
    active: readChoice(parameters, 'isActive', ['true', 'false']) !== 'false',
  }
}

function readIdentifier(parameters: Parameters, name: string): string | undefined {
  const value = readText(parameters, name)
  if (value === undefined || isIdentifier(value)) return value
  throw new AppError('invalid', `The filter ${name} is an identifier of at most 256 characters.`)
}

function readText(parameters: Parameters, name: string): string | undefined {
  const value = parameters[name]
  if (value === undefined) return undefined
  if (typeof value === 'string' && value !== '') return value
  throw new AppError('invalid', `The filter ${name} takes one value.`)
}

function readChoice(
  parameters: Parameters,
  name: string,
  choices: readonly string[],
): string | undefined {
  const value = readText(parameters, name)
  if (value === undefined || choices.includes(value)) return value
  throw new AppError('invalid', `The filter ${name} is one of ${choices.join(', ')}.`)
}

/** A date alone is its midnight in UTC, as the spec's timestamps are. */
const isoDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/

function readDate(parameters: Parameters, name: string): Instant | undefined {
  const value = readText(parameters, name)
  if (value === undefined) return undefined
  const instant = isoDate.test(value) ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(instant)) return instant
  throw new AppError(
    'invalid',
    `The filter ${name} is an ISO 8601 date, such as 2026-01-05 or 2026-01-05T00:00:00.000Z.`,
  )
}
