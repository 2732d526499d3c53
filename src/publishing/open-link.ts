import type { Source } from '../copies/source.ts'
import { AppError } from '../domain/errors.ts'
import type { Feed } from '../domain/feed.ts'
import { type FeedLink, type LinkOfFeed, type LinkStore, shownFeed } from '../domain/link.ts'
import { hashSecret } from '../domain/secrets.ts'
import type { Clock, Instant } from '../domain/world.ts'

/** For how long a purged link answers with a calendar of one event. */
const purgeMs = 30 * 86_400_000

/** A link that is open, its feed as it is shown, and the company it reads. */
export interface OpenLink {
  readonly link: FeedLink
  readonly feed: Feed
  readonly source: Source
}

/** A purged link, within the days in which it says so. */
export interface EndedLink {
  readonly feed: Feed
  readonly link: FeedLink
  readonly endedAt: Instant
}

export interface LinkDeps {
  readonly links: Pick<LinkStore, 'findByTokenHash'>
  /** By company. */
  readonly sources: ReadonlyMap<string, Source>
  readonly clock: Clock
}

/** The link of that secret, open to be served; `not_found` for an unknown one, `gone` for one that has ended. */
export async function openLink(deps: LinkDeps, token: string): Promise<OpenLink> {
  const open = await openLinkAsSet(deps, token)
  return { ...open, feed: shownFeed(open.feed, open.link) }
}

/** The same, its feed as HR set it: without what the holder of the link has chosen. */
export async function openLinkAsSet(deps: LinkDeps, token: string): Promise<OpenLink> {
  const { feed, link } = await findLink(deps, token)
  refuseEnded(feed, link, deps.clock.now())
  return { feed, link, source: sourceOf(deps, feed) }
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
  const shown = shownFeed(feed, link)
  if (endedAt !== null) return { feed: shown, link, endedAt }
  return { feed: shown, link, source: sourceOf(deps, feed) }
}

/** `gone` for a link that has ended, or whose feed has. */
export function refuseEnded(feed: Feed, link: FeedLink, now: Instant): void {
  if (endOf(feed, link, now)) throw ended()
}

/** The link and its feed as they are by now; `not_found` where they have been removed. */
export async function findAgain(
  { links }: Pick<LinkDeps, 'links'>,
  { tokenHash }: FeedLink,
): Promise<LinkOfFeed> {
  const found = await links.findByTokenHash(tokenHash)
  if (!found) throw new AppError('not_found', 'There is no such calendar.')
  return found
}

/** Fails where the feed has been closed (`gone`) or removed (`not_found`) since it was read. */
export async function refuseClosed(deps: Pick<LinkDeps, 'links'>, link: FeedLink): Promise<void> {
  const { feed } = await findAgain(deps, link)
  if (feed.closedAt !== null) throw ended()
}

async function findLink(
  { links }: LinkDeps,
  token: string,
): Promise<{ feed: Feed; link: FeedLink }> {
  const tokenHash = hashSecret('cfb', token)
  const found = tokenHash && (await links.findByTokenHash(tokenHash))
  if (!found) throw new AppError('not_found', 'There is no such calendar.')
  return found
}

/** The feed's company; `unavailable` if it is not set up. */
export function sourceOf({ sources }: Pick<LinkDeps, 'sources'>, { companyId }: Feed): Source {
  const source = sources.get(companyId)
  if (!source) throw new AppError('unavailable', 'The company of this calendar is not set up.')
  return source
}

/** Since when all that is left of the calendar is the event that says so; null for a calendar that goes on. `gone` after that. */
function purgedSince(feed: Feed, link: FeedLink, now: Instant): Instant | null {
  const end = endOf(feed, link, now)
  if (!end) return null
  if (end.purgedAt !== null && now - end.purgedAt < purgeMs) return end.purgedAt
  throw ended()
}

/** How what a link serves came to its end. */
interface LinkEnd {
  readonly at: Instant
  /** Since when a calendar says so, for 30 days; null where only the status does. */
  readonly purgedAt: Instant | null
}

/**
 * The earliest end that the link and its feed were given, and only without any the closing of the feed: who ends a
 * feed that the bridge has closed itself says how. Undefined while neither has ended.
 */
function endOf(feed: Feed, link: FeedLink, now: Instant): LinkEnd | undefined {
  const [given] = [
    ...endAt(link.endsAt, link.purged ? link.endsAt : null, now),
    ...endAt(feed.revokedAt, feed.purgedAt, now),
  ].toSorted((a, b) => a.at - b.at)
  return given ?? endAt(feed.closedAt, null, now)[0]
}

/** None where it has not come. */
function endAt(at: Instant | null, purgedAt: Instant | null, now: Instant): readonly LinkEnd[] {
  return at !== null && at <= now ? [{ at, purgedAt }] : []
}

function ended(): AppError {
  return new AppError('gone', 'This calendar has ended.')
}
