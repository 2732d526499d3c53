import { type SetAside, statusName } from '../calendar/expansion.ts'
import { languages } from '../calendar/words.ts'
import { kinds, projectsOf } from '../copies/kinds.ts'
import { holdsRecords } from '../domain/copy.ts'
import type { Locale } from '../domain/feed.ts'
import { type FeedKind, feedKinds } from '../domain/kinds.ts'
import type { LeaveProofReason } from '../domain/leave.ts'
import { certainEnd, type FeedLink } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'
import type { TeamCondition } from '../people/teams.ts'
import type { OpenLink } from './open-link.ts'
import type { CalendarState } from './serviceability.ts'

/** Something stale or missing in a calendar, and why. */
export type FeedCondition =
  /** Nothing can be served: calendar programs keep what they have. */
  | { readonly about: 'unavailable' }
  /** The last good copies are shown, the oldest from `since`: nothing newer came, or the database did not store it. */
  | {
      readonly about: 'stale' | 'notStored'
      readonly kinds: readonly FeedKind[]
      readonly since: Instant
    }
  | { readonly about: 'leaves_missing'; readonly reason: LeaveProofReason | 'unproven' }
  /** The Read API uses another id for a person of the calendar. */
  | { readonly about: 'misnamed' }
  /** The id of a person may belong to somebody else by now. */
  | { readonly about: 'person_held' }
  /** Leave is shown as proven then; newer answers are not believed. */
  | { readonly about: 'leaves_held'; readonly since: Instant }
  | { readonly about: 'nothing_shown' | 'unknown_schedules' | 'no_schedule' }
  | { readonly about: 'no_projects' | 'no_invoices' }
  | { readonly about: (typeof scheduleFaults)[number] }
  /** The Read API has no such project or invoice. */
  | { readonly about: 'no_such_project' | 'no_such_invoice' }
  | { readonly about: 'unreadable_records'; readonly count: number }
  | { readonly about: 'link_ends'; readonly at: Instant }
  | TeamCondition

const scheduleFaults = ['missing_schedule', 'inactive_schedule', 'needs_rotation'] as const

type Served = Pick<CalendarState, 'feed' | 'source' | 'states' | 'serviceability'>

/** "Leaves", in that language. */
export function kindName(kind: FeedKind, locale: Locale): string {
  return languages[locale].feedKinds[kind]
}

/** "In progress", in that language. */
export function statusText(status: string, locale: Locale): string {
  return statusName(status, languages[locale])
}

/** What a reader of the calendar should know, most serious first; `state` is null while nothing can be served. */
export function feedConditions(
  open: Pick<OpenLink, 'feed' | 'source'> & {
    readonly link: Pick<FeedLink, 'endsAt' | 'awaitsPoll'>
  },
  state: Served | null,
  setAside: readonly SetAside[],
): readonly FeedCondition[] {
  const endsAt = certainEnd(open.link)
  return [
    ...(endsAt === null ? [] : [{ about: 'link_ends', at: endsAt } as const]),
    ...(state ? stateConditions(state) : [{ about: 'unavailable' } as const]),
    ...optionConditions(state ?? open),
    ...setAsideConditions(setAside, state?.states ?? []),
  ]
}

function stateConditions(state: Served): readonly FeedCondition[] {
  const { leavesMissing } = state.serviceability
  const isMisnamed = state.states.some(({ misnamed }) => misnamed)
  // Then the other id explains the missing leave.
  const isExplained = isMisnamed && leavesMissing === 'unproven'
  const missing = new Set(
    state.states.flatMap(({ request, head, absent }) =>
      absent || (head && head.missingSince !== null && !holdsRecords(head))
        ? [request.collection.kind]
        : [],
    ),
  )
  return [
    ...(isMisnamed ? [{ about: 'misnamed' } as const] : []),
    ...(state.states.some(({ held }) => held) ? [{ about: 'person_held' } as const] : []),
    ...(leavesMissing === null || isExplained
      ? []
      : [{ about: 'leaves_missing', reason: leavesMissing } as const]),
    ...heldLeaves(state),
    ...staleness(state),
    ...(missing.has('tasks') ? [{ about: 'no_such_project' } as const] : []),
    ...(missing.has('invoice') ? [{ about: 'no_such_invoice' } as const] : []),
  ]
}

function heldLeaves({ states }: Served): readonly FeedCondition[] {
  const misnamed = new Set(
    states.flatMap((it) => (it.misnamed ? [it.request.collection.subject] : [])),
  )
  const held = states.flatMap(({ head, refused, request }) =>
    head && refused && !misnamed.has(request.collection.subject) ? [head.fetchedAt] : [],
  )
  return held.length > 0 ? [{ about: 'leaves_held', since: Math.min(...held) }] : []
}

function staleness({ states }: Served): readonly FeedCondition[] {
  const stale = states.filter(({ failed, refused, held }) => failed && !refused && !held)
  const { notStored = [], unanswered = [] } = Object.groupBy(stale, (it) =>
    it.notStored ? 'notStored' : 'unanswered',
  )
  return [...lastKept('notStored', notStored), ...lastKept('stale', unanswered)]
}

function lastKept(
  about: 'stale' | 'notStored',
  states: CalendarState['states'],
): readonly FeedCondition[] {
  const stale = states.flatMap(({ request, head }) => {
    const kind = kinds[request.collection.kind].shownAs
    return kind && head ? [{ kind, since: head.fetchedAt }] : []
  })
  if (stale.length === 0) return []
  const stalled = [...new Set(stale.map(({ kind }) => kind))]
  return [{ about, kinds: stalled, since: Math.min(...stale.map(({ since }) => since)) }]
}

function optionConditions({
  feed,
  source,
}: Pick<OpenLink, 'feed' | 'source'>): readonly FeedCondition[] {
  const { shifts, tasks, invoices } = feed.options
  const isEmpty = feedKinds.every((kind) => !feed.options[kind].show)
  const needsSchedules = shifts.show && shifts.rotation === null
  const lacksProjects = projectsOf(feed, source.connection.company).length === 0
  return [
    ...(isEmpty ? [{ about: 'nothing_shown' } as const] : []),
    ...(needsSchedules && shifts.scheduleIds === null
      ? [{ about: 'unknown_schedules' } as const]
      : []),
    ...(needsSchedules && shifts.scheduleIds?.length === 0
      ? [{ about: 'no_schedule' } as const]
      : []),
    ...(tasks.show && lacksProjects ? [{ about: 'no_projects' } as const] : []),
    ...(invoices.show && invoices.invoiceIds.length === 0
      ? [{ about: 'no_invoices' } as const]
      : []),
  ]
}

/** Records that cannot be shown, and records shown as they were because they cannot be read any more. */
function setAsideConditions(
  setAside: readonly SetAside[],
  states: Served['states'],
): readonly FeedCondition[] {
  const isScheduleFault = ({ reason }: SetAside): boolean =>
    scheduleFaults.some((fault) => fault === reason)
  const held = states.flatMap(({ head }) => Object.keys(head?.held ?? {})).length
  const count = held + setAside.filter((it) => !isScheduleFault(it)).length
  return [
    ...scheduleFaults
      .filter((fault) => setAside.some(({ reason }) => reason === fault))
      .map((about) => ({ about }) as const),
    ...(count > 0 ? [{ about: 'unreadable_records', count } as const] : []),
  ]
}
