import type { Connection } from '../domain/connection.ts'
import { AppError } from '../domain/errors.ts'
import type { Feed, FeedLink } from '../domain/feed.ts'
import type { Instant } from '../domain/instant.ts'
import type { Clock, FeedStore } from '../domain/ports.ts'
import { shownFeed } from './feed-collections.ts'
import type { OpenLink } from './publisher.ts'
import { hashToken } from './token.ts'

export interface LinkDeps {
  readonly feeds: FeedStore
  readonly clock: Clock
  readonly connections: ReadonlyMap<string, Connection>
}

/** The link of that secret, open to be served; `not_found` for an unknown one, `gone` for one that has ended. */
export async function openLink(deps: LinkDeps, token: string): Promise<OpenLink> {
  const open = await openLinkAsSet(deps, token)
  return { ...open, feed: shownFeed(open.feed) }
}

/** The same, its feed as HR set it: without what the holder of the link has hidden or lowered. */
export async function openLinkAsSet(
  { feeds, clock, connections }: LinkDeps,
  token: string,
): Promise<OpenLink> {
  const tokenHash = hashToken(token)
  const found = tokenHash && (await feeds.findByTokenHash(tokenHash))
  if (!found) throw new AppError('not_found', 'There is no such calendar.')
  if (hasEnded(found.feed, found.link, clock.now())) {
    throw new AppError('gone', 'This calendar has ended.')
  }
  const connection = connections.get(found.feed.companyId)
  if (!connection) throw new AppError('unavailable', 'The company of this calendar is not set up.')
  return { feed: found.feed, link: found.link, connection }
}

function hasEnded(feed: Feed, { endsAt }: FeedLink, now: Instant): boolean {
  return feed.revokedAt !== null || feed.closedAt !== null || (endsAt !== null && endsAt <= now)
}
