import type { Team } from './feed.ts'
import type { PeoplePlace } from './people-list.ts'
import type { LostManagers, Person } from './person.ts'

export type ManagerState = 'here' | 'left' | 'unknown'

export interface ManagersQuery {
  /** Only managers with this text in their name, mail address or id, in any case. */
  readonly search?: string
  readonly after?: PeoplePlace | undefined
  readonly limit: number
}

/** Without a name if the directory does not know it. */
export interface TeamPerson extends PeoplePlace, Pick<Person, 'firstName' | 'lastName' | 'email'> {}

/** Somebody to whom others report. */
export interface ListedManager extends TeamPerson {
  /** How many report to them directly. */
  readonly reports: number
}

/** Who reports to whom, and the feeds of teams. */
export interface TeamStore {
  /**
   * Everybody in the team who has not left, in the order of ids. Those with records that no longer name a manager are members
   * only if they are in `kept`.
   */
  listMembers(companyId: string, team: Team, kept: readonly string[]): Promise<readonly string[]>
  /** Like `listMembers`, but in the order of their places, and only any so many of them. */
  describeMembers(
    companyId: string,
    team: Team,
    kept: readonly string[],
    limit: number,
  ): Promise<readonly TeamPerson[]>
  /** Managers of somebody who has not left, by their place. `kept` as in `listMembers`. */
  listManagers(
    companyId: string,
    query: ManagersQuery,
    kept: readonly string[],
  ): Promise<readonly ListedManager[]>
  /** The ids of open feeds of teams managed by one of these people, or by somebody above one of them. */
  listFeedsAbove(companyId: string, userIds: readonly string[]): Promise<readonly string[]>
  /** The ids of all open feeds of teams, or of those with that manager. */
  listTeamFeeds(companyId: string, managerId?: string): Promise<readonly string[]>
  findManagerState(companyId: string, managerId: string): Promise<ManagerState>
  findLostManagers(companyId: string): Promise<LostManagers>
  /** How many people report to somebody, or did until lately. */
  countReporting(companyId: string): Promise<number>
}
