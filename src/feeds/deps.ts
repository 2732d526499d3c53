import type { Source } from '../copies/source.ts'
import type { AuditStore } from '../domain/access/audit-entry.ts'
import type { Actor } from '../domain/access/staff.ts'
import type { ActivityStore } from '../domain/activity.ts'
import type { CompanyDefaultsStore } from '../domain/company-defaults.ts'
import type { Connection } from '../domain/connection.ts'
import type { CopyStore } from '../domain/copy.ts'
import type { FeedStore } from '../domain/feed-store.ts'
import type { LinkStore } from '../domain/link.ts'
import type { KnownPeople, PeopleFinder, PeopleStore } from '../domain/person.ts'
import type { TeamStore } from '../domain/team.ts'
import type { Clock, Log } from '../domain/world.ts'
import type { Identities } from '../people/identities.ts'

/** What administration needs of the feeds, which may be limited to one company. */
export type AdministeredFeeds = Pick<
  FeedStore,
  | 'createFeeds'
  | 'createMissingFeeds'
  | 'createOnlyFeed'
  | 'findCreation'
  | 'findFeed'
  | 'listFeeds'
  | 'changeFeed'
  | 'countOpenFeeds'
>

/** What the administration of feeds works with. */
export interface FeedsDeps {
  readonly feeds: AdministeredFeeds
  readonly companyDefaults: CompanyDefaultsStore
  readonly links: LinkStore
  readonly copies: CopyStore
  readonly activity: ActivityStore
  readonly audit: AuditStore
  readonly people: PeopleStore
  readonly peopleFinder: PeopleFinder
  readonly directory: Pick<KnownPeople, 'untilSeen'>
  readonly teams: TeamStore
  readonly identities: Identities
  /** By company, as are the sources. */
  readonly connections: ReadonlyMap<string, Connection>
  readonly sources: ReadonlyMap<string, Source>
  readonly publicUrl: string
  readonly clock: Clock
  readonly log: Log
  /** On behalf of whom, as the audit log names them. */
  readonly by: Actor
}
