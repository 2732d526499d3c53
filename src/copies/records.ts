import { type Collection, collectionOf, type CopyHead, type CopyStore } from '../domain/copy.ts'
import {
  type CollectionKind,
  noRecords,
  type RecordOf,
  type RecordsBySubject,
} from '../domain/kinds.ts'

/** The records of these copies by kind and subject; undefined if a copy has changed meanwhile. */
export async function loadRecords(
  copies: Pick<CopyStore, 'findCopy'>,
  connectionId: string,
  heads: readonly CopyHead[],
): Promise<RecordsBySubject | undefined> {
  const found = await Promise.all(heads.map(({ key }) => copies.findCopy(connectionId, key)))
  const records = noRecords()
  for (const [index, { key, contentHash }] of heads.entries()) {
    const copy = found[index]
    if (copy?.contentHash !== contentHash) return undefined
    put(records, collectionOf(key), copy.records)
  }
  return records
}

function put<K extends CollectionKind>(
  records: ReturnType<typeof noRecords>,
  { kind, subject }: Collection<K>,
  ofCopy: readonly RecordOf[K][],
): void {
  records[kind].set(subject, ofCopy)
}
