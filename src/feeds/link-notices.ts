import { linkEndsNotice } from '../calendar/notices.ts'
import type { RevisedEvent } from '../domain/calendar-event.ts'
import type { Feed, FeedLink } from '../domain/feed.ts'
import type { Instant } from '../domain/instant.ts'

/** The notice in the calendar of a link that will end. It belongs to the link, so the feed's ledger does not know it. */
export function linkNotices(link: FeedLink, feed: Feed): readonly RevisedEvent[] {
  if (link.endsAt === null) return []
  const notice = linkEndsNotice({ feed, label: link.label, endsAt: link.endsAt })
  return [{ ...notice, sequence: 0, changedAt: wholeSecond(link.endingSince ?? link.createdAt) }]
}

/** As RFC 5545 writes it. */
function wholeSecond(instant: Instant): Instant {
  return Math.floor(instant / 1000) * 1000
}
