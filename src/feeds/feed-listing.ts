import { z } from 'zod'

import { feedRequests } from '../copies/feed-collections.ts'
import type { ActivityStore } from '../domain/activity.ts'
import type { Connection } from '../domain/connection.ts'
import { collectionKey, type CopyStore } from '../domain/copy.ts'
import { AppError } from '../domain/errors.ts'
import type { Feed, FeedStore, FeedFilter } from '../domain/feed.ts'
import { type FeedLink, hashToken, type LinkStore, shownFeed } from '../domain/link.ts'
import type { PeopleFinder } from '../domain/person.ts'
import type { Clock } from '../domain/world.ts'
import { createRests } from '../json/rest.ts'
import { noFeed, sayNobody } from './company-lookup.ts'
import { feedListSchema, parseQuery, idField } from './feed-input.ts'
import {
  viewClients,
  type CollectionView,
  type FeedDetails,
  type FeedPage,
  type FeedView,
  toIsoOrNull,
  viewFeed,
  viewLink,
} from './feed-view.ts'

interface FeedListingDeps {
  readonly feeds: Pick<FeedStore, 'findFeed' | 'listFeeds'>
  readonly links: Pick<LinkStore, 'listLinks' | 'findByTokenHash'>
  readonly activity: Pick<ActivityStore, 'listActivity'>
  readonly copies: Pick<CopyStore, 'findHeads'>
  readonly peopleFinder: Pick<PeopleFinder, 'findPeople' | 'listAlike' | 'listPeopleAfter'>
  readonly connections: ReadonlyMap<string, Connection>
  readonly clock: Clock
}

/** Finds feeds and says how they fare. */
export class FeedListing {
  readonly #deps: FeedListingDeps

  constructor(deps: FeedListingDeps) {
    this.#deps = deps
  }

  /**
   * A page in order of creation, revoked and closed feeds included, of fewer than asked for where they are large; with a
   * warning where it is empty since nobody is known by that id; `invalid` for wrong filters.
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

  #sayNobody(userId: string, companyId: string | undefined): Promise<string | undefined> {
    const { connections } = this.#deps
    const companyIds = companyId === undefined ? [...connections.keys()] : [companyId]
    return sayNobody(this.#deps, userId, companyIds)
  }

  /** The feeds as programs see them, in the same order. */
  async views(feeds: readonly Feed[]): Promise<readonly FeedView[]> {
    const ids = feeds.map(({ id }) => id)
    const links = Map.groupBy(await this.#deps.links.listLinks(ids), ({ feedId }) => feedId)
    const activity = await this.#deps.activity.listActivity(ids)
    const byFeed = Map.groupBy(activity, ({ feedId }) => feedId)
    return feeds.map((feed) => {
      const ofFeed = byFeed.get(feed.id) ?? []
      const views = (links.get(feed.id) ?? []).map((link) => viewLink(link, { activity: ofFeed }))
      return viewFeed(feed, views)
    })
  }

  /**
   * The feed that is meant by its id, or by an address of its calendar or page, with the label of that link.
   * `not_found` for an address that is none; whether a feed has the id is left open.
   */
  async find(idOrAddress: string): Promise<{ id: string; label?: string }> {
    const [token] = /cfb_[\w-]{43}(?![\w-])/.exec(idOrAddress) ?? []
    if (token === undefined) return { id: idOrAddress }
    const tokenHash = hashToken(token)
    const found = tokenHash && (await this.#deps.links.findByTokenHash(tokenHash))
    if (!found) throw new AppError('not_found', 'There is no feed with this address.')
    return { id: found.feed.id, label: found.link.label }
  }

  /** One feed with its clients and the age of its copies; `not_found` where there is none. */
  async show(id: string): Promise<FeedDetails> {
    const feed = await this.#deps.feeds.findFeed(id)
    if (!feed) throw noFeed(id)
    const links = await this.#deps.links.listLinks([id])
    const activity = await this.#deps.activity.listActivity([id])
    const now = this.#deps.clock.now()
    const view = viewFeed(
      feed,
      links.map((link) => viewLink(link, { activity })),
    )
    return {
      ...view,
      activity: links.flatMap((link) => viewClients(link, activity, now)),
      freshness: await this.#freshness(feed, links),
    }
  }

  /** Of what any of the links shows. */
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

const cursorSchema = z.tuple([z.int(), idField])

/** Where the page after this feed begins, as programs hand it back. */
export function makeCursor({ createdAt, id }: Pick<Feed, 'createdAt' | 'id'>): string {
  return Buffer.from(JSON.stringify([createdAt, id])).toString('base64url')
}

/** After which feed the page begins; `invalid` for what `makeCursor` has not made. */
export function parseCursor(cursor: string): NonNullable<FeedFilter['after']> {
  const parsed = cursorSchema.safeParse(jsonOf(Buffer.from(cursor, 'base64url').toString()))
  if (parsed.success) return { createdAt: parsed.data[0], id: parsed.data[1] }
  const faults = [{ pointer: '/cursor', detail: 'Must be the nextCursor of a page before.' }]
  throw new AppError('invalid', 'The query is not valid.', { faults })
}

/** Undefined for what is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/* Pages of lists, whose entries may be large. */

/** Of the JSON of a page: what is made of it stands in memory several times. An entry has less than a megabyte. */
const bytesMax = 4 * 1024 * 1024
/** Between two rests: each part is a search of its own. */
const rowsAtOnce = 100

interface PageSource<Place, Row extends Place, View> {
  /** Behind which the page begins; null for the first. */
  readonly begin: Place | null
  readonly limit: number
  /** At most so many of those behind that place. */
  readonly read: (after: Place | null, limit: number) => Promise<readonly Row[]>
  readonly view: (rows: readonly Row[]) => Promise<readonly View[]>
}

interface ReadPage<Place, View> {
  readonly data: View[]
  /** Behind which the next page begins; null for the last. */
  readonly end: Place | null
}

/** A page of at most so many entries, of fewer where they are large; others have their turn while it is read. */
export async function readInParts<Place, Row extends Place, View>(
  source: PageSource<Place, Row, View>,
): Promise<ReadPage<Place, View>> {
  const data: View[] = []
  let end = source.begin
  let bytes = 0
  for await (const [entry, row] of entriesOf(source)) {
    if (data.length === source.limit || bytes >= bytesMax) return { data, end }
    data.push(entry)
    bytes += JSON.stringify(entry).length
    end = row
  }
  return { data, end: null }
}

/** All of them, each as it is told, with its row. */
async function* entriesOf<Place, Row extends Place, View>({
  begin,
  limit,
  read,
  view,
}: PageSource<Place, Row, View>): AsyncGenerator<readonly [View, Row]> {
  const rests = createRests()
  const most = Math.min(rowsAtOnce, limit + 1)
  let after = begin
  for (let isMore = true; isMore;) {
    const rows = await read(after, most)
    for (const [index, entry] of (await view(rows)).entries()) {
      const row = rows[index]
      if (row) yield [entry, row]
    }
    after = rows.at(-1) ?? after
    isMore = rows.length === most
    if (rests.isDue()) await rests.take()
  }
}
