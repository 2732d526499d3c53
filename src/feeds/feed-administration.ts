import type { ActivityStore } from '../domain/activity.ts'
import type { Connection } from '../domain/connection.ts'
import type { CopyStore } from '../domain/copy.ts'
import type { FeedStore } from '../domain/feed.ts'
import type { LinkStore } from '../domain/link.ts'
import type { Clock } from '../domain/world.ts'
import { FeedCreations } from './feed-creations.ts'
import { FeedImport } from './feed-import.ts'
import { FeedLinks } from './feed-links.ts'
import { FeedListing } from './feed-listing.ts'
import { FeedManager } from './feed-manager.ts'

interface FeedAdministrationDeps {
  readonly feeds: FeedStore
  readonly links: LinkStore
  readonly snapshots: CopyStore
  readonly activity: ActivityStore
  readonly connections: ReadonlyMap<string, Connection>
  readonly clock: Clock
  readonly publicUrl: string
}

/** What HR and IT do with feeds, over HTTP and on the command line alike. */
export interface FeedAdministration {
  readonly manager: FeedManager
  readonly listing: FeedListing
  readonly feedLinks: FeedLinks
  readonly creations: FeedCreations
  readonly imports: FeedImport
}

/** The use cases of administration on one store. */
export function createFeedAdministration(deps: FeedAdministrationDeps): FeedAdministration {
  const listing = new FeedListing(deps)
  const manager = new FeedManager({ ...deps, listing })
  const feedLinks = new FeedLinks(deps)
  const creations = new FeedCreations({ ...deps, manager, listing })
  const imports = new FeedImport({ ...deps, manager, listing, feedLinks })
  return { manager, listing, feedLinks, creations, imports }
}
