import type { Company } from '../domain/company.ts'
import {
  type Collection,
  collectionKey,
  collectionOf,
  type CopyHead,
  type CopyStore,
  holdsRecords,
  keyPrefix,
} from '../domain/copy.ts'
import type { FeedStore } from '../domain/feed-store.ts'
import type { Feed } from '../domain/feed.ts'
import {
  type CollectionKind,
  collectionKinds,
  noRecords,
  type RecordOf,
  type RecordsBySubject,
} from '../domain/kinds.ts'
import { createRests } from '../json/rest.ts'
import { anyScope, type CollectionRequest, type Kind, kinds } from './kinds.ts'

/** SQLite reads and mostly unpacks this many without a pause; those of a few people are read at once. */
const readAtOnce = 32

/** Returns requests for all collections of the shown feed, each once, and those of people first. */
export function feedRequests(feed: Feed, company: Company): readonly CollectionRequest[] {
  return [...new Set<CollectionKind>(['user', ...collectionKinds])].flatMap((kind) => {
    const { subjectsOf, scopeOf } = kinds[kind]
    const scope = scopeOf?.(feed.options) ?? anyScope
    const subjects = [...new Set(subjectsOf(feed, company))]
    return subjects.map((subject) => ({ collection: { kind, subject }, scope }))
  })
}

export interface RecordsDeps {
  readonly copies: Pick<CopyStore, 'findRecords'>
}

/**
 * Returns the records of these copies that these people need, the newest copy last; undefined if a copy has changed
 * meanwhile. Reads in slices.
 */
export async function loadRecords(
  { copies, userIds }: RecordsDeps & Pick<Feed, 'userIds'>,
  connectionId: string,
  heads: readonly CopyHead[],
): Promise<RecordsBySubject | undefined> {
  const records = structuredClone(noRecords)
  const byAge = heads.toSorted((one, other) => one.begunAt - other.begunAt)
  const rests = createRests()
  for (let first = 0; first < byAge.length; first += readAtOnce) {
    const some = byAge.slice(first, first + readAtOnce)
    const found = await copies.findRecords(connectionId, some, sharedAmong(some, userIds))
    if (!found) return undefined
    for (const { key } of some) put(records, collectionOf(key), found.get(key) ?? [], userIds)
    if (rests.isDue()) await rests.take()
  }
  return records
}

/**
 * Returns the copies to share in memory: those of many people's calendars, and all of a feed with several people. When one
 * changes, all are read again.
 */
function sharedAmong(heads: readonly CopyHead[], userIds: Feed['userIds']): ReadonlySet<string> {
  const keys = heads.map(({ key }) => key)
  if (userIds.length > 1) return new Set(keys)
  return new Set(keys.filter((key) => !kinds[collectionOf(key).kind].isPersonal))
}

function put<K extends CollectionKind>(
  records: typeof noRecords,
  { kind, subject }: Collection<K>,
  ofCopy: readonly RecordOf[K][],
  userIds: readonly string[],
): void {
  const { ofPeople }: Kind<K> = kinds[kind]
  const needed = ofPeople ? ofCopy.map((record) => ofPeople(record, userIds)) : ofCopy
  records[kind].set(subject, needed)
}

/**
 * Records leaves, projects and invoices that the feed is served with for the first time; leaves by person only where the feed
 * may have several. Forgets those of people who are not among its `people` any more: not before, since until it is served
 * without them, clients still have their leave. Returns the feed with `leavesShown` updated.
 */
export async function markShown(
  { feeds }: { readonly feeds: Pick<FeedStore, 'markShown'> },
  feed: Feed,
  people: Feed['userIds'],
  heads: readonly CopyHead[],
): Promise<Feed> {
  const shown = heads.filter(holdsRecords).map(({ key }) => ({ key, ...collectionOf(key) }))
  const isMarked = (kind: CollectionKind): boolean =>
    kinds[kind].mayBeMissing === true || (kind === 'leaves' && feed.audience === 'others')
  const keys = shown.flatMap(({ kind, key }) =>
    isMarked(kind) && !feed.shownCollections.includes(key) ? [key] : [],
  )
  const known = new Set(people.map((subject) => collectionKey({ kind: 'leaves', subject })))
  const isLess = feed.shownCollections.some(
    (key) => key.startsWith(keyPrefix('leaves')) && !known.has(key),
  )
  const leavesShown = feed.leavesShown || shown.some(({ kind }) => kind === 'leaves')
  if (keys.length > 0 || isLess || leavesShown !== feed.leavesShown) {
    await feeds.markShown(feed.id, { keys, leaves: leavesShown })
  }
  return { ...feed, leavesShown }
}
