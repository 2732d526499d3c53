import type { FeedOptions, OwnOptions } from '../../../src/domain/feed-options.ts'

export interface ApiLink {
  readonly label: string
  /** Only in the reply that makes the link. */
  readonly url?: string
  readonly page?: string
}

/** Any answer of the admin API, read without asking which one it is: what is not in it is undefined. */
export interface ApiAnswer {
  readonly id: string
  readonly name: string
  /** Of a row of a table. */
  readonly status: string
  readonly userId: string
  readonly userIds: readonly string[]
  readonly audience: string
  readonly options: FeedOptions
  readonly ownOptions: OwnOptions
  readonly links: readonly [ApiLink, ...ApiLink[]]
  readonly label: string
  readonly url: string
  readonly page: string
  readonly revokedAt: string | null
  readonly freshness: readonly object[]
  readonly warnings: readonly string[]
  readonly data: readonly ApiAnswer[]
  readonly nextCursor: string | null
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[]
  readonly events: readonly object[]
}

/** The JSON that the response carries. */
export async function jsonOf(response: Response): Promise<ApiAnswer> {
  return (await response.json()) as ApiAnswer
}
