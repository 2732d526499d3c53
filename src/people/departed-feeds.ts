import { type Deed, tellDeed } from '../domain/access/audit-entry.ts'
import { bridge } from '../domain/access/staff.ts'
import type { Departure, DepartureStore } from '../domain/departure.ts'
import { anotherPerson, type Feed, type FeedChange, type FeedStore } from '../domain/feed.ts'
import type { Clock, Log } from '../domain/world.ts'

interface DepartedFeedsDeps {
  readonly departures: Pick<DepartureStore, 'findDeparture' | 'listOwnFeeds'>
  readonly feeds: Pick<FeedStore, 'changeFeed'>
  readonly clock: Clock
  readonly log: Log
}

type Closing = Pick<Feed, 'closedAt' | 'closedBecause'>

/** Closes the own feeds of one who has left. */
export function closeFeeds(deps: DepartedFeedsDeps, departure: Departure): Promise<void> {
  const closed = { closedAt: deps.clock.now(), closedBecause: departure.because }
  return changeFeeds(deps, departure, closed)
}

/** The same for one who is believed to have left; another node may read meanwhile that they are back. */
export async function closeBelieved(deps: DepartedFeedsDeps, departure: Departure): Promise<void> {
  await closeFeeds(deps, departure)
  const after = await deps.departures.findDeparture(departure.companyId, departure.userId)
  if (!after) await openFeeds(deps, departure)
}

/** Opens the own feeds of one who is back, or who is not believed to have left any more. */
export function openFeeds(deps: DepartedFeedsDeps, departure: Departure): Promise<void> {
  return changeFeeds(deps, departure, { closedAt: null, closedBecause: null })
}

async function changeFeeds(
  { departures, feeds, clock, log }: DepartedFeedsDeps,
  { companyId, userId }: Departure,
  closing: Closing,
): Promise<void> {
  const isClosing = closing.closedAt !== null
  const action = isClosing ? 'feed_closed' : 'feed_opened'
  const deed: Deed = { at: clock.now(), actor: bridge.actor, action }
  for (const { id } of await departures.listOwnFeeds(companyId, userId)) {
    const last = { isChanged: false }
    const change: FeedChange = (feed) => {
      const isTheirs = feed.closedBecause !== anotherPerson
      last.isChanged = isTheirs && isClosing !== (feed.closedAt !== null)
      return last.isChanged ? { ...feed, ...closing } : null
    }
    const after = await feeds.changeFeed(id, change, deed)
    if (!after || !last.isChanged) continue
    tellDeed(log, deed, { companyId, feedId: id, userIds: after.userIds })
  }
}
