import type { ClientActivity } from '../domain/activity.ts'
import type { FeedOptions, OwnOptions } from '../domain/feed-options.ts'
import type { Feed } from '../domain/feed.ts'
import type { FeedLink } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'

/** A feed as programs see it: the body of the API's replies and of the command line's `--json`. */
export interface FeedView {
  readonly id: string
  readonly companyId: string
  readonly userIds: readonly string[]
  readonly audience: string
  readonly name: string
  readonly timezone: string
  readonly locale: string
  readonly options: FeedOptions
  /** Those of them that are set for this feed. */
  readonly ownOptions: OwnOptions
  readonly links: readonly LinkView[]
  readonly createdAt: string
  readonly revokedAt: string | null
  readonly closedBecause: string | null
}

export interface LinkView {
  readonly label: string
  /** Stands only in the reply that makes the link. */
  readonly url?: string
  readonly createdAt: string
  readonly endsAt: string | null
  readonly lastPolledAt: string | null
  /** The family of the client that asked last. */
  readonly client: string | null
}

/** The feed with its links, instants in RFC 3339. */
export function viewFeed(feed: Feed, links: readonly LinkView[]): FeedView {
  const { id, companyId, userIds, audience, name, timezone, locale, options, ownOptions } = feed
  return {
    id,
    companyId,
    userIds,
    audience,
    name,
    timezone,
    locale,
    options,
    ownOptions,
    links,
    createdAt: toIso(feed.createdAt),
    revokedAt: toIsoOrNull(feed.revokedAt),
    closedBecause: feed.closedBecause,
  }
}

/** The link, with its address only where one is handed in, and with who asked last where that is known. */
export function viewLink(
  { feedId, label, createdAt, endsAt }: FeedLink,
  { url, activity = [] }: { url?: string; activity?: readonly ClientActivity[] } = {},
): LinkView {
  const last = activity
    .filter((it) => it.feedId === feedId && it.label === label)
    .toSorted((a, b) => b.lastPolledAt - a.lastPolledAt)[0]
  return {
    label,
    ...(url === undefined ? {} : { url }),
    createdAt: toIso(createdAt),
    endsAt: toIsoOrNull(endsAt),
    lastPolledAt: toIsoOrNull(last?.lastPolledAt ?? null),
    client: last?.client ?? null,
  }
}

/** The secret address of a calendar: `{base}/feeds/{token}/{slug}.ics`. */
export function feedUrl(publicUrl: string, token: string, name: string): string {
  return `${publicUrl}/feeds/${token}/${slug(name)}.ics`
}

/** The address of the page beside the calendar. */
export function pageUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/feeds/${token}`
}

/** Lowercase ASCII words joined by hyphens: it is only for people, so it may lose what ASCII lacks. */
function slug(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}|['’]/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return words?.join('-').slice(0, 60).replace(/-$/, '') ?? 'calendar'
}

/** In RFC 3339, as the Read API writes instants. */
export function toIso(instant: Instant): string {
  return new Date(instant).toISOString()
}

/** In RFC 3339; null stays. */
export function toIsoOrNull(instant: Instant | null): string | null {
  return instant === null ? null : toIso(instant)
}
