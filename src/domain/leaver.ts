import type { Instant } from './instant.ts'

/** A person who by the Read API is no longer active, or no longer there. */
export interface Leaver {
  readonly companyId: string
  readonly userId: string
  readonly because: LeavingReason
  /** When that was first read. */
  readonly since: Instant
  /** When the person was last asked for. */
  readonly readAt: Instant
  /** When it was believed: then their own feeds are closed and their events end elsewhere; null while it is not. */
  readonly leftAt: Instant | null
}

/** `user_inactive`: the user says so itself; `user_missing`: the Read API does not know the user any more. */
export type LeavingReason = 'user_inactive' | 'user_missing'

/** How many of a company's people in feeds are leaving: too many at once are a fault and no truth. */
export interface LeavingShare {
  readonly people: number
  readonly leaving: number
}
