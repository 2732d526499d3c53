/* Feeds that end with a person, and open again when the person is back; feeds of teams go on without the person. */
import { type AuditEvent, logAuditEvent } from '../domain/access/audit-entry.ts'
import { bridge } from '../domain/access/staff.ts'
import type { Departure } from '../domain/departure.ts'
import type { FeedChange } from '../domain/feed-store.ts'
import { anotherPerson, type Feed } from '../domain/feed.ts'
import type { PeopleDeps } from './people-deps.ts'
import { followTeams } from './teams.ts'

type OwnFeedsDeps = Pick<PeopleDeps, 'departures' | 'feeds' | 'teams' | 'clock' | 'log'>

export function closeFeeds(deps: OwnFeedsDeps, departure: Departure): Promise<void> {
  const closed = { closedAt: deps.clock.now(), closedBecause: departure.because }
  return changeFeeds(deps, departure, closed)
}

/** The same for a believed departure; another node may find the person back meanwhile. */
export async function closeBelieved(deps: OwnFeedsDeps, departure: Departure): Promise<void> {
  await closeFeeds(deps, departure)
  const after = await deps.departures.findDeparture(departure.companyId, departure.userId)
  if (!after) await openFeeds(deps, departure)
}

export function openFeeds(deps: OwnFeedsDeps, departure: Departure): Promise<void> {
  return changeFeeds(deps, departure, { closedAt: null, closedBecause: null })
}

async function changeFeeds(
  deps: OwnFeedsDeps,
  { companyId, userId }: Departure,
  closing: Pick<Feed, 'closedAt' | 'closedBecause'>,
): Promise<void> {
  const isClosing = closing.closedAt !== null
  const action = isClosing ? 'feed_closed' : 'feed_opened'
  const event: AuditEvent = { at: deps.clock.now(), actor: bridge.actor, action }
  for (const { id } of await deps.departures.listOwnFeeds(companyId, userId)) {
    await changeFeed(deps, id, event, (feed) => {
      const isTheirs = feed.closedBecause !== anotherPerson
      return isTheirs && isClosing !== (feed.closedAt !== null) ? { ...feed, ...closing } : null
    })
  }
  await followTeams(deps, companyId, [userId])
}

/** Changes a feed, with an audit event unless `change` returns null. */
export async function changeFeed(
  { feeds, log }: OwnFeedsDeps,
  feedId: string,
  event: AuditEvent,
  change: (feed: Feed) => Feed | null,
): Promise<void> {
  const last = { isChanged: false }
  const noted: FeedChange = (feed) => {
    const changed = change(feed)
    last.isChanged = changed !== null
    return changed
  }
  const after = await feeds.changeFeed(feedId, noted, event)
  if (!after || !last.isChanged) return
  logAuditEvent(log, event, { companyId: after.companyId, feedId, userIds: after.userIds })
}
