import type { Company } from '../domain/company.ts'
import {
  type Collection,
  collectionOf,
  type CopyHead,
  type CopyStore,
  holdsRecords,
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
import { type CollectionRequest, type Kind, kinds } from './kinds.ts'

/** SQLite reads them, and most are unpacked, without a pause; of a few people they are read at once. */
const readAtOnce = 32

/** Everything of the Read API that the shown feed is made of; what says who people are comes first. */
export function feedRequests(feed: Feed, company: Company): readonly CollectionRequest[] {
  const kindsInOrder = ['user', ...collectionKinds.filter((kind) => kind !== 'user')] as const
  return kindsInOrder.flatMap((kind) => requestsOf(kind, feed, company))
}

/** The records of these copies by kind and subject, as far as these people need them, read some at a time; undefined if a copy has changed meanwhile. */
export async function loadRecords(
  { copies, userIds }: RecordsDeps & Pick<Feed, 'userIds'>,
  connectionId: string,
  heads: readonly CopyHead[],
): Promise<RecordsBySubject | undefined> {
  const records = structuredClone(noRecords)
  const rests = createRests()
  for (let first = 0; first < heads.length; first += readAtOnce) {
    const some = heads.slice(first, first + readAtOnce)
    const found = await copies.findRecords(connectionId, some, sharedAmong(some, userIds))
    if (!found) return undefined
    for (const [key, ofCopy] of found) {
      const collection = collectionOf(key)
      put(records, collection, ofPeople(collection, ofCopy, userIds))
    }
    if (rests.isDue()) await rests.take()
  }
  return records
}

export interface RecordsDeps {
  readonly copies: Pick<CopyStore, 'findRecords'>
}

/** Those that the calendars of many people are made of, and all of several people's: where one of them changes, it is made again with the others. */
function sharedAmong(heads: readonly CopyHead[], userIds: Feed['userIds']): ReadonlySet<string> {
  const isShared = ({ key }: CopyHead): boolean =>
    userIds.length > 1 || !kinds[collectionOf(key).kind].isPersonal
  const shared = heads.filter(isShared)
  return new Set(shared.map(({ key }) => key))
}

function ofPeople<K extends CollectionKind>(
  { kind }: Collection<K>,
  records: readonly RecordOf[K][],
  userIds: readonly string[],
): readonly RecordOf[K][] {
  const { ofPeople: needed }: Kind<K> = kinds[kind]
  return needed ? records.map((record) => needed(record, userIds)) : records
}

/** Notes what of these copies the feed has never been served with before: leaves, projects and invoices. Gives the feed with its leaves noted. */
export async function markShown(
  { feeds }: { readonly feeds: Pick<FeedStore, 'markLeavesShown' | 'markShown'> },
  feed: Feed,
  heads: readonly CopyHead[],
): Promise<Feed> {
  const filled = heads.filter(holdsRecords)
  const shown = filled.filter(
    ({ key }) => kinds[collectionOf(key).kind].mayBeMissing && !feed.shownCollections.includes(key),
  )
  const leavesShown =
    feed.leavesShown || filled.some(({ key }) => collectionOf(key).kind === 'leaves')
  const keys = shown.map(({ key }) => key)
  await Promise.all([
    keys.length > 0 && feeds.markShown(feed.id, keys),
    leavesShown !== feed.leavesShown && feeds.markLeavesShown(feed.id),
  ])
  return { ...feed, leavesShown }
}

function requestsOf(
  kind: CollectionKind,
  feed: Feed,
  company: Company,
): readonly CollectionRequest[] {
  const { neededBy, ...of } = kinds[kind]
  if (neededBy.length > 0 && !neededBy.some((shown) => feed.options[shown].show)) return []
  const scope = of.scopeOf(feed.options)
  const subjects = new Set(of.subjectsOf(feed, company))
  return [...subjects].map((subject) => ({ collection: { kind, subject }, scope }))
}

function put<K extends CollectionKind>(
  records: typeof noRecords,
  { kind, subject }: Collection<K>,
  ofCopy: readonly RecordOf[K][],
): void {
  records[kind].set(subject, ofCopy)
}
