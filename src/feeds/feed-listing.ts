import { feedRequests } from '../copies/feed-collections.ts'
import {
  activityOf,
  type ClientActivity,
  type ClientFamily,
  type ClientState,
  clientStates,
  programNames,
} from '../domain/activity.ts'
import type { Company } from '../domain/company.ts'
import { collectionKey } from '../domain/copy.ts'
import { AppError } from '../domain/errors.ts'
import type { Feed } from '../domain/feed.ts'
import { type FeedLink, shownFeed } from '../domain/link.ts'
import { hashSecret } from '../domain/secrets.ts'
import type { Instant } from '../domain/world.ts'
import type { FeedsDeps } from './deps.ts'
import { feedListSchema, parseQuery } from './feed-input.ts'
import { teamWarnings } from './feed-team.ts'
import {
  type CollectionView,
  type FeedDetails,
  type FeedPage,
  type FeedView,
  toIsoOrNull,
  viewFeed,
  viewLink,
  type ClientView,
  toIso,
} from './feed-view.ts'
import { noFeed } from './link-replacement.ts'
import { makeCursor, parseCursor, readInParts } from './pages.ts'

export class FeedListing {
  readonly #deps: FeedsDeps

  constructor(deps: FeedsDeps) {
    this.#deps = deps
  }

  /**
   * A page in order of creation, including revoked and closed feeds; shorter than requested if the feeds are large. Warns
   * if it is empty because nobody has that id. `invalid` for wrong filters.
   */
  async list(query: object): Promise<FeedPage> {
    const asked = parseQuery(feedListSchema, query)
    const { userId, limit, cursor, ...filter } = asked
    const begin = cursor === undefined ? null : parseCursor(cursor)
    const userIds = userId === undefined ? null : [userId]
    const { data, end } = await readInParts({
      begin,
      limit,
      read: (after, most) => this.#deps.feeds.listFeeds({ ...filter, userIds, after, limit: most }),
      view: (feeds) => this.views(feeds),
    })
    const page = { data, nextCursor: end && makeCursor(end) }
    if (userId === undefined || begin !== null || data.length > 0) return page
    const warning = await this.#sayNobody(userId, filter.companyId)
    return warning === undefined ? page : { ...page, warnings: [warning] }
  }

  async #sayNobody(userId: string, companyId: string | undefined): Promise<string | undefined> {
    const { connections, peopleFinder, feeds } = this.#deps
    const companyIds = companyId === undefined ? [...connections.keys()] : [companyId]
    const known = companyIds.map((id) => peopleFinder.findPeople(id, [userId]))
    if ((await Promise.all(known)).flat().length > 0) return undefined
    if ((await feeds.listFeeds({ userIds: [userId], limit: 1 })).length > 0) return undefined
    return `There is no person with the id "${userId}".`
  }

  /** In the same order. */
  async views(feeds: readonly Feed[]): Promise<readonly FeedView[]> {
    const ids = feeds.map(({ id }) => id)
    const links = Map.groupBy(await this.#deps.links.listLinks(ids), ({ feedId }) => feedId)
    const activity = await this.#deps.activity.listActivity(ids)
    const byFeed = Map.groupBy(activity, ({ feedId }) => feedId)
    return feeds.map((feed) => {
      const ofFeed = byFeed.get(feed.id) ?? []
      const views = (links.get(feed.id) ?? []).map((link) => viewLink(link, { activity: ofFeed }))
      return viewFeed(feed, views, this.#companyOf(feed))
    })
  }

  /**
   * The feed with that id (which is not checked), or with that address of its calendar or page, then with the label of the
   * link. `not_found` for an unknown address.
   */
  async find(idOrAddress: string): Promise<{ id: string; label?: string }> {
    const [token] = /cfb_[\w-]{43}(?![\w-])/.exec(idOrAddress) ?? []
    if (token === undefined) return { id: idOrAddress }
    const tokenHash = hashSecret('cfb', token)
    const found = tokenHash && (await this.#deps.links.findByTokenHash(tokenHash))
    if (!found) throw new AppError('not_found', 'There is no feed with this address.')
    return { id: found.feed.id, label: found.link.label }
  }

  /** `not_found`. */
  async findById(id: string): Promise<Feed> {
    const feed = await this.#deps.feeds.findFeed(id)
    if (!feed) throw noFeed(id)
    return feed
  }

  /** With its clients and the age of its copies; `not_found`. */
  async show(id: string): Promise<FeedDetails> {
    const feed = await this.findById(id)
    const links = await this.#deps.links.listLinks([id])
    const activity = await this.#deps.activity.listActivity([id])
    const now = this.#deps.clock.now()
    const view = viewFeed(
      feed,
      links.map((link) => viewLink(link, { activity })),
      this.#companyOf(feed),
    )
    const warnings = await teamWarnings(this.#deps, feed)
    return {
      ...view,
      ...(warnings.length > 0 && { warnings }),
      activity: links.flatMap((link) => viewClients(link, activity, now)),
      freshness: await this.#freshness(feed, links),
    }
  }

  #companyOf({ companyId }: Feed): Company | undefined {
    return this.#deps.connections.get(companyId)?.company
  }

  /** Of the collections that any of its links shows. */
  async #freshness(feed: Feed, links: readonly FeedLink[]): Promise<readonly CollectionView[]> {
    const connection = this.#deps.connections.get(feed.companyId)
    if (!connection) return []
    const requests = links.flatMap((link) =>
      feedRequests(shownFeed(feed, link), connection.company),
    )
    const keys = [...new Set(requests.map(({ collection }) => collectionKey(collection)))]
    const heads = await this.#deps.copies.findHeads(connection.id, keys)
    return keys.map((key) => {
      const head = heads.find((it) => it.key === key)
      return {
        collection: key,
        fetchedAt: toIsoOrNull(head?.fetchedAt ?? null),
        missingSince: toIsoOrNull(head?.missingSince ?? null),
      }
    })
  }
}

const names: Readonly<Record<ClientFamily, string>> = {
  ...programNames,
  browser: 'A browser',
  other: 'Another program',
}

/** Newest first. */
function viewClients(
  link: FeedLink,
  activity: readonly ClientActivity[],
  now: Instant,
): readonly ClientView[] {
  const states = new Map(clientStates(link, activity).map((state) => [state.client, state]))
  return activityOf(link, activity).map((it) => {
    const state = states.get(it.client)
    return {
      label: link.label,
      client: it.client,
      firstPolledAt: toIso(it.firstPolledAt),
      lastPolledAt: toIso(it.lastPolledAt),
      lastStatus: it.lastStatus,
      polls: it.polls,
      verdict: state ? sentence(state, it, now) : null,
    }
  })
}

/** Says whether the client has the current calendar. */
function sentence(
  { client, askedAt, state, changedAt }: ClientState,
  { lastStatus }: ClientActivity,
  now: Instant,
): string {
  const asked = `${names[client]} asked ${timeAgo(now - askedAt)}`
  const change =
    changedAt === null ? '' : ` of ${toIso(changedAt).slice(0, 16).replace('T', ' ')} UTC`
  if (state === 'refused') return `${asked} and was answered with ${lastStatus}.`
  if (state === 'current') return `${asked} and has the change${change}.`
  return `${asked} and has not asked since the change${change}.`
}

/** "just now", "5 min ago", "3 h ago", "2 days ago". */
export function timeAgo(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 2880) return `${Math.floor(minutes / 60)} h ago`
  return `${Math.floor(minutes / 1440)} days ago`
}
