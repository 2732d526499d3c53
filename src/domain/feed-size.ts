import { type FeedOptions, peopleMax, readOptions } from './feed-options.ts'
import type { Feed } from './feed.ts'

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

export function hasTooManyShifts({ userIds, options }: Pick<Feed, 'userIds' | 'options'>): boolean {
  return options.shifts.show && userIds.length > peopleMaxOf(options)
}

/** Unknown schedules count as one. */
function schedulesADay({ rotation, scheduleIds }: FeedOptions['shifts']): number {
  const weeks = rotation?.weeks ?? [scheduleIds ?? ['']]
  return Math.max(...weeks.map((week) => week.length))
}

/** Whether only the company's defaults make the shifts too many: nobody has checked them against each feed. */
export function isTooLargeByDefaults(
  feed: Pick<Feed, 'userIds' | 'options' | 'audience' | 'ownOptions'>,
): boolean {
  if (!hasTooManyShifts(feed)) return false
  return !hasTooManyShifts({ ...feed, options: readOptions(feed.audience, feed.ownOptions) })
}
