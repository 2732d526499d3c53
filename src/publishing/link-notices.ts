import { linkEndsNotice } from '../calendar/notices.ts'
import type { CalendarEvent } from '../domain/calendar-event.ts'
import type { Feed } from '../domain/feed.ts'
import type { FeedLink } from '../domain/link.ts'

/** The notice in the calendar of a link that will end; the other links of the feed do not have it. */
export function linkNotices({ label, endsAt }: FeedLink, feed: Feed): readonly CalendarEvent[] {
  return endsAt === null ? [] : [linkEndsNotice({ feed, label, endsAt })]
}
