import type { ConnectionSettings, ParameterNames, ProxySettings } from '../domain/connection.ts'
import { AppError } from '../domain/errors.ts'
import type { RecordOf } from '../domain/kinds.ts'
import {
  apiPrefix,
  type FilterOf,
  type ListKind,
  type ReadApi,
  type SingleKind,
} from '../domain/read-api.ts'
import type { Clock, Instant, Log } from '../domain/world.ts'
import { Connections } from '../transport/attempts.ts'
import { KeptAnswers } from '../transport/exchange.ts'
import { LargeAnswers } from '../transport/large-answers.ts'
import { Requester } from '../transport/requester.ts'
import type { ReadRecord } from '../wire/fields.ts'
import { readInvoice } from '../wire/invoice.ts'
import { readLeave } from '../wire/leave.ts'
import { readSchedule } from '../wire/schedule.ts'
import { readTask } from '../wire/task.ts'
import { readTimesheet } from '../wire/timesheet.ts'
import { readUser } from '../wire/user.ts'
import { type AskedList, createReader } from './answers.ts'

export interface ReadApiClient extends ReadApi {
  /** Ends the connections; requests under way are cut off and fail with `upstream_unavailable`. */
  close(): Promise<void>
}

export interface ReadApiClientDeps {
  readonly clock: Clock
  readonly log: Log
  /** The proxies of the environment; none where left out. */
  readonly proxy?: ProxySettings
  /** By which all clients of the program take turns; this one's own where left out. */
  readonly large?: LargeAnswers
  /** By which they all see which connections are used; this one's own where left out. */
  readonly connections?: Connections
  /** In which they keep answers; this one's own where left out. */
  readonly kept?: KeptAnswers
  /** How long polls wait for what it asks; for as long as it takes where left out. */
  readonly pollBudgetMs?: number
}

/** The Read API of one connection over HTTP. Besides the errors of `ReadApi`, an operation that its caller aborts fails with the signal's reason. */
export function createReadApiClient(
  settings: ConnectionSettings,
  { proxy = {}, large = new LargeAnswers(), ...deps }: ReadApiClientDeps,
): ReadApiClient {
  const { connections = new Connections(), kept = new KeptAnswers() } = deps
  const requester = new Requester(settings, { ...deps, proxy, large, connections, kept })
  const reader = createReader(settings, requester)

  return {
    list: async (kind, filter, asking) => reader.list(askedOf(settings, kind, filter), asking),
    listUnlessKnown: async (kind, filter, asking) =>
      reader.listUnlessKnown(askedOf(settings, kind, filter), asking),
    async get(kind, id, asking) {
      const { read, path } = recordOf(kind)
      const url = addressOf(settings, `${path}/${segment(id, kind)}`)
      return reader.record({ kind, read, url, id }, asking)
    },
    lastAnswerBut: (kind) => requester.lastAnswerBut(kind),
    close: () => requester.close(),
  }
}

/** Parameters and their values; one without a name or a value is not sent. */
type Query = readonly (readonly [name: string | null, value: string | undefined])[]

interface ListOperation<K extends ListKind> {
  readonly read: ReadRecord<RecordOf[K]>
  /** `upstream_not_found` for an id that no path can carry. */
  readonly path: (filter: FilterOf<K>) => string
  /** Left out where the list has no filter that is sent. */
  readonly query?: (filter: FilterOf<K>, names: ParameterNames) => Query
}

const lists: { readonly [K in ListKind]: ListOperation<K> } = {
  timesheets: {
    read: readTimesheet,
    path: () => 'timesheets',
    query: ({ employee, status, from, to }, { timesheets: names }) => [
      [names.employee, employee],
      [names.status, status],
      [names.from, timestamp(from)],
      [names.to, timestamp(to)],
    ],
  },
  leaves: {
    read: readLeave,
    path: () => 'leaves',
    query: ({ employee, status }, { leaves: names }) => [
      [names.employee, employee],
      [names.status, status],
    ],
  },
  tasks: {
    read: readTask,
    path: ({ project }) => `projects/${segment(project, 'project')}/tasks`,
  },
  schedules: {
    read: readSchedule,
    path: () => 'schedules',
    query: ({ type, active }, { schedules: names }) => [
      [names.type, type],
      [names.active, active?.toString()],
    ],
  },
}

interface RecordOperation<K extends SingleKind> {
  readonly read: ReadRecord<RecordOf[K]>
  /** The record's id follows. */
  readonly path: string
}

const records: { readonly [K in SingleKind]: RecordOperation<K> } = {
  user: { read: readUser, path: 'users' },
  invoice: { read: readInvoice, path: 'invoices' },
}

function askedOf<K extends ListKind>(
  settings: ConnectionSettings,
  kind: K,
  filter: FilterOf<K>,
): AskedList<RecordOf[K]> {
  const { read, path, query } = listOf(kind)
  const filters = query?.(filter, settings.parameters)
  const url = addressOf(settings, path(filter), filters)
  const filterNames = (filters ?? []).flatMap(([name]) => name ?? [])
  return { kind, read, url, filterNames }
}

function listOf<K extends ListKind>(kind: K): ListOperation<K> {
  return lists[kind]
}

function recordOf<K extends SingleKind>(kind: K): RecordOperation<K> {
  return records[kind]
}

function addressOf({ baseUrl }: ConnectionSettings, path: string, query: Query = []): URL {
  const url = apiUrl(baseUrl, path)
  for (const [name, value] of query) {
    if (name !== null && value !== undefined) url.searchParams.append(name, value)
  }
  return url
}

/** Where that path of the Read API is. */
export function apiUrl(baseUrl: string, path: string): URL {
  return new URL(baseUrl + apiPrefix + path)
}

function timestamp(instant: Instant | undefined): string | undefined {
  return instant === undefined ? undefined : new Date(instant).toISOString()
}

// URL parsers take `.` and `..` out of a path even when percent-encoded, and would ask for something else.
function segment(id: string, noun: string): string {
  if (id === '' || id === '.' || id === '..' || !id.isWellFormed()) {
    throw new AppError('upstream_not_found', `No ${noun} can have the id ${JSON.stringify(id)}.`)
  }
  return encodeURIComponent(id)
}
