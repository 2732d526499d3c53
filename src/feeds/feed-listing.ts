import { z } from 'zod'

import { feedCollections } from '../copies/feed-requests.ts'
import type { ActivityStore } from '../domain/activity.ts'
import type { Connection } from '../domain/connection.ts'
import { collectionKey, type CopyStore } from '../domain/copy.ts'
import { AppError } from '../domain/errors.ts'
import { type Feed, shownFeed, type FeedFilter, type FeedStore } from '../domain/feed.ts'
import { hashToken, type LinkStore } from '../domain/link.ts'
import type { Clock } from '../domain/world.ts'
import { type ClientView, viewClients } from './client-view.ts'
import { feedListSchema, parseInput } from './feed-input.ts'
import { type FeedView, toIso, toIsoOrNull, viewFeed, viewLink } from './feed-view.ts'
import { idField } from './input-fields.ts'

interface FeedListingDeps {
  readonly feeds: FeedStore
  readonly links: Pick<LinkStore, 'listLinks' | 'findByTokenHash'>
  readonly activity: Pick<ActivityStore, 'listActivity'>
  readonly snapshots: Pick<CopyStore, 'findHeads'>
  readonly connections: ReadonlyMap<string, Connection>
  readonly clock: Clock
}

/** One page of a list; `nextCursor` asks for the next one, null at the end. */
export interface FeedPage {
  readonly data: readonly FeedView[]
  readonly nextCursor: string | null
}

/** A feed with what support wants to know: who asked, and how old its copies are. */
export interface FeedDetails extends FeedView {
  readonly activity: readonly ClientView[]
  readonly freshness: readonly CollectionView[]
}

/** One collection that the feed is made of; nulls while there is no copy of it, or while it is not missing. */
export interface CollectionView {
  readonly collection: string
  readonly fetchedAt: string | null
  readonly missingSince: string | null
}

/** Finds feeds and says how they fare. */
export class FeedListing {
  readonly #deps: FeedListingDeps

  constructor(deps: FeedListingDeps) {
    this.#deps = deps
  }

  /** A page in order of creation, revoked and closed feeds included; `invalid` for wrong filters. */
  async list(query: unknown): Promise<FeedPage> {
    const { companyId, userId, limit, cursor } = parseInput(feedListSchema, query, 'The query')
    const after = cursor === undefined ? null : parseCursor(cursor)
    const found = await this.#deps.feeds.listFeeds({ companyId, userId, after, limit: limit + 1 })
    const feeds = found.slice(0, limit)
    const last = feeds.at(-1)
    const nextCursor = found.length > limit && last ? makeCursor(last) : null
    return { data: await this.views(feeds), nextCursor }
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
    if (!feed) throw new AppError('not_found', `There is no feed ${id}.`)
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
      freshness: await this.#freshness(feed),
    }
  }

  async #freshness(feed: Feed): Promise<readonly CollectionView[]> {
    const connection = this.#deps.connections.get(feed.companyId)
    if (!connection) return []
    const requests = feedCollections(shownFeed(feed), connection.company)
    const keys = requests.map(({ collection }) => collectionKey(collection))
    const heads = await this.#deps.snapshots.findHeads(connection.id, keys)
    return keys.map((key) => {
      const head = heads.find((it) => it.key === key)
      return {
        collection: key,
        fetchedAt: toIsoOrNull(head?.fetchedAt ?? null),
        missingSince: head?.missingSince == null ? null : toIso(head.missingSince),
      }
    })
  }
}

const cursorSchema = z.tuple([z.int(), idField])

function makeCursor({ createdAt, id }: Feed): string {
  return Buffer.from(JSON.stringify([createdAt, id])).toString('base64url')
}

function parseCursor(cursor: string): NonNullable<FeedFilter['after']> {
  const parsed = cursorSchema.safeParse(jsonOf(Buffer.from(cursor, 'base64url').toString()))
  if (parsed.success) return { createdAt: parsed.data[0], id: parsed.data[1] }
  const faults = [{ pointer: '/cursor', detail: 'Must be the nextCursor of a page before.' }]
  throw new AppError('invalid', 'The query is not valid.', { faults })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
