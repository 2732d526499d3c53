import type { Company } from './company.ts'
import type { ReadApi } from './read-api.ts'

/** How a company's Read API is reached and spoken to. */
export interface ConnectionSettings {
  /** `{base_url}` of the Read API, without a slash at its end. */
  readonly baseUrl: string
  readonly authentication: Authentication
  readonly parameters: ParameterNames
  readonly pagination: Pagination
  /** For one whole answer of one request, body included. */
  readonly timeoutMs: number
  /** Requests under way at once. */
  readonly concurrency: number
  /** Of one answer's body after decompression. */
  readonly bodyBytesMax: number
}

/** The proxies of the environment; an empty or missing value is none. */
export interface ProxySettings {
  readonly httpProxy?: string | undefined
  readonly httpsProxy?: string | undefined
  readonly noProxy?: string | undefined
}

export type Authentication =
  | { readonly scheme: 'none' }
  | { readonly scheme: 'bearer'; readonly token: string }
  | { readonly scheme: 'basic'; readonly user: string; readonly password: string }
  | { readonly scheme: 'header'; readonly name: string; readonly value: string }
  | { readonly scheme: 'query'; readonly name: string; readonly value: string }

/** Names of the query parameters; one that is null is never sent. */
export interface ParameterNames {
  readonly timesheets: {
    readonly employee: string | null
    readonly status: string | null
    readonly from: string | null
    readonly to: string | null
  }
  readonly leaves: { readonly employee: string | null; readonly status: string | null }
  readonly schedules: { readonly type: string | null; readonly active: string | null }
}

/** The names that the embedded Read API uses. */
export const defaultParameters: ParameterNames = {
  timesheets: { employee: 'userId', status: 'status', from: 'startDate', to: 'endDate' },
  leaves: { employee: 'userId', status: 'status' },
  schedules: { type: 'type', active: 'isActive' },
}

export type Pagination =
  | { readonly style: 'none' }
  | {
      readonly style: 'page'
      readonly pageParameter: string
      readonly sizeParameter: string
      readonly size: number
      readonly first: number
    }
  | {
      readonly style: 'offset'
      readonly offsetParameter: string
      readonly limitParameter: string
      readonly limit: number
    }
  | { readonly style: 'link' }

/** A company together with the way to its Read API. */
export interface Connection {
  /** Hash of company, base URL, credential, parameters and paging: proofs and copies belong to it. */
  readonly id: string
  readonly company: Company
  readonly parameters: ParameterNames
  readonly pagination: Pagination
  /** Whether an answer that suddenly shrinks is read twice before it is believed. */
  readonly shrinkGuard: boolean
  readonly api: ReadApi
}
