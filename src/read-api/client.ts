import type { z } from 'zod'

import type { ConnectionSettings } from '../domain/connection.ts'
import type { RecordOf } from '../domain/kinds.ts'
import type { FilterOf, ListKind, ReadApi, SingleKind } from '../domain/read-api.ts'
import type { Clock, Log } from '../domain/world.ts'
import type { ProxySettings } from '../transport/http.ts'
import { createRequester } from '../transport/requester.ts'
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
import { createReader } from './reader.ts'

export type { ProxySettings }

export interface ReadApiClient extends ReadApi {
  /** Ends the connections; requests under way are cut off and fail with `upstream_unavailable`. */
  close(): Promise<void>
}

export interface ReadApiClientDeps {
  readonly clock: Clock
  readonly log: Log
  /** From 0 to below 1: the jitter of retries. */
  readonly random?: () => number
  /** The proxies of the environment; none where left out. */
  readonly proxy?: ProxySettings
}

/** The Read API of one connection over HTTP. Besides the errors of `ReadApi`, an operation that its caller aborts fails with the signal's reason. */
export function createReadApiClient(
  settings: ConnectionSettings,
  { clock, log, random = Math.random, proxy = {} }: ReadApiClientDeps,
): ReadApiClient {
  const requester = createRequester(settings, { clock, log, random, proxy })
  const reader = createReader(settings, requester)

  return {
    async list(kind, filter, signal) {
      const { codec, url } = listOf(kind)
      return reader.list({ resource: kind, codec, url: url(settings, filter) }, signal)
    },
    async get(kind, id, signal) {
      const { codec, url } = recordOf(kind)
      return reader.record({ codec, url: url(settings, id), id }, signal)
    },
    close: () => requester.close(),
  }
}

interface ListOperation<K extends ListKind> {
  readonly codec: z.ZodType<RecordOf[K]>
  readonly url: (settings: ConnectionSettings, filter: FilterOf<K>) => URL
}

interface RecordOperation<K extends SingleKind> {
  readonly codec: z.ZodType<RecordOf[K]>
  readonly url: (settings: ConnectionSettings, id: string) => URL
}

const lists: { readonly [K in ListKind]: ListOperation<K> } = {
  timesheets: { codec: timesheetCodec, url: timesheetsUrl },
  leaves: { codec: leaveCodec, url: leavesUrl },
  tasks: { codec: taskCodec, url: tasksUrl },
  schedules: { codec: scheduleCodec, url: schedulesUrl },
}

const records: { readonly [K in SingleKind]: RecordOperation<K> } = {
  user: { codec: userCodec, url: userUrl },
  invoice: { codec: invoiceCodec, url: invoiceUrl },
}

function listOf<K extends ListKind>(kind: K): ListOperation<K> {
  return lists[kind]
}

function recordOf<K extends SingleKind>(kind: K): RecordOperation<K> {
  return records[kind]
}
