import type { FeedKind } from '../../domain/kinds.ts'
import type { FeedCondition } from '../../publishing/feed-condition.ts'
import type { PageTimes } from './page-times.ts'
import type { ConditionWords, Notice } from './words/words.ts'

/** What is stale or missing, and why, in the words of one language. */
export function sayCondition(
  it: FeedCondition,
  words: ConditionWords,
  times: PageTimes,
  kindName: (kind: FeedKind) => string,
): Notice {
  if (it.about === 'stale') return words.stale(it.kinds.map(kindName), times.at(it.since))
  if (it.about === 'leaves_held') return words.leaves_held(times.at(it.since))
  if (it.about === 'link_ends') return words.link_ends(times.date(it.at))
  if (it.about === 'unreadable_records') return words.unreadable_records(it.count)
  return words[it.about]
}
