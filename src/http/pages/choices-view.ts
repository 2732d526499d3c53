/* The form with what the holder of a link may choose, grouped by kind. */
import type { Feed } from '../../domain/feed.ts'
import type { FeedKind } from '../../domain/kinds.ts'
import type { ChoiceName, Choices } from '../../domain/link.ts'
import { formAsMade, offerChoices } from '../../feeds/self-service/held-link.ts'

/** The kind that a choice is about; null for the whole calendar. */
const kindOf: Readonly<Record<ChoiceName, FeedKind | null>> = {
  detail: 'leaves',
  leavesAs: 'leaves',
  leavesShowAs: 'leaves',
  shiftsAs: 'shifts',
  shiftsShowAs: 'shifts',
  timesheetsAs: 'timesheets',
  locale: null,
  reminderMinutes: null,
}

/**
 * Returns each kind with its choices, and those of the whole calendar, as `refused` has them if given; null if HR offers
 * none. `from` is the form before any change. A choice with one value is left out.
 */
export function viewChoices(feed: Feed, kept: Choices, refused = kept): object | null {
  const before = offerChoices(feed, kept)
  const offered = offerChoices(feed, refused)
  if (!before || !offered) return null
  const choicesOf = (kind: FeedKind | null): object[] =>
    offered.choices.filter(({ name, values }) => kindOf[name] === kind && values.length > 1)
  return {
    kinds: offered.kinds.map((it) => ({ ...it, choices: choicesOf(it.kind) })),
    general: choicesOf(null),
    from: formAsMade(before),
  }
}
