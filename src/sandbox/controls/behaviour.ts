import type { Authentication, ListPagination } from '../../domain/connection.ts'
import { defaultParameters, type ParameterNames } from '../../domain/read-api.ts'
import type { ListName, OperationId } from '../operations.ts'

export interface Fault {
  readonly operation: OperationId
  readonly status: number
  /** Share of the requests that fail, 0 to 1. */
  readonly rate: number
  /** Seconds. */
  readonly retryAfter?: number | undefined
}

/** The behaviour of a foreign Read API that the sandbox imitates. */
export interface Behaviour {
  /** Unique, so that no response is valid under another behaviour. */
  readonly version: string
  readonly latencyMs: number
  readonly faults: readonly Fault[]
  /** Lists that ignore their filters. */
  readonly ignored: ReadonlySet<ListName>
  readonly parameters: ParameterNames
  /** null: the sandbox's own paging with `limit` and `cursor`. */
  readonly pagination: ListPagination | null
  /** Page size for `link`; upper limit for `page` and `offset`. */
  readonly pageSize: number
  /** The one accepted credential; null: the configured keys, if any. */
  readonly authentication: Authentication | null
}

/** The sandbox without any imitation. */
export const ownBehaviour: Behaviour = {
  version: '',
  latencyMs: 0,
  faults: [],
  ignored: new Set(),
  parameters: defaultParameters,
  pagination: null,
  pageSize: 100,
  authentication: null,
}
