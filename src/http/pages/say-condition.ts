import type { Locale } from '../../domain/feed.ts'
import type { FeedCondition } from '../../publishing/feed-condition.ts'
import { kindName } from '../../publishing/kind-names.ts'
import type { PageTimes } from './page-times.ts'
import { pageLanguages } from './words/languages.ts'
import type { Notice } from './words/words.ts'

/** What is stale or missing, and why, in words. */
export function sayCondition(it: FeedCondition, locale: Locale, times: PageTimes): Notice {
  const words = pageLanguages[locale].condition
  if (it.about === 'leaves_held') return words.leaves_held(times.at(it.since))
  if (it.about === 'link_ends') return words.link_ends(times.date(it.at))
  if (it.about === 'unreadable_records') return words.unreadable_records(it.count)
  if (it.about !== 'stale' && it.about !== 'unkept') return words[it.about]
  const kinds = it.kinds.map((kind) => kindName(kind, locale))
  return words[it.about](kinds, times.at(it.since))
}
