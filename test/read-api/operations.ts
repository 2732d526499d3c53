import { type ConnectionSettings, everyList, type Pagination } from '../../src/domain/connection.ts'
import type { ReadApi } from '../../src/domain/read-api.ts'
import { ReadApiClient, SharedByClients } from '../../src/read-api/client.ts'
import { createSkippingClock } from '../support/bridge/fake-clock.ts'
import { silentLog } from '../support/bridge/silent-log.ts'

/** Settings as they are without configuration, but for limits that suit tests. */
export const clientSettings: Omit<ConnectionSettings, 'baseUrl'> = {
  authentication: { scheme: 'none' },
  parameters: {
    timesheets: { employee: 'userId', status: 'status', from: 'startDate', to: 'endDate' },
    leaves: { employee: 'userId', status: 'status' },
    schedules: { type: 'type', active: 'isActive' },
  },
  pagination: everyList({ style: 'none' }),
  timeoutMs: 300_000,
  concurrency: 4,
  bodyBytesMax: 200_000,
}

/** Pages of two records. */
export const byPage: Pagination = {
  style: 'page',
  pageParameter: 'page',
  sizeParameter: 'size',
  size: 2,
  first: 1,
}
export const byOffset: Pagination = {
  style: 'offset',
  offsetParameter: 'offset',
  limitParameter: 'limit',
  limit: 2,
}

/** A client whose waits take no time. */
export function createTestClient(
  baseUrl: string,
  settings: Partial<ConnectionSettings> = {},
  deps: Partial<ConstructorParameters<typeof ReadApiClient>[1]> = {},
): ReadApiClient {
  return new ReadApiClient(
    { ...clientSettings, baseUrl, ...settings },
    { clock: createSkippingClock(), log: silentLog, shared: new SharedByClients(), ...deps },
  )
}

export type Operation = (api: ReadApi, signal?: AbortSignal) => Promise<unknown>

export const listOperations: Readonly<Record<string, Operation>> = {
  listTimesheets: (api, signal) => api.list('timesheets', { employee: 'usr_1' }, { signal }),
  listLeaves: (api, signal) => api.list('leaves', { employee: 'usr_1' }, { signal }),
  listTasks: (api, signal) => api.list('tasks', { project: 'prj_1' }, { signal }),
  listSchedules: (api, signal) => api.list('schedules', { active: true }, { signal }),
}

export const recordOperations: Readonly<Record<string, Operation>> = {
  getUser: (api, signal) => api.get('user', 'usr_1', { signal }),
  getInvoice: (api, signal) => api.get('invoice', 'inv_1', { signal }),
}

export const readOperations = { ...listOperations, ...recordOperations }
