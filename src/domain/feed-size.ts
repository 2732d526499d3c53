import { type FeedOptions, readOptions } from './feed-options.ts'
import type { Feed } from './feed.ts'

/** Two hundred people for a year and a half: far more than fits into one calendar. */
export const shiftsMax = 100_000
/** The window begins and ends with a month. */
const monthsDays = 62

/** Whether the shifts are more than any calendar can show. */
export function hasTooManyShifts({ userIds, options }: Pick<Feed, 'userIds' | 'options'>): boolean {
  const { window, shifts } = options
  if (!shifts.show) return false
  const days = window.pastDays + window.futureDays + monthsDays
  return userIds.length * schedulesADay(shifts) * days > shiftsMax
}

/** Unknown schedules count as one. */
function schedulesADay({ rotation, scheduleIds }: FeedOptions['shifts']): number {
  const weeks = rotation?.weeks ?? [scheduleIds ?? ['']]
  return Math.max(...weeks.map((week) => week.length))
}

/** Whether the shifts are too many only because of the company's defaults, which nobody has checked against each feed. */
export function isOutgrown(
  feed: Pick<Feed, 'userIds' | 'options' | 'audience' | 'ownOptions'>,
): boolean {
  if (!hasTooManyShifts(feed)) return false
  return !hasTooManyShifts({ ...feed, options: readOptions(feed.audience, feed.ownOptions) })
}
