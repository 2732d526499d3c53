import type { Team } from './feed.ts'
import type { Instant } from './world.ts'

/** Somebody whose record has named no manager since then. */
export interface WithoutManager {
  readonly userId: string
  /** The last known one. */
  readonly managerId: string
  readonly since: Instant
  /** How many report to that manager, or did until lately. */
  readonly reporting: number
}

export type ManagerState = 'here' | 'left' | 'unknown'

/** Who reports to whom, and the feeds of teams. */
export interface TeamStore {
  /**
   * Everybody in the team who has not left, in the order of ids. Those whose records no longer name a manager are members only
   * if they are in `kept`.
   */
  listMembers(companyId: string, team: Team, kept: readonly string[]): Promise<readonly string[]>
  /** The ids of open feeds of teams whose manager is one of these people or above one of them. */
  listFeedsAbove(companyId: string, userIds: readonly string[]): Promise<readonly string[]>
  /** The ids of all open feeds of teams, or of those with that manager. */
  listTeamFeeds(companyId: string, managerId?: string): Promise<readonly string[]>
  findManagerState(companyId: string, managerId: string): Promise<ManagerState>
  listWithoutManager(companyId: string): Promise<readonly WithoutManager[]>
  /** How many people report to somebody, or did until lately; counts no further than `most`. */
  countReporting(companyId: string, most: number): Promise<number>
}
