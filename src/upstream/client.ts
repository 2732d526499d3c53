import type { ConnectionSettings } from '../domain/connection.ts'
import type { Clock, Log, WorkforceApi } from '../domain/ports.ts'
import { invoiceCodec } from '../wire/invoice.ts'
import { leaveCodec } from '../wire/leave.ts'
import { scheduleCodec } from '../wire/schedule.ts'
import { taskCodec } from '../wire/task.ts'
import { timesheetCodec } from '../wire/timesheet.ts'
import { userCodec } from '../wire/user.ts'
import {
  invoiceUrl,
  leavesUrl,
  schedulesUrl,
  tasksUrl,
  timesheetsUrl,
  userUrl,
} from './addresses.ts'
import type { ProxySettings } from './http.ts'
import { createReader } from './reader.ts'
import { createRequester } from './requester.ts'

export type { ProxySettings }

export interface WorkforceClient extends WorkforceApi {
  /** Ends the connections; requests under way are cut off and fail with `upstream_unavailable`. */
  close(): Promise<void>
}

export interface WorkforceClientDeps {
  readonly clock: Clock
  readonly log: Log
  /** From 0 to below 1: the jitter of retries. */
  readonly random?: () => number
  /** The proxies of the environment; none where left out. */
  readonly proxy?: ProxySettings
}

/** The Read API of one connection over HTTP. Besides the errors of `WorkforceApi`, an operation that its caller aborts fails with the signal's reason. */
export function createWorkforceClient(
  settings: ConnectionSettings,
  { clock, log, random = Math.random, proxy = {} }: WorkforceClientDeps,
): WorkforceClient {
  const requester = createRequester(settings, { clock, log, random, proxy })
  const reader = createReader(settings, requester)

  return {
    async listTimesheets(filter, signal) {
      const url = timesheetsUrl(settings, filter)
      return reader.list({ resource: 'timesheets', codec: timesheetCodec, url }, signal)
    },
    async listLeaves(filter, signal) {
      const url = leavesUrl(settings, filter)
      return reader.list({ resource: 'leaves', codec: leaveCodec, url }, signal)
    },
    async listTasks(projectId, signal) {
      const url = tasksUrl(settings, projectId)
      return reader.list({ resource: 'tasks', codec: taskCodec, url }, signal)
    },
    async listSchedules(filter, signal) {
      const url = schedulesUrl(settings, filter)
      return reader.list({ resource: 'schedules', codec: scheduleCodec, url }, signal)
    },
    async getUser(id, signal) {
      return reader.record({ codec: userCodec, url: userUrl(settings, id), id }, signal)
    },
    async getInvoice(id, signal) {
      return reader.record({ codec: invoiceCodec, url: invoiceUrl(settings, id), id }, signal)
    },
    close: () => requester.close(),
  }
}
