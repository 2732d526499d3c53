import type { FeedOptions } from '../domain/feed-options.ts'
import type { Feed } from '../domain/feed.ts'
import { invalidFeed } from './feed-faults.ts'

/** Two hundred people's shifts of a year and a half, far beyond what fits into one calendar. */
const shiftsMax = 100_000
/** The window begins and ends with a month. */
const monthsDays = 62

/** Refuses a feed whose shifts would be more work than any calendar can show; `invalid` at the window. */
export function refuseTooManyShifts({ userIds, options }: Pick<Feed, 'userIds' | 'options'>): void {
  const { window, shifts } = options
  if (!shifts.show) return
  const days = window.pastDays + window.futureDays + monthsDays
  if (userIds.length * schedulesADay(shifts) * days <= shiftsMax) return
  throw invalidFeed(
    '/options/window',
    `Must be shorter for so many users and schedules: at most ${shiftsMax} shifts are looked at.`,
  )
}

/** While they are not known there is one. */
function schedulesADay({ rotation, scheduleIds }: FeedOptions['shifts']): number {
  const weeks = rotation?.weeks ?? [scheduleIds ?? ['']]
  return Math.max(...weeks.map((week) => week.length))
}
