import { stringify } from 'node:querystring'

import type { FeedOptions } from '../../domain/feed-options.ts'
import { type Feed, type Locale, locales } from '../../domain/feed.ts'
import { type FeedKind, feedKinds } from '../../domain/kinds.ts'
import { type LeaveDetail, leaveDetails } from '../../domain/leave.ts'
import { boundedFeed, type Choices, shownFeed } from '../../domain/link.ts'

/** Minutes that are offered beside those that are set or chosen already. */
const usualReminders = [5, 10, 15, 30, 60, 120, 1440]

type Reminder = number | 'none'

/** What the holder of a link may choose, and what is chosen. */
export interface OfferedChoices {
  /** What the feed's options show: each can be hidden and shown again. */
  readonly kinds: readonly { readonly kind: FeedKind; readonly shown: boolean }[]
  /** The levels up to that of the options, lowest first; one alone where nothing is to choose. */
  readonly details: readonly LeaveDetail[]
  readonly detail: LeaveDetail
  readonly locales: readonly Locale[]
  readonly locale: Locale
  readonly reminders: readonly Reminder[]
  readonly reminder: Reminder
}

/** What may be chosen within the feed as HR set it; null where nothing may. */
export function offerChoices(feed: Feed, choices: Choices): OfferedChoices | null {
  if (!feed.options.selfService) return null
  const bounded = boundedFeed(feed, { choices }).options
  const { options, locale } = shownFeed(feed, { choices })
  const reminder = reminderOf(options)
  return {
    kinds: feedKinds
      .filter((kind) => bounded[kind].show)
      .map((kind) => ({ kind, shown: options[kind].show })),
    details: leaveDetails.slice(0, leaveDetails.indexOf(bounded.leaves.detail) + 1),
    detail: options.leaves.detail,
    locales,
    locale,
    reminders: remindersWith(reminder, reminderOf(feed.options)),
    reminder,
  }
}

/** What a form shows before anything is changed in it, written as the form itself is sent. */
export function formAsMade({ kinds, detail, locale, reminder }: OfferedChoices): string {
  const show = kinds.filter((it) => it.shown).map(({ kind }) => kind)
  return stringify({ show, detail, locale, reminderMinutes: String(reminder) })
}

function reminderOf({ reminderMinutes }: FeedOptions): Reminder {
  return reminderMinutes ?? 'none'
}

function remindersWith(...others: readonly Reminder[]): readonly Reminder[] {
  const minutes = [...usualReminders, ...others].filter((it) => it !== 'none')
  return ['none', ...[...new Set(minutes)].toSorted((a, b) => a - b)]
}
