import { AppError } from '../domain/errors.ts'
import type { Feed } from '../domain/feed.ts'
import type { FeedLink } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'

/** For how long a purged link answers with a calendar of one event. */
const purgeMs = 30 * 86_400_000

/** How what a link serves came to its end. */
export interface LinkEnd {
  readonly at: Instant
  /** Whether a calendar says so for 30 days. */
  readonly purged: boolean
}

/** The earliest end of the link and of its feed; null while neither has ended. */
export function endOf(feed: Feed, link: FeedLink, now: Instant): LinkEnd | null {
  const ends = [
    { at: link.endsAt, purged: link.purged },
    { at: feed.revokedAt, purged: feed.purged },
    { at: feed.closedAt, purged: false },
  ]
  const come = ends.flatMap(({ at, purged }) => (at !== null && at <= now ? [{ at, purged }] : []))
  return come.toSorted((a, b) => a.at - b.at)[0] ?? null
}

/** Since when all that is left of the calendar is the event that says so; null for a calendar that goes on. `gone` after that. */
export function purgedSince(feed: Feed, link: FeedLink, now: Instant): Instant | null {
  const end = endOf(feed, link, now)
  if (!end) return null
  if (end.purged && now - end.at < purgeMs) return end.at
  throw new AppError('gone', 'This calendar has ended.')
}
