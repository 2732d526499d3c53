/* What the pages of a link and of a signed-in person both show about a calendar. */
import type { Request } from 'express'

import { type ClientActivity, clientStates } from '../../domain/activity.ts'
import type { Feed, Locale } from '../../domain/feed.ts'
import { type FeedKind, feedKinds } from '../../domain/kinds.ts'
import type { FeedLink } from '../../domain/link.ts'
import { type FeedCondition, kindName } from '../../publishing/feed-condition.ts'
import type { FirstDays } from '../../publishing/first-days.ts'
import type { PageDeps } from './page.ts'
import {
  dayHeading,
  entryTime,
  type PageTimes,
  pageTimes,
  readerLocale,
  writtenAs,
} from './times.ts'
import type { Notice, People } from './words/en-feed.ts'
import { pageLanguages, type PageWords } from './words/words.ts'

/** Formats times in the calendar's zone, in the reader's style. */
export function timesOf(
  { clock }: PageDeps,
  request: Request,
  timezone: string,
  locale: Locale,
): PageTimes {
  const { tag } = readerLocale(request, pageLanguages[locale].language)
  return pageTimes(clock.now(), timezone, writtenAs(tag))
}

/** Returns what the calendar shows, and what is stale or missing and why. */
export function viewCalendar(
  deps: PageDeps,
  request: Request,
  { feed, locale, people = null, conditions, firstDays }: CalendarToView,
): object {
  const { timezone, options } = feed
  const words = pageLanguages[locale]
  const reader = readerLocale(request, words.language)
  const times = timesOf(deps, request, timezone, locale)
  const nameOfKind = (kind: FeedKind): string =>
    kind === 'leaves' && people ? words.absences : kindName(kind, locale)
  const kindNames = feedKinds.filter((kind) => options[kind].show).map(nameOfKind)
  return {
    reader,
    timezone,
    calendarLocale: feed.locale,
    kindName: nameOfKind,
    kindNames,
    holds: words.holds(kindNames, people),
    conditions: conditions.map((it) => ({ ...sayCondition(it, locale, times), about: it.about })),
    firstDays: firstDays && viewDays(firstDays, writtenAs(reader.tag), words.preview),
  }
}

interface CalendarToView {
  readonly feed: Feed
  readonly locale: Locale
  /** Those in a calendar for others; left out for the reader's own. */
  readonly people?: People | null
  readonly conditions: readonly FeedCondition[]
  readonly firstDays?: FirstDays | undefined
}

function sayCondition(it: FeedCondition, locale: Locale, times: PageTimes): Notice {
  const words = pageLanguages[locale].condition
  if (it.about === 'leaves_held') return words.leaves_held(times.at(it.since))
  if (it.about === 'link_ends') return words.link_ends(times.date(it.at))
  if (it.about === 'team_too_large') return words.team_too_large(it.members, it.shown)
  if (it.about === 'unreadable_records') return words.unreadable_records(it.count)
  if (it.about !== 'stale' && it.about !== 'notStored') return words[it.about]
  const kinds = it.kinds.map((kind) => kindName(kind, locale))
  return words[it.about](kinds, times.at(it.since))
}

/** Renders the first days with the same words and order as the page's script. */
function viewDays(
  { today: date, entries, isCut, hasAny, hasAhead }: FirstDays,
  language: string,
  words: PageWords['preview'],
): object {
  const today = Date.parse(date)
  const days = [...Map.groupBy(entries, ({ day }) => day)].map(([day, ofDay]) => ({
    heading: dayHeading(language, day, today, words.today),
    entries: ofDay.map((entry) => {
      const { uid, kind, title } = entry.event
      return { uid, kind, title, time: entryTime(language, entry, today, words.allDay) }
    }),
  }))
  const nothing = hasAny ? (hasAhead ? words.emptyWeek : words.emptyAhead) : words.empty
  return { days, outcome: entries.length > 0 ? null : nothing, isCut }
}

/** Returns which programs polled the link, and whether they have its last change. */
export function viewVerdicts(
  link: FeedLink,
  activity: readonly ClientActivity[],
  { activity: { clients, verdict } }: PageWords,
  times: PageTimes,
): readonly object[] {
  return clientStates(link, activity).map((it) => ({
    client: clients[it.client],
    state: it.state,
    text: verdict(it, times),
  }))
}
