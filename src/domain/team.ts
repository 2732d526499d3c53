import type { Team } from './feed.ts'
import type { LostManagers } from './person.ts'

export type ManagerState = 'here' | 'left' | 'unknown'

/** Who reports to whom, and the feeds of teams. */
export interface TeamStore {
  /**
   * Everybody in the team who has not left, in the order of ids. Those with records that no longer name a manager are members
   * only if they are in `kept`.
   */
  listMembers(companyId: string, team: Team, kept: readonly string[]): Promise<readonly string[]>
  /** The ids of open feeds of teams managed by one of these people, or by somebody above one of them. */
  listFeedsAbove(companyId: string, userIds: readonly string[]): Promise<readonly string[]>
  /** The ids of all open feeds of teams, or of those with that manager. */
  listTeamFeeds(companyId: string, managerId?: string): Promise<readonly string[]>
  findManagerState(companyId: string, managerId: string): Promise<ManagerState>
  findLostManagers(companyId: string): Promise<LostManagers>
  /** How many people report to somebody, or did until lately. */
  countReporting(companyId: string): Promise<number>
}
