import type { Request } from 'express'

import { mailedLabel } from '../../../domain/access/lost-link.ts'
import { type ClientActivity, clientStates } from '../../../domain/activity.ts'
import type { Feed } from '../../../domain/feed.ts'
import type { FeedLink } from '../../../domain/link.ts'
import { isHeld } from '../../../feeds/holding/link-holding.ts'
import { labelBefore } from '../../../feeds/links-going-on.ts'
import { isolated } from '../../../text/isolated-text.ts'
import type { HttpDeps } from '../../http-deps.ts'
import { type PageTimes, pageTimes } from '../page-times.ts'
import { readerLocale, writtenAs } from '../reader-locale.ts'
import { pageLanguages } from '../words/languages.ts'
import type { PageWords } from '../words/words.ts'

interface LinksToView {
  readonly feed: Feed
  readonly links: readonly FeedLink[]
  readonly locale: keyof typeof pageLanguages
  readonly request: Request
}

/** What the page shows of each link, and which program has asked for it when. */
export async function viewLinks(
  deps: Pick<HttpDeps, 'activity' | 'clock'>,
  { feed, links, locale, request }: LinksToView,
): Promise<readonly object[]> {
  const words = pageLanguages[locale]
  const language = writtenAs(readerLocale(request, words.language).tag)
  const times = pageTimes(deps.clock.now(), feed.timezone, language)
  const activity = await deps.activity.listActivity([feed.id])
  return links.map((link) => ({
    label: link.label,
    shownLabel: sayLabel(link, words),
    isOnlyAway: link.choices.onlyAway === true,
    isHeld: isHeld(link),
    since: saySince(link, words, times),
    verdicts: viewVerdicts(link, activity, words, times),
  }))
}

/** When it was made or, where it has an end, when that comes. */
function saySince(link: FeedLink, { me: { links } }: PageWords, times: PageTimes): string {
  if (link.endsAt === null) return links.made(times.date(link.createdAt))
  const date = times.date(link.endsAt)
  return isHeld(link) ? links.unused(date) : links.ends(date)
}

/** Links that the bridge has named have a name in words, and one that is to end has the name that it had. */
function sayLabel({ label }: FeedLink, { me: { links } }: PageWords): string {
  const before = labelBefore(label)
  if (before === 'default') return links.first
  return before === mailedLabel ? links.mailed : isolated(before)
}

function viewVerdicts(
  link: FeedLink,
  activity: readonly ClientActivity[],
  { activity: { clients, verdict } }: PageWords,
  times: PageTimes,
): readonly object[] {
  return clientStates(link, activity).map((it) => ({
    client: clients[it.client],
    text: verdict(it, times),
  }))
}
