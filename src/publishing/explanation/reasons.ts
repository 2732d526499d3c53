/* Why a record stands in a calendar or does not, as data: who tells it chooses the words. */
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
   * Shown as it was read then: `stale`, nothing newer came; `doubted`, the last answer held much less; `unreadable`, since then it
   * cannot be read.
   */
  | {
      readonly code: 'shown_stale' | 'shown_doubted' | 'shown_unreadable'
      readonly since: Instant
    }
  | { readonly code: 'kind_not_shown' }
  /** The holder of the link has chosen so. */
  | { readonly code: 'hidden_by_holder' }
  /** The link was made to show only "Away". */
  | { readonly code: 'only_away' }
  /** Only statuses that are known or that the feed's options name. */
  | { readonly code: 'status_not_shown'; readonly status: string }
  /** Nothing is to be done about the timesheet, and the calendar shows what is still to do. */
  | { readonly code: 'nothing_to_do' | 'no_due_date' }
  /** Both inclusive. */
  | { readonly code: 'outside_window'; readonly first: PlainDate; readonly last: PlainDate }
  | { readonly code: SetAside['reason'] }
  | { readonly code: 'schedule_not_chosen' | 'project_not_chosen' }
  /** Only days on which somebody works have an event, and these are others. */
  | { readonly code: 'nobody_works' }
  /** The schedule's shifts, all of them in the window or on the date that was asked for. */
  | { readonly code: 'during_leave' | 'on_holiday' | 'not_in_rotation' | 'no_shifts' }
  /** The nearest events fill the calendar. */
  | { readonly code: 'calendar_full' }
  | { readonly code: 'leaves_unproven'; readonly because: Unproven }
  /** The Read API answers with this leave for somebody else, too, to whom it belongs. */
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
  /** Null if it is about several of the feed's people, or about none. */
  readonly userId: string | null
  readonly shown: boolean
  readonly reason: Reason
  /** The links that hide it, although the feed shows its kind. */
  readonly hiddenOn: readonly (LinkReason & { readonly label: string })[]
  /** Of the events that stand for it; several records may share one. */
  readonly uids: readonly string[]
  /** Null for schedules, and where it has none. */
  readonly dates: Dates | null
}

/** What a collection of records that the feed needs is like now. */
export type SourceState =
  | { readonly code: 'current' }
  /** No copy: `not_answered`, nothing usable came yet; `not_asked`, it was not due; `missing`, the Read API has no such thing. */
  | { readonly code: 'not_answered' | 'not_asked' | 'missing' }
  /** The copy stands as it was read: nothing newer came, or is still under way, or was not stored. */
  | { readonly code: 'stale' | 'late' | 'not_stored' }
  /** The copy stands: the last answer held much less, and is read again. */
  | { readonly code: 'doubted'; readonly since: Instant }
  /** Leave that stands as it was proven then: newer answers are not believed. */
  | { readonly code: 'not_believed' }
  | { readonly code: 'unproven'; readonly because: Unproven }
  /** The id may be another person's by now. */
  | { readonly code: 'person_held' }
  /** The Read API answers with a person of another id. */
  | { readonly code: 'misnamed' }

export interface ExplainedSource {
  /** `user` is the person's own record. */
  readonly kind: RecordKind | 'user'
  /** The user, project or invoice; null for schedules. */
  readonly subject: string | null
  readonly userId: string | null
  readonly state: SourceState
  readonly fetchedAt: Instant | null
  /** How many of its records stay as they were read, since they cannot be read any more. */
  readonly unreadable: number
}

export interface Explanation<R extends ExplainedRecord = ExplainedRecord> {
  readonly at: Instant
  /** What the calendar covers. */
  readonly dates: Dates
  readonly records: readonly R[]
  readonly sources: readonly ExplainedSource[]
}
