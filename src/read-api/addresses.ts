import type { ConnectionSettings } from '../domain/connection.ts'
import { AppError } from '../domain/errors.ts'
import type {
  LeaveFilter,
  ScheduleFilter,
  TaskFilter,
  TimesheetFilter,
} from '../domain/read-api.ts'

type Query = readonly (readonly [name: string | null, value: string | undefined])[]

/** Where the timesheets of that filter are. */
export function timesheetsUrl(
  { baseUrl, parameters: { timesheets: names } }: ConnectionSettings,
  filter: TimesheetFilter,
): URL {
  return address(baseUrl, 'timesheets', [
    [names.employee, filter.employee],
    [names.status, filter.status],
    [names.from, timestamp(filter.from)],
    [names.to, timestamp(filter.to)],
  ])
}

/** Where the leaves of that filter are. */
export function leavesUrl(
  { baseUrl, parameters: { leaves: names } }: ConnectionSettings,
  filter: LeaveFilter,
): URL {
  return address(baseUrl, 'leaves', [
    [names.employee, filter.employee],
    [names.status, filter.status],
  ])
}

/** Where the schedules of that filter are. */
export function schedulesUrl(
  { baseUrl, parameters: { schedules: names } }: ConnectionSettings,
  filter: ScheduleFilter,
): URL {
  return address(baseUrl, 'schedules', [
    [names.type, filter.type],
    [names.active, filter.active?.toString()],
  ])
}

/** Where the project's tasks are; `upstream_not_found` for an id that no path can carry. */
export function tasksUrl({ baseUrl }: ConnectionSettings, { project }: TaskFilter): URL {
  return address(baseUrl, `projects/${segment(project, 'project')}/tasks`)
}

/** Where that user is; `upstream_not_found` for an id that no path can carry. */
export function userUrl({ baseUrl }: ConnectionSettings, id: string): URL {
  return address(baseUrl, `users/${segment(id, 'user')}`)
}

/** Where that invoice is; `upstream_not_found` for an id that no path can carry. */
export function invoiceUrl({ baseUrl }: ConnectionSettings, id: string): URL {
  return address(baseUrl, `invoices/${segment(id, 'invoice')}`)
}

function address(baseUrl: string, path: string, query: Query = []): URL {
  const url = new URL(`${baseUrl}/api/public/v1/${path}`)
  for (const [name, value] of query) {
    if (name !== null && value !== undefined) url.searchParams.append(name, value)
  }
  return url
}

function timestamp(instant: number | undefined): string | undefined {
  return instant === undefined ? undefined : new Date(instant).toISOString()
}

// URL parsers take `.` and `..` out of a path even when percent-encoded, and would ask for something else.
function segment(id: string, noun: string): string {
  if (id === '' || id === '.' || id === '..' || !id.isWellFormed()) {
    throw new AppError('upstream_not_found', `No ${noun} can have the id ${JSON.stringify(id)}.`)
  }
  return encodeURIComponent(id)
}
