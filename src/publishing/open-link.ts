import type { Connection } from '../domain/connection.ts'
import { AppError } from '../domain/errors.ts'
import { type Feed, shownFeed } from '../domain/feed.ts'
import { type FeedLink, hashToken, type LinkStore } from '../domain/link.ts'
import type { Clock } from '../domain/world.ts'
import type { EndedLink } from './ended-calendar.ts'
import { endOf, purgedSince } from './link-end.ts'
import type { OpenLink } from './publisher.ts'

export interface LinkDeps {
  readonly links: Pick<LinkStore, 'findByTokenHash'>
  readonly clock: Clock
  readonly connections: ReadonlyMap<string, Connection>
}

/** The link of that secret, open to be served; `not_found` for an unknown one, `gone` for one that has ended. */
export async function openLink(deps: LinkDeps, token: string): Promise<OpenLink> {
  const open = await openLinkAsSet(deps, token)
  return { ...open, feed: shownFeed(open.feed) }
}

/**
 * The same for a calendar client, to whom a purged link goes on to say for 30 days that it has ended. `onFound` is told the
 * link before anything else is asked of it.
 */
export async function openCalendar(
  deps: LinkDeps,
  token: string,
  onFound: (link: FeedLink) => void,
): Promise<OpenLink | EndedLink> {
  const { feed, link } = await findLink(deps, token)
  onFound(link)
  const endedAt = purgedSince(feed, link, deps.clock.now())
  return endedAt === null
    ? { feed: shownFeed(feed), link, connection: connectionOf(deps, feed) }
    : { feed, link, endedAt }
}

/** The same, its feed as HR set it: without what the holder of the link has hidden or lowered. */
export async function openLinkAsSet(deps: LinkDeps, token: string): Promise<OpenLink> {
  const { feed, link } = await findLink(deps, token)
  if (endOf(feed, link, deps.clock.now())) throw new AppError('gone', 'This calendar has ended.')
  return { feed, link, connection: connectionOf(deps, feed) }
}

async function findLink(
  { links }: LinkDeps,
  token: string,
): Promise<{ feed: Feed; link: FeedLink }> {
  const tokenHash = hashToken(token)
  const found = tokenHash && (await links.findByTokenHash(tokenHash))
  if (!found) throw new AppError('not_found', 'There is no such calendar.')
  return found
}

function connectionOf({ connections }: LinkDeps, { companyId }: Feed): Connection {
  const connection = connections.get(companyId)
  if (!connection) throw new AppError('unavailable', 'The company of this calendar is not set up.')
  return connection
}
