import type { Source } from '../copies/source.ts'
import type { ActivityStore } from '../domain/activity.ts'
import type { Connection } from '../domain/connection.ts'
import type { CopyStore } from '../domain/copy.ts'
import type { FeedStore } from '../domain/feed.ts'
import type { LinkStore } from '../domain/link.ts'
import type { PeopleFinder, PeopleStore } from '../domain/person.ts'
import type { Clock } from '../domain/world.ts'
import { FeedChanges } from './feed-changes.ts'
import { FeedCreation } from './feed-creation.ts'
import { FeedLinks } from './feed-links.ts'
import { FeedListing } from './feed-listing.ts'
import { IdempotentCreation } from './idempotent-creation.ts'
import { FeedImport } from './import/feed-import.ts'
import { FeedTableChanges } from './many/feed-table-changes.ts'
import { PersonNames } from './many/person-names.ts'

interface FeedAdministrationDeps {
  readonly feeds: FeedStore
  readonly links: LinkStore
  readonly copies: CopyStore
  readonly activity: ActivityStore
  readonly people: Pick<PeopleStore, 'findPerson'>
  readonly peopleFinder: PeopleFinder
  readonly connections: ReadonlyMap<string, Connection>
  readonly sources: ReadonlyMap<string, Pick<Source, 'keepPeople'>>
  readonly clock: Clock
  readonly publicUrl: string
}

/** What HR and IT do with feeds, over HTTP and on the command line alike. */
export interface FeedAdministration {
  readonly listing: FeedListing
  readonly creation: FeedCreation
  readonly idempotentCreation: IdempotentCreation
  readonly feedImport: FeedImport
  readonly changes: FeedChanges
  readonly feedLinks: FeedLinks
  readonly tableChanges: FeedTableChanges
  /** Who people are, each looked up once. */
  readonly names: () => PersonNames
}

/** The use cases of administration on one store. */
export function createFeedAdministration(deps: FeedAdministrationDeps): FeedAdministration {
  const listing = new FeedListing(deps)
  const creation = new FeedCreation(deps)
  const idempotentCreation = new IdempotentCreation({ ...deps, creation, listing })
  const feedLinks = new FeedLinks(deps)
  const feedImport = new FeedImport({ ...deps, creation, listing, feedLinks })
  const changes = new FeedChanges({ ...deps, listing })
  const names = (): PersonNames => new PersonNames(deps)
  const tableChanges = new FeedTableChanges({ ...deps, changes, feedLinks, names })
  const forMany = { feedImport, tableChanges, names }
  return { listing, creation, idempotentCreation, changes, feedLinks, ...forMany }
}
