import type { Source } from '../copies/source.ts'
import { AppError } from '../domain/errors.ts'
import type { Feed } from '../domain/feed.ts'
import { type FeedLink, type LinkOfFeed, type LinkStore, shownFeed } from '../domain/link.ts'
import { hashSecret } from '../domain/secrets.ts'
import type { Clock, Instant } from '../domain/world.ts'

/** How long a purged link serves a calendar with one event. */
const purgeMs = 30 * 86_400_000

export interface OpenLink {
  readonly link: FeedLink
  readonly feed: Feed
  readonly source: Source
}

/** A purged link that still serves a calendar saying so. */
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

/** `not_found`, or `gone` if it has ended. */
export async function openLink(deps: LinkDeps, token: string): Promise<OpenLink> {
  const open = await openLinkWithoutChoices(deps, token)
  return { ...open, feed: shownFeed(open.feed, open.link) }
}

/** With the feed as HR set it, ignoring the choices of the link's holder. */
export async function openLinkWithoutChoices(deps: LinkDeps, token: string): Promise<OpenLink> {
  const { feed, link } = await findLink(deps, token)
  refuseEnded(feed, link, deps.clock.now())
  return { feed, link, source: sourceOf(deps, feed) }
}

/** For calendar clients, which get a calendar from a purged link for 30 days. `onFound` is called with the link first. */
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

/** `gone` if the link or its feed has ended. */
export function refuseEnded(feed: Feed, link: FeedLink, now: Instant): void {
  if (endOf(feed, link, now)) throw ended()
}

/** The current link and feed; `not_found` if they were removed. */
export async function findAgain(
  { links }: Pick<LinkDeps, 'links'>,
  { tokenHash }: FeedLink,
): Promise<LinkOfFeed> {
  const found = await links.findByTokenHash(tokenHash)
  if (!found) throw new AppError('not_found', 'There is no such calendar.')
  return found
}

/** `gone` if the feed was closed, `not_found` if it was removed since it was read. */
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

/** `unavailable` if the company is not set up. */
export function sourceOf({ sources }: Pick<LinkDeps, 'sources'>, { companyId }: Feed): Source {
  const source = sources.get(companyId)
  if (!source) throw new AppError('unavailable', 'The company of this calendar is not set up.')
  return source
}

/** When a purged calendar ended, for 30 days; null if it has not ended. `gone` otherwise. */
function purgedSince(feed: Feed, link: FeedLink, now: Instant): Instant | null {
  const end = endOf(feed, link, now)
  if (!end) return null
  if (end.purgedAt !== null && now - end.purgedAt < purgeMs) return end.purgedAt
  throw ended()
}

interface LinkEnd {
  readonly at: Instant
  /** null if it is not purged. */
  readonly purgedAt: Instant | null
}

/**
 * The earliest end given to the link or its feed; the closing of the feed counts only without any, since staff who end a
 * closed feed decide how. Undefined if neither has ended.
 */
function endOf(feed: Feed, link: FeedLink, now: Instant): LinkEnd | undefined {
  const [given] = [
    ...endAt(link.endsAt, link.purged ? link.endsAt : null, now),
    ...endAt(feed.revokedAt, feed.purgedAt, now),
  ].toSorted((a, b) => a.at - b.at)
  return given ?? endAt(feed.closedAt, null, now)[0]
}

function endAt(at: Instant | null, purgedAt: Instant | null, now: Instant): readonly LinkEnd[] {
  return at !== null && at <= now ? [{ at, purgedAt }] : []
}

function ended(): AppError {
  return new AppError('gone', 'This calendar has ended.')
}
