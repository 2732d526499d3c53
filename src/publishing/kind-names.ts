import { languages } from '../calendar/words/languages.ts'
import type { Locale } from '../domain/feed.ts'
import type { FeedKind } from '../domain/kinds.ts'

/** What people call what a feed shows of that kind: "Leaves". */
export function kindName(kind: FeedKind, locale: Locale): string {
  return languages[locale].feedKinds[kind]
}
