import type { Instant } from './world.ts'

/** Calendar programs told apart by their user agent, for support only: nothing is ever served by it. */
export type ClientFamily =
  | 'google'
  | 'outlook'
  | 'apple'
  | 'thunderbird'
  | 'icsx5'
  | 'nextcloud'
  | 'home-assistant'
  | 'browser'
  | 'other'

/** What one family of clients has asked of the link with that token since it was last written down. */
export interface LinkPolls {
  readonly tokenHash: Uint8Array
  readonly client: ClientFamily
  readonly firstPolledAt: Instant
  readonly lastPolledAt: Instant
  /** HTTP status of the last answer. */
  readonly lastStatus: number
  readonly polls: number
  /** Last-Modified of the calendar that it now has; null where none of these polls gave it one. */
  readonly hasChangeOf: Instant | null
}

/** What one family of clients has asked of one link. No addresses. */
export interface ClientActivity {
  readonly feedId: string
  readonly label: string
  readonly client: ClientFamily
  readonly firstPolledAt: Instant
  readonly lastPolledAt: Instant
  /** HTTP status of the last answer. */
  readonly lastStatus: number
  readonly polls: number
  /** Last-Modified of the calendar that it has by its last poll; null while it has none. */
  readonly hasChangeOf: Instant | null
}

/** Who asked for which link, and when. */
export interface ActivityStore {
  /** Adds what has happened since the last call; polls of links that are no more are left out. */
  addActivity(polls: readonly LinkPolls[]): Promise<void>
  listActivity(feedIds: readonly string[]): Promise<readonly ClientActivity[]>
}
