import type { CalendarEvent } from '../domain/calendar-event.ts'
import type { Feed } from '../domain/feed.ts'
import { addDays, type PlainDate } from '../domain/plain-date.ts'
import type { Instant } from '../domain/world.ts'
import { eventUid } from './build-event.ts'
import { localTime } from './local-time.ts'
import { languages } from './words.ts'

type NoticeFeed = Pick<Feed, 'companyId' | 'timezone' | 'locale'>

/** Returns an all-day event on the date when the link ends, in the feed's time zone. */
export function linkEndsNotice(feed: NoticeFeed, label: string, endsAt: Instant): CalendarEvent {
  const date = localTime(feed.timezone).dateAt(endsAt)
  return notice(feed, `linkends_${label}`, date, languages[feed.locale].linkEnds(date))
}

export function endedNotice(feed: NoticeFeed, endedAt: Instant): CalendarEvent {
  const date = localTime(feed.timezone).dateAt(endedAt)
  return notice(feed, 'ended', date, languages[feed.locale].ended)
}

function notice(
  { companyId, locale }: NoticeFeed,
  id: string,
  date: PlainDate,
  title: string,
): CalendarEvent {
  return {
    uid: eventUid(companyId, 'notice', id),
    kind: 'notice',
    time: { allDay: true, start: date, end: addDays(date, 1) },
    title,
    description: null,
    status: 'CONFIRMED',
    busy: 'FREE',
    categories: [languages[locale].kinds.notice],
    color: null,
    priority: null,
    url: null,
    reminderMinutes: null,
  }
}
