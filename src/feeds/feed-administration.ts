import { type Actor, refuseOtherCompany } from '../domain/access/staff.ts'
import type { Feed } from '../domain/feed.ts'
import type { PeopleListStore } from '../domain/people-list.ts'
import type { PeopleByMail } from '../domain/person.ts'
import { BulkChanges } from './bulk/bulk-changes.ts'
import { FeedImport } from './bulk/feed-import.ts'
import { HandOut } from './bulk/hand-out.ts'
import { PeopleLookup } from './bulk/people-lookup.ts'
import { PersonNames } from './bulk/person-names.ts'
import { RequestedChanges } from './bulk/requested-changes.ts'
import { Companies } from './company-defaults.ts'
import type { AdministeredFeeds, FeedsDeps } from './deps.ts'
import { FeedChanges } from './feed-changes.ts'
import { FeedCreation, IdempotentCreation } from './feed-creation.ts'
import { FeedLinks } from './feed-links.ts'
import { FeedListing } from './feed-listing.ts'
import { Reopening } from './reopening.ts'

/** Everything that HR and IT do with feeds, over HTTP and on the command line. */
export interface FeedAdministration {
  readonly companies: Companies
  readonly listing: FeedListing
  readonly creation: FeedCreation
  readonly idempotentCreation: IdempotentCreation
  readonly feedImport: FeedImport
  readonly handOut: HandOut
  readonly changes: FeedChanges
  readonly feedLinks: FeedLinks
  readonly reopening: Reopening
  readonly tableChanges: BulkChanges
  readonly requestedChanges: RequestedChanges
  /** Finds people of a company by what somebody calls them. */
  readonly lookup: (companyId: string) => PeopleLookup
  /** Who people are, each looked up once. */
  readonly names: () => PersonNames
}

type UnboundDeps = Omit<FeedsDeps, 'by'> & {
  readonly peopleList: PeopleListStore
  readonly peopleByMail: PeopleByMail
}

/** On behalf of an actor, limited to the actor's company. */
export function createFeedAdministration(all: UnboundDeps, by: Actor): FeedAdministration {
  const deps = { ...withinCompany(all, by.companyId), by }
  const listing = new FeedListing(deps)
  const creation = new FeedCreation(deps)
  const idempotentCreation = new IdempotentCreation({ ...deps, creation, listing })
  const feedLinks = new FeedLinks(deps)
  const names = (): PersonNames => new PersonNames(deps)
  const feedImport = new FeedImport({ ...deps, creation, listing, feedLinks, names })
  const changes = new FeedChanges({ ...deps, listing })
  const tableChanges = new BulkChanges({ ...deps, changes, feedLinks, names })
  const requestedChanges = new RequestedChanges({ ...deps, changes, feedLinks })
  const handOut = new HandOut({ ...deps, feedImport })
  const forMany = { feedImport, handOut, tableChanges, requestedChanges, names }
  const reopening = new Reopening({ ...deps, changes, feedLinks })
  const companies = new Companies(deps)
  const lookup = (companyId: string): PeopleLookup => new PeopleLookup(deps, companyId)
  return {
    companies,
    listing,
    creation,
    idempotentCreation,
    changes,
    feedLinks,
    reopening,
    lookup,
    ...forMany,
  }
}

function withinCompany(deps: UnboundDeps, companyId: string | null): UnboundDeps {
  if (companyId === null) return deps
  const connection = deps.connections.get(companyId)
  const connections = new Map(connection ? [[companyId, connection]] : [])
  return { ...deps, feeds: feedsOfCompany(deps.feeds, companyId), connections }
}

/** To actors of one company, feeds of others do not exist. */
function feedsOfCompany(feeds: AdministeredFeeds, companyId: string): AdministeredFeeds {
  const findFeed = async (id: string): Promise<Feed | undefined> => {
    const feed = await feeds.findFeed(id)
    return feed?.companyId === companyId ? feed : undefined
  }
  return {
    // Drafts are made for known companies only.
    createFeeds: (...made) => feeds.createFeeds(...made),
    createMissingFeeds: (...made) => feeds.createMissingFeeds(...made),
    createOnlyFeed: (...made) => feeds.createOnlyFeed(...made),
    // The company is part of its keys.
    findCreation: (keyHash) => feeds.findCreation(keyHash),
    findFeed,
    countOpenFeeds: async () =>
      new Map([...(await feeds.countOpenFeeds())].filter(([id]) => id === companyId)),
    listFeeds: async (filter) => {
      refuseOtherCompany(companyId, filter.companyId)
      return feeds.listFeeds({ ...filter, companyId })
    },
    changeFeed: async (id, ...change) => (await findFeed(id)) && feeds.changeFeed(id, ...change),
  }
}
