import type { FeedOptions } from './feed-options.ts'
import type { Team } from './feed.ts'
import type { Instant } from './world.ts'

/** Of one feed. */
export const peopleMax = 500
/** Two hundred people for a year and a half: far more than fits into one calendar. */
export const shiftsMax = 100_000
/** The window begins and ends with a month. */
const monthsDays = 62

/** How many people a feed with these options can have: no calendar shows more shifts. */
export function peopleMaxOf({ window, shifts }: FeedOptions): number {
  if (!shifts.show) return peopleMax
  const days = window.pastDays + window.futureDays + monthsDays
  return Math.min(peopleMax, Math.floor(shiftsMax / (schedulesADay(shifts) * days)))
}

/** Unknown schedules count as one. */
function schedulesADay({ rotation, scheduleIds }: FeedOptions['shifts']): number {
  const weeks = rotation?.weeks ?? [scheduleIds ?? ['']]
  return Math.max(...weeks.map((week) => week.length))
}

/** Somebody whose record has named no manager since then. */
export interface WithoutManager {
  readonly userId: string
  /** The last known one. */
  readonly managerId: string
  readonly since: Instant
}

export type ManagerState = 'here' | 'left' | 'unknown'

/** Who reports to whom, and the feeds of teams. */
export interface TeamStore {
  /**
   * Everybody in the team who has not left, in the order of ids. Those who name no manager any more are only in it if they
   * are among `kept`.
   */
  listMembers(companyId: string, team: Team, kept: readonly string[]): Promise<readonly string[]>
  /** The ids of open feeds whose manager is one of these people, or above one of them. */
  listFeedsAbove(companyId: string, userIds: readonly string[]): Promise<readonly string[]>
  /** The ids of all open feeds of teams, or of those with that manager. */
  listTeamFeeds(companyId: string, managerId?: string): Promise<readonly string[]>
  findManagerState(companyId: string, managerId: string): Promise<ManagerState>
  listWithoutManager(companyId: string): Promise<readonly WithoutManager[]>
  /** How many people report to somebody, or did until lately; counts no further than `most`. */
  countReporting(companyId: string, most: number): Promise<number>
}
