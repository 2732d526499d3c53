import { fittingRecords } from '../../domain/copy.ts'
import type { WindowOption } from '../../domain/feed-options.ts'
import type { TimesheetFilter } from '../../domain/read-api.ts'
import type { Instant } from '../../domain/world.ts'
import type { Kind } from './kind.ts'

const dayMs = 86_400_000
/** The spec's bounds leave out what straddles them: periods of up to this length are still found. */
const slackDays = 100
/** The window begins and ends with a month, in any zone. */
const monthDays = 32

/** A person's timesheets of the window. What was asked for is a saving, not a guarantee: others' that come are dropped. */
export const timesheets: Kind<'timesheets'> = {
  shownAs: 'timesheets',
  neededBy: ['timesheets'],
  isPersonal: true,
  mayBeMissing: false,
  freshMs: null,
  subjectsOf: ({ userIds }) => userIds,
  scopeOf: ({ window }) => ({ reach: window, reasons: false }),
  async read({ collection: { subject }, scope }, { api, now, ...asking }) {
    const filter = { employee: subject, ...bounds(scope.reach, now) }
    const answer = await api.listUnlessKnown('timesheets', filter, asking)
    const reading = answer && fittingRecords(answer)
    if (!reading) return null
    return { ...reading, records: reading.records.filter(({ userId }) => userId === subject) }
  },
  keep: ({ id, userId, periodStart, periodEnd, status, entries }) => ({
    id,
    userId,
    periodStart,
    periodEnd,
    status,
    entries: entries?.map(({ hoursWorked, expectedHours }) => ({ hoursWorked, expectedHours })),
  }),
}

function bounds(reach: WindowOption | null, now: Instant): Pick<TimesheetFilter, 'from' | 'to'> {
  if (!reach) return {}
  return {
    from: startOfDay(now - (reach.pastDays + monthDays + slackDays) * dayMs),
    to: startOfDay(now + (reach.futureDays + monthDays + slackDays) * dayMs),
  }
}

/** Whole days, so that two requests of one day are the same request. */
function startOfDay(instant: Instant): Instant {
  return Math.floor(instant / dayMs) * dayMs
}
