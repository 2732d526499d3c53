import type { Departure, DepartureStore } from '../domain/departure.ts'
import type { Feed, FeedStore } from '../domain/feed.ts'
import type { Clock, Log } from '../domain/world.ts'

interface DepartedFeedsDeps {
  readonly departures: Pick<DepartureStore, 'listOwnFeeds'>
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

/** Opens the own feeds of one who is back, or who is not believed to have left any more. */
export function openFeeds(deps: DepartedFeedsDeps, departure: Departure): Promise<void> {
  return changeFeeds(deps, departure, { closedAt: null, closedBecause: null })
}

async function changeFeeds(
  { departures, feeds, log }: DepartedFeedsDeps,
  { companyId, userId }: Departure,
  closing: Closing,
): Promise<void> {
  const isClosing = closing.closedAt !== null
  for (const before of await departures.listOwnFeeds(companyId, userId)) {
    const after = await feeds.changeFeed(before.id, (feed) =>
      isClosing === (feed.closedAt !== null) ? null : { ...feed, ...closing },
    )
    if (!after || after.revision === before.revision) continue
    const data = { company: companyId, feed: after.id, ...closing }
    log.info(data, isClosing ? 'feed_closed' : 'feed_opened')
  }
}
