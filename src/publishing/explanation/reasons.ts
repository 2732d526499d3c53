/* Why a record is in a calendar or not, as data; words for staff and for the pages are elsewhere. */
import type { SetAside } from '../../calendar/expansion.ts'
import type { Dates } from '../../calendar/record-dates.ts'
import type { RecordKind } from '../../domain/kinds.ts'
import type { LeaveProofReason } from '../../domain/leave.ts'
import type { PlainDate } from '../../domain/plain-date.ts'
import type { Instant } from '../../domain/world.ts'

/** Why no leave of a person is shown: no proof, or another id for them in the Read API. */
export type Unproven = LeaveProofReason | 'unproven' | 'misnamed'

export type Reason =
  | { readonly code: 'shown' }
  /**
   * Shown as it was read then: `stale`, nothing newer came; `doubted`, the last answer had far fewer records; `unreadable`, it has
   * been unreadable since then.
   */
  | {
      readonly code: 'shown_stale' | 'shown_doubted' | 'shown_unreadable'
      readonly since: Instant
    }
  | { readonly code: 'kind_not_shown' }
  /** The holder of the link has hidden it. */
  | { readonly code: 'hidden_by_holder' }
  /** The link was made to show only "Away". */
  | { readonly code: 'only_away' }
  /** Only statuses that are known or that the feed's options name. */
  | { readonly code: 'status_not_shown'; readonly status: string }
  /** `nothing_to_do`: the timesheet needs no action, and the calendar shows only those that do. */
  | { readonly code: 'nothing_to_do' | 'no_due_date' }
  /** Both inclusive. */
  | { readonly code: 'outside_window'; readonly first: PlainDate; readonly last: PlainDate }
  | { readonly code: SetAside['reason'] }
  | { readonly code: 'schedule_not_chosen' | 'project_not_chosen' }
  /** Nobody works on its days, so they have no event. */
  | { readonly code: 'nobody_works' }
  /** What hides all of the schedule's shifts in the window, or on the date that was asked for. */
  | { readonly code: 'during_leave' | 'on_holiday' | 'not_in_rotation' | 'no_shifts' }
  /** Events nearer to today fill the calendar. */
  | { readonly code: 'calendar_full' }
  | { readonly code: 'leaves_unproven'; readonly because: Unproven }
  /** The Read API also gives this leave for somebody else, who owns it. */
  | { readonly code: 'belongs_to_another' }
  /** Another copy of the task is newer and does not name the person. */
  | { readonly code: 'newer_copy' }
  | { readonly code: 'person_left' }
  | { readonly code: 'feed_revoked' | 'feed_closed' | 'link_ended'; readonly at: Instant }
  /** Calendar programs keep what they have; `message` says why. */
  | { readonly code: 'unavailable'; readonly message: string }
  /** Nothing more exact is known. */
  | { readonly code: 'left_out' }

const shownCodes = new Set<Reason['code']>([
  'shown',
  'shown_stale',
  'shown_doubted',
  'shown_unreadable',
])

export function isShown({ code }: Reason): boolean {
  return shownCodes.has(code)
}

/** A reason why a link hides what the feed itself shows. */
export type LinkReason = Extract<
  Reason,
  { readonly code: 'hidden_by_holder' } | { readonly code: 'only_away' }
>

export function isByLink(reason: Reason): reason is LinkReason {
  return reason.code === 'hidden_by_holder' || reason.code === 'only_away'
}

/** A record that was read, as one link or all links of a feed show it. */
export interface ExplainedRecord {
  readonly kind: RecordKind
  readonly id: string
  /** Null if it is about several of the feed's people or none. */
  readonly userId: string | null
  readonly shown: boolean
  readonly reason: Reason
  /** Links that hide it although the feed shows its kind. */
  readonly hiddenOn: readonly (LinkReason & { readonly label: string })[]
  /** Of the events that show it; several records may share one. */
  readonly uids: readonly string[]
  /** Null for schedules and records without a date. */
  readonly dates: Dates | null
}

/** How current a collection is that the feed needs. */
export type SourceState =
  | { readonly code: 'current' }
  /** No copy: `not_answered`, no usable answer yet; `not_asked`, not due yet; `missing`, the Read API has no such record. */
  | { readonly code: 'not_answered' | 'not_asked' | 'missing' }
  /** An earlier copy: nothing newer came (`stale`), is still under way (`late`) or could be stored (`not_stored`). */
  | { readonly code: 'stale' | 'late' | 'not_stored' }
  /** An earlier copy: the last answer had far fewer records and is being checked. */
  | { readonly code: 'doubted'; readonly since: Instant }
  /** Leaves as they were last proven: newer answers are not believed. */
  | { readonly code: 'not_believed' }
  | { readonly code: 'unproven'; readonly because: Unproven }
  /** The id may now be another person's. */
  | { readonly code: 'person_held' }
  /** The Read API answers with another id. */
  | { readonly code: 'misnamed' }

export interface ExplainedSource {
  /** `user` is the person's own record. */
  readonly kind: RecordKind | 'user'
  /** The user, project or invoice; null for schedules. */
  readonly subject: string | null
  readonly userId: string | null
  readonly state: SourceState
  readonly fetchedAt: Instant | null
  /** How many of its records can no longer be read and stay as they were. */
  readonly unreadable: number
}

export interface Explanation<R extends ExplainedRecord = ExplainedRecord> {
  readonly at: Instant
  /** What the calendar covers. */
  readonly dates: Dates
  readonly records: readonly R[]
  readonly sources: readonly ExplainedSource[]
}
