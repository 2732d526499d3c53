import type { Company } from '../domain/company.ts'
import {
  type Collection,
  collectionOf,
  type Copy,
  type CopyHead,
  type CopyStore,
  holdsRecords,
} from '../domain/copy.ts'
import type { Feed } from '../domain/feed.ts'
import {
  type CollectionKind,
  collectionKinds,
  noRecords,
  type RecordOf,
  type RecordsBySubject,
} from '../domain/kinds.ts'
import { mapped } from '../json/long-lists.ts'
import { createRests, inSteps } from '../json/rest.ts'
import type { CollectionRequest, Kind } from './kinds/kind.ts'
import { kinds } from './kinds/kinds.ts'

/** SQLite reads and unpacks them without a pause. */
const readAtOnce = 8

/** Everything of the Read API that the shown feed is made of; what says who people are comes first. */
export function feedRequests(feed: Feed, company: Company): readonly CollectionRequest[] {
  const kindsInOrder = ['user', ...collectionKinds.filter((kind) => kind !== 'user')] as const
  return kindsInOrder.flatMap((kind) => requestsOf(kind, feed, company))
}

/** The records of these copies by kind and subject, as far as these people need them, read some at a time; undefined if a copy has changed meanwhile. */
export async function loadRecords(
  { copies, userIds }: { readonly copies: Pick<CopyStore, 'findCopy'> } & Pick<Feed, 'userIds'>,
  connectionId: string,
  heads: readonly CopyHead[],
): Promise<RecordsBySubject | undefined> {
  const records = structuredClone(noRecords)
  const rests = createRests()
  for (let first = 0; first < heads.length; first += readAtOnce) {
    const some = heads.slice(first, first + readAtOnce)
    const found = await Promise.all(
      some.map(async ({ key }) =>
        ofPeople(collectionOf(key), await copies.findCopy(connectionId, key), userIds),
      ),
    )
    for (const [index, { key, contentHash }] of some.entries()) {
      const copy = found[index]
      if (copy?.contentHash !== contentHash) return undefined
      put(records, collectionOf(key), copy.records)
    }
    if (rests.isDue()) await rests.take()
  }
  return records
}

async function ofPeople<K extends CollectionKind>(
  { kind }: Collection<K>,
  copy: Copy<K> | undefined,
  userIds: readonly string[],
): Promise<Copy<K> | undefined> {
  const { ofPeople: needed }: Kind<K> = kinds[kind]
  if (!copy || !needed) return copy
  const records = await inSteps(mapped(copy.records, (record) => needed(record, userIds)))
  return { ...copy, records }
}

/** The projects and invoices among these copies that hold records, as far as the feed has not been served with any of them before. */
export function newlyShown(
  { shownCollections }: Pick<Feed, 'shownCollections'>,
  heads: readonly CopyHead[],
): readonly string[] {
  return heads
    .filter(({ key }) => kinds[collectionOf(key).kind].mayBeMissing)
    .filter((head) => holdsRecords(head) && !shownCollections.includes(head.key))
    .map(({ key }) => key)
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
