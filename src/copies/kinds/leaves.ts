import type { ShownInFull } from '../../domain/connection.ts'
import { fittingRecords } from '../../domain/copy.ts'
import type { FeedOptions } from '../../domain/feed-options.ts'
import { type Leave, leaveStatuses, withBegin } from '../../domain/leave.ts'
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
  async read(
    { collection: { subject }, scope },
    { api, company, now, showsReasons: isShown, ...asking },
  ) {
    const withReasons = scope.reasons || isShown(subject)
    // The same leaves with their reasons are another copy than those without.
    const named = (digest: string): string => (withReasons ? `${digest} in full` : digest)
    const isKnown = (digest: string): boolean => asking.isKnown(named(digest))
    const answer = await api.listUnlessKnown(
      'leaves',
      { employee: subject },
      { ...asking, isKnown },
    )
    if (!answer) return null
    const { digest: whole, ...reading } = fittingRecords(answer)
    const records = reading.records.map((leave) => withBegin(leave, company, now))
    // The same answer says more once it has begun.
    const isKnowable = records.every(({ hasBegun }) => hasBegun !== false)
    const digest = whole !== undefined && isKnowable ? { digest: named(whole) } : {}
    if (withReasons) return { ...reading, records, ...digest, withReasons }
    return { ...reading, records: withoutReasons(records), ...digest }
  },
  keep: ({ id, startDate, endDate, hasBegun, status, days, reason, leaveType }) => ({
    id,
    startDate,
    endDate,
    ...(hasBegun === undefined ? {} : { hasBegun }),
    status,
    days,
    reason,
    leaveType: leaveType && { name: leaveType.name },
  }),
  countedBy: (leave) => (isLegible(leave) ? [leave.id] : []),
}

/** Whether a calendar can tell whether to show it, and when: that all leaves are there says little where none has a status. */
function isLegible({ status, startDate, endDate }: Leave): boolean {
  const isForward = endDate === null || endDate > startDate - dayMs
  return leaveStatuses.some((it) => it === status) && isForward
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
