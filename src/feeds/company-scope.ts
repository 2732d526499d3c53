import type { Deed } from '../domain/access/audit-entry.ts'
import { AppError } from '../domain/errors.ts'
import type { Creation, Feed, FeedChange, FeedFilter, FeedStore } from '../domain/feed.ts'

/** What administration does with feeds. */
export type AdministeredFeeds = Pick<
  FeedStore,
  | 'createFeeds'
  | 'createMissingFeeds'
  | 'createOnlyFeed'
  | 'findCreation'
  | 'findFeed'
  | 'listFeeds'
  | 'changeFeed'
>

/** The feeds of one company: to those who may see nothing else, no other company has any. */
export class FeedsOfCompany implements AdministeredFeeds {
  readonly createFeeds: FeedStore['createFeeds']
  readonly createMissingFeeds: FeedStore['createMissingFeeds']
  readonly createOnlyFeed: FeedStore['createOnlyFeed']
  readonly #feeds: AdministeredFeeds
  readonly #companyId: string

  constructor(feeds: AdministeredFeeds, companyId: string) {
    this.#feeds = feeds
    this.#companyId = companyId
    // What is made is drafted for a company that the drafts know.
    this.createFeeds = (...made) => feeds.createFeeds(...made)
    this.createMissingFeeds = (...made) => feeds.createMissingFeeds(...made)
    this.createOnlyFeed = (...made) => feeds.createOnlyFeed(...made)
  }

  findCreation(keyHash: string): Promise<Creation | undefined> {
    return this.#feeds.findCreation(keyHash)
  }

  async findFeed(id: string): Promise<Feed | undefined> {
    const feed = await this.#feeds.findFeed(id)
    return feed?.companyId === this.#companyId ? feed : undefined
  }

  listFeeds(filter: FeedFilter): Promise<readonly Feed[]> {
    refuseOtherCompany(this.#companyId, filter.companyId)
    return this.#feeds.listFeeds({ ...filter, companyId: this.#companyId })
  }

  async changeFeed(id: string, change: FeedChange, deed?: Deed): Promise<Feed | undefined> {
    const feed = await this.findFeed(id)
    return feed && this.#feeds.changeFeed(id, change, deed)
  }
}

/** `not_found` for any other company than the only one that may be seen, whether or not there is one; null: all may be. */
export function refuseOtherCompany(
  only: string | null,
  companyId: string | null | undefined,
): void {
  if (only === null || companyId == null || companyId === only) return
  throw new AppError('not_found', 'There is no such company.')
}
