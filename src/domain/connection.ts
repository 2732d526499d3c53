import type { Company } from './company.ts'
import type { CopyHead } from './copy.ts'
import type { Feed } from './feed.ts'
import type { LeaveClaim, LeaveProof } from './leave.ts'
import type { FeedLink } from './link.ts'
import type { ListKind, ReadApi } from './read-api.ts'
import type { Instant } from './world.ts'

/** How a company's Read API is reached and spoken to. */
export interface ConnectionSettings {
  /** `{base_url}` of the Read API, without a slash at its end. */
  readonly baseUrl: string
  readonly authentication: Authentication
  readonly parameters: ParameterNames
  readonly pagination: ListPagination
  /** For one whole answer of one request, body included. */
  readonly timeoutMs: number
  /** The most requests under way at once. */
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

/** How each list is parted into pages. */
export type ListPagination = Readonly<Record<ListKind, Pagination>>

/** The same for every list. */
export function everyList(pagination: Pagination): ListPagination {
  return { leaves: pagination, timesheets: pagination, tasks: pagination, schedules: pagination }
}

/** A company together with the way to its Read API. */
export interface Connection {
  /** Hash of company, base URL, parameters and paging: proofs and copies belong to it. */
  readonly id: string
  /** Hash of the credential: proofs are made again with another. */
  readonly credential: string
  readonly company: Company
  readonly parameters: ParameterNames
  readonly pagination: ListPagination
  /** Whether an answer that suddenly shrinks is read twice before it is believed. */
  readonly shrinkGuard: boolean
  readonly api: ReadApi
}

/** What is kept under the name that a connection had before, and is to go on under its own. */
export interface AdoptedConnection {
  readonly from: string
  readonly to: string
  /** With which the filter of leaves was proven. */
  readonly credential: string
}

/** What is kept of connections as a whole. */
export interface ConnectionStore {
  /** Moves all that is kept under another name, where nothing is kept under this one. */
  adopt(connection: AdoptedConnection): Promise<void>
}

/** With which credential what is kept of each connection was read. */
export interface CredentialStore {
  /** Undefined where nothing has been read yet. */
  findTrusted(connectionId: string): Promise<TrustedCredential | undefined>
  /** From now on that one is trusted; true where another one was in doubt. */
  trust(connectionId: string, credential: string): Promise<boolean>
  /** Notes that another one is in doubt; false where that is noted already. */
  doubt(connectionId: string, since: Instant): Promise<boolean>
}

export interface TrustedCredential {
  readonly credential: string
  /** Since when another one reads what may be another company's; null where none does. */
  readonly doubtedSince: Instant | null
}

/** What is known of some collections of a company, and of their people, before any of it is asked for. */
export interface Standing {
  /** By key. */
  readonly heads: ReadonlyMap<string, CopyHead>
  /** Those of the people who are believed to have left. */
  readonly left: readonly string[]
  /** Those of the people whose ids have been read as somebody else's, and when each was last asked for. */
  readonly held: ReadonlyMap<string, Instant>
  /** Their claims to leaves that others have, too, or that have not come for them lately. */
  readonly unsettled: readonly LeaveClaim[]
  /** Open links of feeds with that person whose own options speak of full detail; `unavailable` where one cannot be read. */
  readonly inFull: (userId: string) => readonly ShownInFull[]
  /** As it is kept, with whatever credential. */
  readonly proof: LeaveProof
}

/** A link that may show full detail, with its feed. */
export interface ShownInFull {
  readonly feed: Pick<Feed, 'options' | 'locale'>
  readonly link: Pick<FeedLink, 'choices'>
}

/** Of which company, collections and people it is. */
export interface StandingOf {
  readonly connectionId: string
  readonly companyId: string
  readonly keys: readonly string[]
  readonly userIds: readonly string[]
  readonly now: Instant
}

export interface StandingStore {
  /** All of it as it is at one instant, by one statement however much it is. */
  readStanding(of: StandingOf): Promise<Standing>
}
