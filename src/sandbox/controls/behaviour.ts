import {
  type Authentication,
  defaultParameters,
  type ListPagination,
  type ParameterNames,
} from '../../domain/connection.ts'
import type { ListName, OperationId } from '../operations.ts'

/** What an operation answers instead, now and then. */
export interface Fault {
  readonly operation: OperationId
  readonly status: number
  /** Of all requests, 0 to 1. */
  readonly rate: number
  /** Seconds, as `Retry-After` says it. */
  readonly retryAfter?: number | undefined
}

/** In what a sandbox imitates the Read API of somebody else; as it is at first, nothing. */
export interface Behaviour {
  /** Another text for each that is set: what is answered under one is no answer of another. */
  readonly version: string
  readonly latencyMs: number
  readonly faults: readonly Fault[]
  /** Lists that take no notice of their filters. */
  readonly ignored: ReadonlySet<ListName>
  readonly parameters: ParameterNames
  /** null: as the sandbox pages by itself, by `limit` and `cursor`. */
  readonly pagination: ListPagination | null
  /** So many records has a page of `link`, and no page has more. */
  readonly pageSize: number
  /** The one credential that is asked for; null: keys, where there are any. */
  readonly authentication: Authentication | null
}

/** As nobody has changed it. */
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
