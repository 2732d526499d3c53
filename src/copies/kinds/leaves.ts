import type { ShownInFull } from '../../domain/connection.ts'
import { fittingRecords } from '../../domain/copy.ts'
import type { FeedOptions } from '../../domain/feed-options.ts'
import { type Leave, leaveStatuses } from '../../domain/leave.ts'
import { shownFeed } from '../../domain/link.ts'
import type { Kind } from './kind.ts'
import { mayHaveShifts } from './schedules.ts'

/** The end may be the last day as a whole. */
const dayMs = 86_400_000

/** A person's leaves, shown themselves or only hiding shifts. A reason is kept only while a feed of that person shows it. */
export const leaves: Kind<'leaves'> = {
  shownAs: 'leaves',
  neededBy: ['leaves', 'shifts'],
  isPersonal: true,
  mayBeMissing: false,
  freshMs: null,
  subjectsOf: ({ options, userIds }) =>
    options.leaves.show || hidesShifts(options) ? userIds : [],
  scopeOf: (options) => ({ reach: null, reasons: showsReasons(options) }),
  async read({ collection: { subject }, scope }, { api, showsReasons: isShown, ...asking }) {
    const withReasons = scope.reasons || isShown(subject)
    // The same leaves with their reasons are another copy than those without.
    const named = (digest: string): string => (withReasons ? `${digest} in full` : digest)
    const isKnown = (digest: string): boolean => asking.isKnown(named(digest))
    const answer = await api.listUnlessKnown(
      'leaves',
      { employee: subject },
      { ...asking, isKnown },
    )
    const reading = answer && fittingRecords(answer)
    if (!reading) return null
    const digest = reading.digest === undefined ? {} : { digest: named(reading.digest) }
    if (withReasons) return { ...reading, ...digest, withReasons }
    return { ...reading, records: withoutReasons(reading.records) }
  },
  keep: ({ id, startDate, endDate, status, days, reason, leaveType }) => ({
    id,
    startDate,
    endDate,
    status,
    days,
    reason,
    leaveType: leaveType && { name: leaveType.name },
  }),
  countedBy: (leave) => (isLegible(leave) ? [leave.id] : []),
}

/** Whether a calendar can tell whether to show it, and when: that all leaves are there says little where none has a status. */
function isLegible({ status, startDate, endDate }: Leave): boolean {
  return leaveStatuses.some((it) => it === status) && endDate > startDate - dayMs
}

/** Whether one of a person's open links shows the reasons of their leaves. */
export function areReasonsShown(inFull: readonly ShownInFull[]): boolean {
  return inFull.some(({ feed, link }) => showsReasons(shownFeed(feed, link).options))
}

/** The same leaves as they are kept for somebody none of whose feeds shows reasons. */
export function withoutReasons<T extends object>(records: readonly T[]): readonly T[] {
  return records.map((leave) => ({ ...leave, reason: undefined }))
}

function showsReasons({ leaves: { show, detail } }: FeedOptions): boolean {
  return show && detail === 'full'
}

function hidesShifts(options: FeedOptions): boolean {
  const { show, duringLeave } = options.shifts
  return show && duringLeave === 'hide' && mayHaveShifts(options)
}
