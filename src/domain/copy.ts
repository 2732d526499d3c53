import { hash } from 'node:crypto'

import { AppError } from './errors.ts'
import type { WindowOption } from './feed-options.ts'
import { type CollectionKind, collectionKinds, type RecordOf } from './kinds.ts'
import type { PersonInCompany } from './person.ts'
import type { Answer } from './read-api.ts'
import type { Instant } from './world.ts'

/** One thing to ask the Read API for; `subject` is a user, project or invoice id, empty for schedules. */
export interface Collection<K extends CollectionKind = CollectionKind> {
  readonly kind: K
  readonly subject: string
}

export function collectionKey({ kind, subject }: Collection): string {
  return subject === '' ? kind : keyPrefix(kind) + subject
}

export function keyPrefix(kind: CollectionKind): string {
  return `${kind}:`
}

export function collectionOf(key: string): Collection {
  const [name, ...rest] = key.split(':')
  const kind = collectionKinds.find((it) => it === name)
  if (!kind) throw new Error(`There is no collection called ${key}.`)
  return { kind, subject: rest.join(':') }
}

export function contentHashOf(records: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(records), 'base64url')
}

export const emptyHash = contentHashOf([])

export function holdsRecords({ contentHash }: Pick<CopyHead, 'contentHash'>): boolean {
  return contentHash !== emptyHash
}

export interface CopyHead {
  readonly key: string
  readonly contentHash: string
  /** When the refresh that brought it began: the later one wins. */
  readonly begunAt: Instant
  readonly fetchedAt: Instant
  /** The widest window that was asked for, if this kind is asked for by window. */
  readonly reach: WindowOption | null
  /** Since when the Read API has answered 404 or 410; null while it has it. */
  readonly missingSince: Instant | null
  readonly withReasons?: boolean
  readonly doubt?: Doubt
  /** Records that came back unreadable and stay as they were read last, by id: since when. */
  readonly held?: Readonly<Record<string, Instant>>
  /** When it became empty; absent if it never held anything. */
  readonly emptiedAt?: Instant
}

export type CopyContent = Pick<CopyHead, 'key' | 'contentHash'>

/** An answer with less than before: further readings decide. */
export interface Doubt {
  /** Of what is missing: readings agree if the same is missing. */
  readonly lostHash: string
  readonly since: Instant
  readonly ofAll: boolean
  /** Whether nothing old is left, but other records came. */
  readonly isReplaced: boolean
  /** How many readings agree, each long enough after the one before. */
  readonly readings: number
  /** Whether too many copies became empty together, so that none of it is believed for a day. */
  readonly ofMany: boolean
}

export interface Copy<K extends CollectionKind = CollectionKind> extends CopyHead {
  readonly records: readonly RecordOf[K][]
}

/** The answer, or `upstream_invalid` if it has records and none fits: a changed format does not mean "there are none". */
export function fittingRecords<T>(answer: Answer<T>): Answer<T> {
  const { records, faults } = answer
  if (records.length > 0 || faults.length === 0) return answer
  const details = faults.map(({ field, expected }) => `${field}: ${expected}`)
  throw new AppError(
    'upstream_invalid',
    `None of the records that were answered fits the spec (${details.join('; ')}).`,
  )
}

export function makeCopy<K extends CollectionKind>(
  collection: Collection<K>,
  records: readonly RecordOf[K][],
  of: Pick<CopyHead, 'begunAt' | 'fetchedAt' | 'reach'> & { readonly contentHash?: string },
): Copy<K> {
  const { contentHash = contentHashOf(records) } = of
  return { key: collectionKey(collection), missingSince: null, ...of, contentHash, records }
}

/** What a copy is stored for. */
export interface CopyUse {
  /** It is not stored if they are in no feed of their company. */
  readonly whileInFeed?: PersonInCompany | undefined
  /** Nothing but a preview has needed it so far. */
  readonly ofDraft?: boolean | undefined
}

export interface CopyStore {
  findHeads(connectionId: string, keys: readonly string[]): Promise<readonly CopyHead[]>
  findCopy<K extends CollectionKind>(
    connectionId: string,
    key: string,
  ): Promise<Copy<K> | undefined>
  /** By key; undefined if a copy is gone or holds something else. Those in `shared` stay in memory. */
  findRecords(
    connectionId: string,
    contents: readonly CopyContent[],
    shared: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, readonly RecordOf[CollectionKind][]> | undefined>
  /** False if a copy that began later is kept, or the person `whileInFeed` is in no feed of their company. */
  keepCopy(connectionId: string, copy: Copy, use?: CopyUse): Promise<boolean>
  /** Notes at once that these were confirmed; gives the keys of those that no later refresh has replaced. */
  confirmCopies(connectionId: string, heads: readonly CopyHead[]): Promise<ReadonlySet<string>>
  dropCopies(connectionId: string, keys: readonly string[]): Promise<void>
}

export interface DoubtStore {
  /** Notes or, with null, removes a doubt; the copy itself stays. */
  saveDoubt(connectionId: string, key: string, doubt: Doubt | null): Promise<void>
  listDoubted(connectionId: string): Promise<readonly CopyHead[]>
  countDoubted(connectionId: string): Promise<number>
  listFilled(
    connectionId: string,
    kind: CollectionKind,
    limit: number,
  ): Promise<readonly CopyHead[]>
  countFilled(connectionId: string, kind: CollectionKind, most: number): Promise<number>
  /** How many copies hold records or did at that instant, and how many of them are empty now or doubted to be. */
  countEmptied(
    connectionId: string,
    kind: CollectionKind,
    since: Instant,
  ): Promise<{ readonly filled: number; readonly emptied: number }>
}

export interface CopyName {
  readonly connectionId: string
  readonly key: string
}

export interface RetentionStore {
  listCopiesWithReasons(): Promise<readonly CopyName[]>
  listCopiesBefore(fetchedBefore: Instant): Promise<readonly CopyName[]>
  listDraftCopiesBefore(fetchedBefore: Instant): Promise<readonly CopyName[]>
  /** Notes that a feed needs a copy that was stored for a draft. */
  adoptCopy(copy: CopyName): Promise<void>
  /** Whether the company has an open feed: any, one with that user, or one with options that name that id. */
  hasOpenFeed(companyId: string, use: { userId?: string; names?: string }): Promise<boolean>
  /** Drops the copy and, with a person's leaves, their claims. */
  purgeCopy(copy: CopyName): Promise<void>
  purgeDepartures(): Promise<void>
  /** Drops ledgers of what ended before: a closed feed may open again, a revoked one never does. Gives their number. */
  purgeLedgers(ended: {
    readonly revokedBefore: Instant
    readonly closedBefore: Instant
  }): Promise<number>
  purgeBackups(madeBefore: Instant): void
  /** Leaves no deleted bytes in the database's files; false while others use it. */
  forgetPurged(): Promise<boolean>
}
