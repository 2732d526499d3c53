/* Who of a team is away in a month, looked at by staff: for a reason, which the audit log keeps. */
import type { Absences } from '../calendar/absences.ts'
import { calendarWindow } from '../calendar/local-time.ts'
import { type AuditStore, saveAuditEvent } from '../domain/access/audit-entry.ts'
import type { Actor } from '../domain/access/staff.ts'
import { asAppError } from '../domain/errors.ts'
import type { Feed, Locale, Team } from '../domain/feed.ts'
import { shownLeaveStatuses } from '../domain/leave.ts'
import { addDays, type PlainDate } from '../domain/plain-date.ts'
import type { Clock, Log } from '../domain/world.ts'
import type { FeedAbsences } from '../publishing/written-once.ts'
import type { FeedAdministration } from './feed-administration.ts'

interface TeamMonthDeps {
  readonly administrationBy: (by: Actor) => FeedAdministration
  readonly absencesOf: (draft: Feed) => Promise<FeedAbsences>
  readonly audit: AuditStore
  readonly clock: Clock
  readonly log: Log
}

interface TeamMonthQuery {
  readonly companyId: string
  readonly team: Team
  /** Its first day. */
  readonly month: PlainDate
  readonly reason: string
  readonly locale: Locale
}

export type TeamMonth =
  | { readonly is: 'shown'; readonly absences: Absences }
  /** Calendars reach only from the first to the last of these dates. */
  | { readonly is: 'outside'; readonly first: PlainDate; readonly last: PlainDate }
  | { readonly is: 'unavailable' | 'leavesMissing' | 'managerUnread' }

/** Notes that the leave of each of the team is looked at, then reads it; what lies outside of calendars is not noted. */
export async function readTeamMonth(
  deps: TeamMonthDeps,
  { companyId, month, reason, ...asked }: TeamMonthQuery,
  by: Actor,
): Promise<TeamMonth> {
  const feed = await draftOf(deps, { companyId, ...asked }, by)
  if (!feed) return { is: 'managerUnread' }
  const { start, end } = calendarWindow(deps.clock.now(), feed.timezone, feed.options.window)
  if (month < start || month >= end) return { is: 'outside', first: start, last: addDays(end, -1) }
  const about = { companyId, feedId: null, userIds: feed.userIds, label: reason }
  await saveAuditEvent(deps, { actor: by.actor, action: 'calendar_viewed' }, about)
  try {
    const read = await deps.absencesOf(feed)
    return read.leavesMissing === null ? { is: 'shown', absences: read } : { is: 'leavesMissing' }
  } catch (error) {
    if (asAppError(error)?.code !== 'unavailable') throw error
    return { is: 'unavailable' }
  }
}

/** The calendar that the team would get, with leave only, pending leave too; null if its manager cannot be read. */
async function draftOf(
  { administrationBy }: TeamMonthDeps,
  asked: Pick<TeamMonthQuery, 'companyId' | 'team' | 'locale'>,
  by: Actor,
): Promise<Feed | null> {
  const nothing = { show: false }
  const options = {
    leaves: { show: true, as: 'day', statuses: shownLeaveStatuses },
    shifts: nothing,
    timesheets: nothing,
    tasks: nothing,
    invoices: nothing,
  }
  try {
    const { feed } = await administrationBy(by)
      .creation.drafts()
      .draft({ ...asked, options })
    return feed
  } catch (error) {
    if (asAppError(error)?.code !== 'invalid') throw error
    return null
  }
}
