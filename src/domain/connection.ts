import type { Company } from './company.ts'
import type { CopyHead } from './copy.ts'
import type { Feed } from './feed.ts'
import type { LeaveClaim, LeaveProof } from './leave.ts'
import type { FeedLink } from './link.ts'
import { type ListKind, listKinds, type ParameterNames, type ReadApi } from './read-api.ts'
import type { Instant } from './world.ts'

export interface ConnectionSettings {
  readonly baseUrl: string
  readonly authentication: Authentication
  readonly parameters: ParameterNames
  readonly pagination: ListPagination
  readonly timeoutMs: number
  readonly concurrency: number
  /** Of one answer's body after decompression. */
  readonly bodyBytesMax: number
}

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

export type ListPagination = Readonly<Record<ListKind, Pagination>>

export function byList<T>(valueOf: (list: ListKind) => T): Readonly<Record<ListKind, T>>
export function byList(valueOf: (list: ListKind) => unknown): object {
  return Object.fromEntries(listKinds.map((list) => [list, valueOf(list)]))
}

export function everyList(pagination: Pagination): ListPagination {
  return byList(() => pagination)
}

export interface Connection {
  /** Hash of company, base URL, parameters and paging: proofs and copies belong to it. */
  readonly id: string
  /** Hash of the credential: a new one needs new proofs. */
  readonly credential: string
  readonly company: Company
  readonly parameters: ParameterNames
  readonly pagination: ListPagination
  /** Whether an answer that suddenly shrinks is read twice before it is believed. */
  readonly shrinkGuard: boolean
  readonly api: ReadApi
}

export interface ConnectionStore {
  /** Moves everything kept under an id of an earlier release, unless something is kept under the new one. */
  adopt(connection: {
    readonly from: string
    readonly to: string
    /** With which the filter of leaves was proven. */
    readonly credential: string
  }): Promise<void>
}

export interface CredentialStore {
  findTrusted(connectionId: string): Promise<TrustedCredential | undefined>
  /** True if another credential was in doubt. */
  trust(connectionId: string, credential: string): Promise<boolean>
  /** False if another credential is in doubt already. */
  doubt(connectionId: string, since: Instant): Promise<boolean>
}

export interface TrustedCredential {
  readonly credential: string
  /** Since when another one reads what may be another company's. */
  readonly doubtedSince: Instant | null
}

/** What is known about some collections and people of a company before any of it is asked for. */
export interface Standing {
  readonly heads: ReadonlyMap<string, CopyHead>
  readonly left: readonly string[]
  /** The people with ids that were read as somebody else's, and when each was last read. */
  readonly held: ReadonlyMap<string, Instant>
  /** Their claims to leaves that others claim too, or that have not come for them lately. */
  readonly unsettled: readonly LeaveClaim[]
  /** Open links that may show that person's leaves in full; `unavailable` if one cannot be read. */
  readonly inFull: (userId: string) => readonly ShownInFull[]
  readonly proof: LeaveProof
}

export interface ShownInFull {
  readonly feed: Pick<Feed, 'audience' | 'options' | 'locale'>
  readonly link: Pick<FeedLink, 'choices'>
}

export interface StandingOf {
  readonly connectionId: string
  readonly companyId: string
  readonly keys: readonly string[]
  readonly userIds: readonly string[]
  readonly now: Instant
}

export interface StandingStore {
  readStanding(of: StandingOf): Promise<Standing>
}
