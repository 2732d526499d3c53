import { refuseOtherCompany } from '../domain/access/staff.ts'
import type { Feed, FeedStore } from '../domain/feed.ts'

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
export function feedsOfCompany(feeds: AdministeredFeeds, companyId: string): AdministeredFeeds {
  const findFeed = async (id: string): Promise<Feed | undefined> => {
    const feed = await feeds.findFeed(id)
    return feed?.companyId === companyId ? feed : undefined
  }
  return {
    // What is made is drafted for a company that the drafts know.
    createFeeds: (...made) => feeds.createFeeds(...made),
    createMissingFeeds: (...made) => feeds.createMissingFeeds(...made),
    createOnlyFeed: (...made) => feeds.createOnlyFeed(...made),
    // By keys that only those of this company have.
    findCreation: (keyHash) => feeds.findCreation(keyHash),
    findFeed,
    listFeeds: async (filter) => {
      refuseOtherCompany(companyId, filter.companyId)
      return feeds.listFeeds({ ...filter, companyId })
    },
    changeFeed: async (id, ...change) => (await findFeed(id)) && feeds.changeFeed(id, ...change),
  }
}
