import type { Company } from '../../domain/company.ts'
import type { Collection } from '../../domain/copy.ts'
import type { FeedOptions, WindowOption } from '../../domain/feed-options.ts'
import type { Feed } from '../../domain/feed.ts'
import type { CollectionKind, FeedKind, RecordOf } from '../../domain/kinds.ts'
import type { Answer, IsKnown, ReadApi } from '../../domain/read-api.ts'
import type { PersonReference } from '../../domain/user.ts'
import type { Instant } from '../../domain/world.ts'

/** How much of a collection a feed needs. */
export interface Scope {
  /** The window asked for, where the collection is asked for by window. */
  readonly reach: WindowOption | null
  /** Whether the reasons of leaves are shown. */
  readonly reasons: boolean
}

/** One thing a feed needs of the Read API. */
export interface CollectionRequest<K extends CollectionKind = CollectionKind> {
  readonly collection: Collection<K>
  readonly scope: Scope
  /** Whether it is asked for without a feed. */
  readonly ofDraft?: boolean
}

/** What one answer of the Read API brought. */
export interface Reading<K extends CollectionKind = CollectionKind> extends Answer<RecordOf[K]> {
  /** Whether leaves hold their reasons. */
  readonly withReasons?: boolean
}

/** With what a collection is read. */
export interface ReadingContext {
  readonly api: ReadApi
  readonly company: Company
  readonly now: Instant
  readonly signal: AbortSignal
  /** Whether it is to be a reading of its own, since it is compared with another. */
  readonly anew: boolean
  /** Whether an open feed shows the reasons of that person's leaves. */
  readonly showsReasons: (userId: string) => boolean
  /** Whether the collection is known as an answer of that digest gives it. */
  readonly isKnown: IsKnown
}

/** Everything that is particular to one kind of collection on its way from the Read API to a copy. */
export interface Kind<K extends CollectionKind> {
  /** What of a feed it is shown as; null for what only serves the others. */
  readonly shownAs: FeedKind | null
  /** Which of its kinds a feed must show to need it; every feed needs it where there is none. */
  readonly neededBy: readonly FeedKind[]
  /** Whether each collection is of one person, named by its subject: gone with them, kept only while a feed has them. */
  readonly isPersonal: boolean
  /** Whether a refusal may say that there is no such thing, rather than that something is wrong. */
  readonly mayBeMissing: boolean
  /** For how long a copy is fresh; null: as it is set. */
  readonly freshMs: number | null
  /** Of whom or what the feed needs it: ids of users, projects or invoices, or one empty text for a list of all. */
  readonly subjectsOf: (feed: Feed, company: Company) => readonly string[]
  readonly scopeOf: (options: FeedOptions) => Scope
  /** Asks for the collection once; null where that is known already. Fails as ReadApi does. */
  readonly read: (
    request: CollectionRequest<K>,
    context: ReadingContext,
  ) => Promise<Reading<K> | null>
  /**
   * What of a record is kept: only what a calendar can show, so that a copy holds no more about a person than it must,
   * and an unrelated field that changes with every answer changes nothing.
   */
  readonly keep: (record: RecordOf[K]) => RecordOf[K]
  /** The record with what of it cannot be read as it was before; left out where a record is read whole or not at all. */
  readonly mended?: (record: RecordOf[K], before: RecordOf[K]) => RecordOf[K]
  /** What a calendar of these people needs of the record; left out where that is all of it. */
  readonly ofPeople?: (record: RecordOf[K], userIds: readonly string[]) => RecordOf[K]
  /** Whom a record names of those who share the collection, and the record with these names in their place; left out where it is of one person or of none. */
  readonly people?: {
    readonly named: (record: RecordOf[K]) => readonly PersonReference[]
    readonly naming: (record: RecordOf[K], people: readonly PersonReference[]) => RecordOf[K]
  }
  /** What of the records counts when less comes than before; left out where it is the records themselves. */
  readonly countedBy?: (record: RecordOf[K]) => readonly string[]
}

/** The same for every feed. */
export const anyScope: Scope = { reach: null, reasons: false }
