import type { RecordKind } from '../../../domain/kinds.ts'
import type { LeaveStatus } from '../../../domain/leave.ts'
import type { Reason, SourceState } from '../../../publishing/explanation/reasons.ts'
import type { People } from './en-feed.ts'

const lists = new Intl.ListFormat('en-GB', { type: 'conjunction' })
const either = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** A reason, and what the reader can do about it. */
export interface Because {
  readonly why: string
  readonly todo: string
}

/** What a reason mentions of a record, in words; empty where there is nothing. */
export interface ToldRecord {
  /** "Tasks". */
  readonly kinds: string
  /** "Done". */
  readonly status: string
  readonly since: string
  readonly first: string
  readonly last: string
  /** Whether its day is before all days of the calendar. */
  readonly isPast: boolean
  /** Whether the reader has signed in and sees all of their links, not one. */
  readonly isOfAllLinks: boolean
}

type WithOtherWords =
  | 'shown'
  | 'status_not_shown'
  /** Told by the state of the collection. */
  | 'shown_stale'
  | 'shown_doubted'
  | 'leaves_unproven'

export type ReasonWords = Readonly<
  Record<Exclude<Reason['code'], WithOtherWords>, (it: ToldRecord) => Because>
>
export type StateWords = Readonly<
  Record<Exclude<SourceState['code'], 'current'>, (since: string) => Because>
>

const correct = 'Correct its dates, or ask HR to do so.'
const checked = 'Ask HR to check it.'
const byItself = 'Nothing to do: it updates by itself.'

export const enMissing = {
  heading: 'Something missing?',
  hint: 'Pick a day to see what this calendar shows, what it leaves out, and why.',
  day: 'Day',
  action: 'Look it up',
  shown: 'In this calendar',
  hidden: 'Not in this calendar',
  notes: 'How up to date this is',
  changes: 'When changes appear',
  failed: 'This cannot be looked up right now. Try again in a few minutes.',
  /** A record by its kind. */
  kinds: {
    leave: 'Leave',
    timesheet: 'Timesheet',
    task: 'Task',
    invoice: 'Invoice',
    schedule: 'Shift',
  } satisfies Record<RecordKind, string>,
  away: 'Away',
  pending: 'not approved yet',
  ofPerson: 'Name',
  otherSchedules: (count: number): string =>
    count === 1 ? 'One other work schedule' : `${count} other work schedules`,
  nothing: {
    own: (kinds: readonly string[]): string =>
      `Your company’s system has no ${anyOf(kinds)} for you on this day. Perhaps something has not been entered yet, or was entered for another day.`,
    others: 'There is nothing on this day.',
    /** Not everything could be read. */
    unread: 'Nothing is known about this day yet.',
    outside: (first: string, last: string): string =>
      `This calendar covers ${first} to ${last}. Other days are empty.`,
  },
  more: (kinds: readonly string[]): string =>
    `Your company’s system has no other ${anyOf(kinds)} for you on this day. Perhaps something has not been entered yet.`,
  switchedOff: 'Switched off for this link.',
  /** All that a calendar for others shows. */
  inGeneral: (kinds: readonly string[], { names, count }: People): string => {
    const who =
      names.length > 0 ? lists.format(names) : count === 1 ? 'one person' : `${count} people`
    return `This calendar shows ${lists.format(kinds)} of ${who}, and nothing else.`
  },
  approvedLeave: 'approved leave',
  anyLeave: 'approved and requested leave',
  choose: { link: 'Choose more below.', me: 'Choose more under “Your links”.' },
  notOn: (labels: readonly string[]): string =>
    `Not on ${lists.format(labels.map((label) => `“${label}”`))}: it is switched off there.`,
  leaveStatuses: {
    PENDING: {
      why: 'Your manager has not approved it yet; this calendar shows approved leave only.',
      todo: 'Ask your manager to approve it.',
    },
    APPROVED: {
      why: 'It is approved; this calendar shows only leave that still has to be approved.',
      todo: 'Ask HR if you want to see approved leave here.',
    },
    REJECTED: {
      why: 'It was rejected, so you are not away.',
      todo: 'Ask your manager if you did not expect that.',
    },
    CANCELLED: {
      why: 'It was cancelled, so you are not away.',
      todo: 'Nothing to do, unless it was cancelled by mistake.',
    },
  } satisfies Record<LeaveStatus, Because>,
  otherStatus: ({ kinds, status }: ToldRecord): Because => ({
    why: `Its status is “${status}”; this calendar leaves out ${kinds.toLowerCase()} with this status.`,
    todo: 'Ask HR if you want to see them here.',
  }),
  reasons: {
    shown_unreadable: ({ since }) => ({
      why: `It has been unreadable since ${since}; the calendar shows how it was before.`,
      todo: checked,
    }),
    kind_not_shown: ({ kinds }) => ({
      why: `This calendar does not show ${kinds.toLowerCase()}.`,
      todo: 'Ask HR if you want to see them here.',
    }),
    hidden_by_holder: ({ isOfAllLinks }) => ({
      why: isOfAllLinks
        ? 'It is switched off for all of your links.'
        : 'It is switched off for this link.',
      todo: '',
    }),
    only_away: () => ({
      why: 'Your only link shows just “Away”.',
      todo: 'Make another link for yourself.',
    }),
    nothing_to_do: () => ({
      why: 'It has been submitted; this calendar shows only timesheets that you still have to submit.',
      todo: 'Nothing to do: it comes back if it is rejected.',
    }),
    no_due_date: () => ({
      why: 'It has no due date.',
      todo: 'Nothing to do: it appears once it has one.',
    }),
    outside_window: ({ first, last, isPast }) => ({
      why: `This calendar covers ${first} to ${last}.`,
      todo: isPast
        ? 'Ask HR if this calendar should reach further back.'
        : 'Nothing to do: it appears once its day comes closer.',
    }),
    end_before_start: () => ({ why: 'It ends before it begins.', todo: correct }),
    no_length: () => ({ why: 'It begins and ends at the same time.', todo: correct }),
    out_of_range: () => ({ why: 'Its dates cannot be right.', todo: correct }),
    not_begun: () => ({
      why: 'It has not begun and has no end yet.',
      todo: 'Nothing to do: it appears once it has begun.',
    }),
    unknown_status: () => ({ why: 'We do not know what its status means.', todo: checked }),
    unknown_type: () => ({ why: 'We do not know this kind of work schedule.', todo: checked }),
    unknown_timezone: () => ({
      why: 'Its work schedule names a time zone that does not exist.',
      todo: checked,
    }),
    malformed_day: () => ({ why: 'The hours for this day cannot be read.', todo: checked }),
    missing_schedule: () => ({
      why: 'A work schedule of this calendar no longer exists.',
      todo: 'Ask HR to choose another one.',
    }),
    inactive_schedule: () => ({
      why: 'This work schedule is no longer in use.',
      todo: 'Ask HR to choose another one.',
    }),
    needs_rotation: () => ({
      why: 'Nobody has set which week of the rotation applies.',
      todo: 'Ask HR to set it.',
    }),
    unreadable: () => ({
      why: 'What your company’s system sends for this cannot be read.',
      todo: checked,
    }),
    schedule_not_chosen: () => ({
      why: 'This calendar follows a different work schedule.',
      todo: 'Ask HR if that is wrong.',
    }),
    project_not_chosen: () => ({
      why: 'This calendar does not show the project of this task.',
      todo: 'Ask HR if you want to see it here.',
    }),
    during_leave: () => ({
      why: 'You are on leave then.',
      todo: 'Nothing to do: it comes back if the leave is cancelled.',
    }),
    on_holiday: () => ({
      why: 'It is a public holiday; this calendar shows no shifts then.',
      todo: 'Ask HR if you work on this day.',
    }),
    not_in_rotation: () => ({
      why: 'It is another shift’s turn in the rotation.',
      todo: 'Ask HR if that is wrong.',
    }),
    no_shifts: () => ({ why: 'There is no shift on this day.', todo: 'Ask HR if that is wrong.' }),
    nobody_works: () => ({
      why: 'According to the work schedule, nobody works on this day.',
      todo: 'Ask HR if that is wrong.',
    }),
    calendar_full: () => ({
      why: 'This calendar is full: the days nearest to today come first.',
      todo: 'Nothing to do: it appears once its day comes closer.',
    }),
    belongs_to_another: () => ({
      why: 'Your company’s system also lists this leave for somebody else, and it counts as theirs.',
      todo: 'Ask HR if it is yours.',
    }),
    newer_copy: () => ({
      why: 'It is no longer assigned to you.',
      todo: 'Nothing to do, unless that is wrong.',
    }),
    person_left: () => ({
      why: 'Your company’s system no longer lists this person as an employee.',
      todo: 'Ask HR if that is wrong.',
    }),
    feed_revoked: () => ({ why: 'This calendar has ended.', todo: 'Ask HR for a new one.' }),
    feed_closed: () => ({ why: 'This calendar has ended.', todo: 'Ask HR for a new one.' }),
    link_ended: () => ({ why: 'This link has ended.', todo: 'Ask HR for a new one.' }),
    unavailable: () => ({
      why: 'Your company’s system is not answering properly. Calendar apps keep what they have.',
      todo: 'Nothing to do: it appears once the system answers.',
    }),
    left_out: () => ({ why: 'This calendar leaves it out.', todo: 'Ask HR why.' }),
  } satisfies ReasonWords,
  states: {
    not_answered: () => ({
      why: 'Not read yet: your company’s system has not answered.',
      todo: 'Nothing to do: it appears once the system answers.',
    }),
    not_asked: () => ({ why: 'Not read yet.', todo: 'Look again in a few minutes.' }),
    missing: () => ({
      why: 'Your company’s system no longer has what this calendar shows.',
      todo: 'Ask HR to check what it should show.',
    }),
    stale: (since) => ({
      why: `As of ${since}: your company’s system has not answered since then.`,
      todo: byItself,
    }),
    late: (since) => ({
      why: `As of ${since}: something newer is on its way.`,
      todo: 'Look again in a minute.',
    }),
    not_stored: (since) => ({
      why:
        since === ''
          ? 'Nothing can be saved right now.'
          : `As of ${since}: newer data cannot be saved right now.`,
      todo: byItself,
    }),
    doubted: (since) => ({
      why: `As of ${since}: the last answer had far fewer entries, so it is being checked.`,
      todo: byItself,
    }),
    not_believed: (since) => ({
      why: `As of ${since}: since then it is not certain who the leave from your company’s system belongs to.`,
      todo: 'Nothing to do: newer leave appears once that is certain.',
    }),
    unproven: () => ({
      why: 'None is shown: it is not yet certain who the leave from your company’s system belongs to.',
      todo: 'Nothing to do: it appears once that is certain.',
    }),
    person_held: (since) => ({
      why: `${since === '' ? 'Not shown yet' : `As of ${since}`}: your company’s system now has a different name and email address for this person.`,
      todo: 'Ask HR to confirm that it is the same person.',
    }),
    misnamed: () => ({
      why: 'Your company’s system now lists this person differently.',
      todo: 'Ask HR for a new calendar.',
    }),
  } satisfies StateWords,
  unreadable: (count: number): Because => ({
    why:
      count === 1
        ? 'One entry can no longer be read and stays as it was.'
        : `${count} entries can no longer be read and stay as they were.`,
    todo: 'Ask HR to check them.',
  }),
  asks: {
    /** `pause` is in minutes. */
    next: (client: string, ago: string, pause: number, by: string): string =>
      `${client} synced ${ago} and syncs about ${every(pause)}: changes appear by about ${by}.`,
    due: (client: string, ago: string): string =>
      `${client} synced ${ago} and should sync again soon: changes appear then.`,
    unknown: (client: string, ago: string): string =>
      `${client} synced ${ago}. It is not known when it will sync next: refresh the calendar there.`,
    now: 'just now',
    none: 'No calendar app has synced yet. Add the calendar first.',
  },
}

function anyOf(kinds: readonly string[]): string {
  return either.format(kinds.map((name) => name.toLowerCase()))
}

function every(minutes: number): string {
  if (minutes < 50) return `every ${Math.max(5, 5 * Math.round(minutes / 5))} minutes`
  const hours = Math.round(minutes / 60)
  if (hours <= 1) return 'every hour'
  if (hours < 20) return `every ${hours} hours`
  const days = Math.round(hours / 24)
  return days === 1 ? 'once a day' : `every ${days} days`
}
