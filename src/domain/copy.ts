import { hash } from 'node:crypto'

import { AppError } from './errors.ts'
import type { WindowOption } from './feed-options.ts'
import { type CollectionKind, collectionKinds, type RecordOf } from './kinds.ts'
import type { PersonInCompany } from './person.ts'
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
  return hash('sha256', JSON.stringify(records), 'base64url')
}

/** By which a copy without records is known. */
export const emptyHash = contentHashOf([])

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
  /** What was answered since and is not believed yet; absent where all was. */
  readonly doubt?: Doubt
  /** Records that came back unreadable and stand as they were read last, by id: since when; absent where there are none. */
  readonly held?: Readonly<Record<string, Instant>>
  /** When it became empty; absent where it never held anything. */
  readonly emptiedAt?: Instant
}

/** Names what a copy holds, so that it is known again. */
export type CopyContent = Pick<CopyHead, 'key' | 'contentHash'>

/** Less than before has come, and further readings will tell. */
export interface Doubt {
  /** Of what is missing: another reading agrees where the same is missing. */
  readonly lostHash: string
  readonly since: Instant
  /** Whether nothing is left. */
  readonly ofAll: boolean
  /** Whether nothing is left of what there was, and other records came in its place. */
  readonly isReplaced: boolean
  /** How many readings agree, each long enough after the one before. */
  readonly readings: number
  /** Whether so many became empty together that none is believed for a day. */
  readonly ofMany: boolean
}

/** Whether the copy is of any record at all. */
export function holdsRecords({ contentHash }: Pick<CopyHead, 'contentHash'>): boolean {
  return contentHash !== emptyHash
}

/** The last good copy of one collection. */
export interface Copy<K extends CollectionKind = CollectionKind> extends CopyHead {
  readonly records: readonly RecordOf[K][]
}

/** What of a list answer may become a copy; `upstream_invalid` where there are records and none fits: a format that changed is not "there are none". */
export function fittingRecords<T>(answer: Answer<T>): Answer<T> {
  const { records, faults } = answer
  if (records.length > 0 || faults.length === 0) return answer
  const details = faults.map(({ field, expected }) => `${field}: ${expected}`)
  throw new AppError(
    'upstream_invalid',
    `None of the records that were answered fits the spec (${details.join('; ')}).`,
  )
}

/** A copy of these records, as a refresh brings it; with their hash, where that is known. */
export function makeCopy<K extends CollectionKind>(
  collection: Collection<K>,
  records: readonly RecordOf[K][],
  of: Pick<CopyHead, 'begunAt' | 'fetchedAt' | 'reach'> & Partial<Pick<CopyHead, 'contentHash'>>,
): Copy<K> {
  const { contentHash = contentHashOf(records) } = of
  return { key: collectionKey(collection), missingSince: null, ...of, contentHash, records }
}

/** The last good copies, per connection. */
export interface CopyStore {
  findHeads(connectionId: string, keys: readonly string[]): Promise<readonly CopyHead[]>
  findCopy<K extends CollectionKind>(
    connectionId: string,
    key: string,
  ): Promise<Copy<K> | undefined>
  /**
   * The records of the copies by their keys; undefined where one is not there any more or holds something else. Those of
   * `shared` are kept in memory as they are, for anyone who asks for them next.
   */
  findRecords(
    connectionId: string,
    contents: readonly CopyContent[],
    shared: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, readonly RecordOf[CollectionKind][]> | undefined>
  /** Keeps the copy, unless one that began later is there already or the person `whileInFeed` is in no feed of their company; true if it was kept. */
  keepCopy(connectionId: string, copy: Copy, whileInFeed?: PersonInCompany): Promise<boolean>
  /**
   * Notes, all at once, that the kept content of these was confirmed, unless a refresh that began later was kept meanwhile;
   * gives the keys of those of which it was noted.
   */
  confirmCopies(connectionId: string, heads: readonly CopyHead[]): Promise<ReadonlySet<string>>
  dropCopies(connectionId: string, keys: readonly string[]): Promise<void>
}

/** What is not believed yet. */
export interface DoubtStore {
  /** Notes a doubt about what came after that copy, or that there is none; the copy itself stays as it is. */
  saveDoubt(connectionId: string, key: string, doubt: Doubt | null): Promise<void>
  /** Copies about which there is a doubt. */
  listDoubted(connectionId: string): Promise<readonly CopyHead[]>
  /** Copies of that kind that hold something, those confirmed longest ago first, at most so many. */
  listFilled(
    connectionId: string,
    kind: CollectionKind,
    limit: number,
  ): Promise<readonly CopyHead[]>
  /** How many copies of that kind hold something; no further than that many are counted. */
  countFilled(connectionId: string, kind: CollectionKind, most: number): Promise<number>
  /** Of that kind, how many hold something or did at that instant, and how many of them are empty now or said to be so. */
  countEmptied(connectionId: string, kind: CollectionKind, since: Instant): Promise<EmptiedShare>
}

/** How many collections of one kind turn empty. */
export interface EmptiedShare {
  readonly filled: number
  readonly emptied: number
}

/** Names one copy in the store. */
export interface CopyName {
  readonly connectionId: string
  readonly key: string
}

/** Before when it ended what needs its ledger no more: a feed that was closed may open again and a link's label be used again, a revoked feed never opens. */
export interface LedgersEnd {
  readonly revokedBefore: Instant
  readonly closedBefore: Instant
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
  /** Drops what is known of people leaving who are in no feed but revoked ones, and not in the directory. */
  purgeDepartures(): Promise<void>
  /** Drops the ledgers of links that ended before `closedBefore`, or whose feed was revoked or closed before these instants; gives their number. */
  purgeLedgers(ended: LedgersEnd): Promise<number>
  /** Removes backups of the database that the program made of itself before that instant. */
  purgeBackups(madeBefore: Instant): void
  /** Leaves no bytes of what was purged, changed or erased so far in the database's files; false where others use it just now. */
  forgetPurged(): Promise<boolean>
}
