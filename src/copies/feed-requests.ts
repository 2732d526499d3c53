import type { Company } from '../domain/company.ts'
import type { Collection } from '../domain/copy.ts'
import { type FeedOptions, type WindowOption } from '../domain/feed-options.ts'
import type { Feed } from '../domain/feed.ts'
import type { CollectionRequest } from './read-collection.ts'

/** Everything of the Read API that the shown feed is made of. */
export function feedCollections(feed: Feed, company: Company): readonly CollectionRequest[] {
  const { options, userIds } = feed
  const { leaves, shifts, timesheets, tasks, invoices, window } = options
  return [
    ...each('leaves', leaves.show || hidesShifts(options) ? userIds : []).map((request) =>
      showsReasons(options) ? { ...request, reasons: true } : request,
    ),
    ...each('schedules', shifts.show && namesSchedules(options) ? [''] : []),
    ...within(window, each('timesheets', timesheets.show ? userIds : [])),
    ...each('tasks', tasks.show ? projectsOf(feed, company) : []),
    ...each('invoice', invoices.show ? invoices.invoiceIds : []),
    ...each('user', userIds),
  ]
}

/** The projects whose tasks the feed reads. */
export function projectsOf({ options }: Feed, company: Company): readonly string[] {
  return options.tasks.projectIds ?? company.projects
}

/** Whether the reasons of leaves stand in the calendar. */
export function showsReasons({ leaves }: Pick<FeedOptions, 'leaves'>): boolean {
  return leaves.show && leaves.detail === 'full'
}

function each(kind: Collection['kind'], subjects: readonly string[]): readonly CollectionRequest[] {
  return [...new Set(subjects)].map((subject) => ({ collection: { kind, subject }, reach: null }))
}

function hidesShifts({ shifts }: FeedOptions): boolean {
  return shifts.show && shifts.duringLeave === 'hide' && namesSchedules({ shifts })
}

function namesSchedules({ shifts }: Pick<FeedOptions, 'shifts'>): boolean {
  return shifts.rotation !== null || shifts.scheduleIds.length > 0
}

function within(
  reach: WindowOption,
  requests: readonly CollectionRequest[],
): readonly CollectionRequest[] {
  return requests.map((request) => ({ ...request, reach }))
}
