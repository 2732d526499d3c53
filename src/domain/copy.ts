import { createHash } from 'node:crypto'

import { AppError } from './errors.ts'
import type { WindowOption } from './feed-options.ts'
import { type CollectionKind, collectionKinds, type RecordOf } from './kinds.ts'
import type { Answer } from './read-api.ts'
import type { Instant } from './world.ts'

/** One thing the Read API can be asked for; `subject` is the user, project or invoice id, empty for schedules. */
export interface Collection<K extends CollectionKind = CollectionKind> {
  readonly kind: K
  readonly subject: string
}

/** The collection's name within a connection: `leaves:usr_1`, `schedules`. */
export function collectionKey({ kind, subject }: Collection): string {
  return subject === '' ? kind : keyPrefix(kind) + subject
}

/** With what the names of all collections of that kind begin that have a subject. */
export function keyPrefix(kind: CollectionKind): string {
  return `${kind}:`
}

/** The collection that is called so. */
export function collectionOf(key: string): Collection {
  const [name, ...rest] = key.split(':')
  const kind = collectionKinds.find((it) => it === name)
  if (!kind) throw new Error(`There is no collection called ${key}.`)
  return { kind, subject: rest.join(':') }
}

/** By which two copies are known to hold the same. */
export function contentHashOf(records: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(records)).digest('base64url')
}

/** What is known of a kept copy without opening its records. */
export interface CopyHead {
  readonly key: string
  readonly contentHash: string
  /** When the refresh that brought it was sent off: the later one wins. */
  readonly begunAt: Instant
  /** When the Read API last confirmed this content. */
  readonly fetchedAt: Instant
  /** The widest window that was asked for, where the collection is asked for by window. */
  readonly reach: WindowOption | null
  /** Since when the Read API has answered that there is no such thing (404, 410); null while there is. */
  readonly missingSince: Instant | null
  /** Whether a copy of leaves holds their reasons; absent where it does not. */
  readonly withReasons?: boolean
}

/** The last good copy of one collection. */
export interface Copy<K extends CollectionKind = CollectionKind> extends CopyHead {
  readonly records: readonly RecordOf[K][]
}

/** What of a list answer may become a copy; `upstream_invalid` where there are records and none fits: a format that changed is not "there are none". */
export function fittingRecords<K extends CollectionKind>({
  records,
  faults,
}: Answer<RecordOf[K]>): Pick<Answer<RecordOf[K]>, 'records' | 'faults'> {
  if (records.length > 0 || faults.length === 0) return { records, faults }
  const details = faults.map(({ field, expected }) => `${field}: ${expected}`)
  throw new AppError(
    'upstream_invalid',
    `None of the records that were answered fits the spec (${details.join('; ')}).`,
  )
}

/** A copy of these records, as a refresh brings it. */
export function makeCopy<K extends CollectionKind>(
  collection: Collection<K>,
  records: readonly RecordOf[K][],
  of: Pick<CopyHead, 'begunAt' | 'fetchedAt' | 'reach'>,
): Copy<K> {
  const key = collectionKey(collection)
  return { key, contentHash: contentHashOf(records), ...of, missingSince: null, records }
}

/** The last good copies, per connection. */
export interface CopyStore {
  findHeads(connectionId: string, keys: readonly string[]): Promise<readonly CopyHead[]>
  findCopy<K extends CollectionKind>(
    connectionId: string,
    key: string,
  ): Promise<Copy<K> | undefined>
  /** Keeps the copy, unless one that began later is there already or the user `whileInFeed` is in no feed; true if it was kept. */
  keepCopy(connectionId: string, copy: Copy, whileInFeed?: string): Promise<boolean>
  /** Notes that the kept content was confirmed, unless a refresh that began later was kept meanwhile; true if it was noted. */
  confirmCopy(connectionId: string, head: CopyHead): Promise<boolean>
  dropCopies(connectionId: string, keys: readonly string[]): Promise<void>
}

/** Names one copy in the store. */
export interface CopyName {
  readonly connectionId: string
  readonly key: string
}

/** What is kept longer than it is needed. */
export interface RetentionStore {
  /** Copies of leaves that hold reasons. */
  listCopiesWithReasons(): Promise<readonly CopyName[]>
  /** Copies that the Read API last confirmed before that instant. */
  listCopiesBefore(fetchedBefore: Instant): Promise<readonly CopyName[]>
  /** Whether the company has an open feed at all, with that user, or whose options name that id. */
  hasOpenFeed(companyId: string, use: { userId?: string; names?: string }): Promise<boolean>
  /** Drops the copy and, with that of a person's leaves, what was noted of whose they are. */
  purgeCopy(copy: CopyName): Promise<void>
  /** Drops what is known of people leaving who are in no feed but revoked ones. */
  purgeDepartures(): Promise<void>
  /** Drops the ledgers of feeds revoked or closed before that instant; gives their number. */
  purgeLedgers(endedBefore: Instant): Promise<number>
}
