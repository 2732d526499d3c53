import type { Authentication, ListPagination } from '../../domain/connection.ts'
import { defaultParameters, type ParameterNames } from '../../domain/read-api.ts'
import type { ListName, OperationId } from '../operations.ts'

export interface Fault {
  readonly operation: OperationId
  readonly status: number
  /** Of all requests, 0 to 1. */
  readonly rate: number
  /** Seconds. */
  readonly retryAfter?: number | undefined
}

/** In what a sandbox imitates a foreign Read API. */
export interface Behaviour {
  /** Unique: no answer given under one behaviour is valid under another. */
  readonly version: string
  readonly latencyMs: number
  readonly faults: readonly Fault[]
  /** Lists that ignore their filters. */
  readonly ignored: ReadonlySet<ListName>
  readonly parameters: ParameterNames
  /** null: the sandbox's own paging, with `limit` and `cursor`. */
  readonly pagination: ListPagination | null
  /** The size of a page of `link`, and the most of any other page. */
  readonly pageSize: number
  /** The one credential that is asked for; null: keys, where there are any. */
  readonly authentication: Authentication | null
}

/** Nothing is imitated. */
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
