import type { Connection } from '../domain/connection.ts'
import { contentHashOf, type Copy, makeCopy } from '../domain/copy.ts'
import type { CollectionKind } from '../domain/kinds.ts'
import type { RecordFault } from '../domain/read-api.ts'
import type { Clock, Instant } from '../domain/world.ts'
import { hashOfList } from '../json/list-text.ts'
import { mapped } from '../json/long-lists.ts'
import { setOf } from '../json/long-sets.ts'
import { inSteps } from '../json/rest.ts'
import { sortedById } from '../json/sorted.ts'
import type { CollectionRequest, Kind, Reading, ReadingContext } from './kinds/kind.ts'
import { kinds } from './kinds/kinds.ts'
import type { PersonsAnswer } from './proof/leaves-reply.ts'
import type { ToldOnce } from './told-once.ts'

interface ReadDeps extends Pick<ReadingContext, 'signal' | 'anew' | 'showsReasons' | 'isKnown'> {
  readonly connection: Connection
  readonly clock: Clock
  readonly told: ToldOnce
  readonly begunAt: Instant
}

/** So many are worked on at once. */
const fewRecords = 100

/** What was answered, and the copy that its readable records make. */
export interface Read<K extends CollectionKind = CollectionKind> {
  readonly reading: Reading<K>
  readonly copy: Copy<K>
}

/** Asks for a collection once; null where what comes is known. Fails as ReadApi does. */
export async function readCollection<K extends CollectionKind>(
  { collection, scope, ...request }: CollectionRequest<K>,
  { connection, clock, told, begunAt, ...reads }: ReadDeps,
): Promise<Read<K> | null> {
  const { read, keep }: Kind<K> = kinds[collection.kind]
  const { signal, anew, showsReasons, isKnown } = reads
  const { api, company } = connection
  const context = { api, company, now: begunAt, signal, anew, showsReasons, isKnown }
  const reading = await read({ collection, scope, ...request }, context)
  if (!reading) return null
  const tell = ({ resource, field, expected, ...more }: RecordFault, event: string): void =>
    told.warn({ company: company.id, resource, field, expected }, event, more)
  for (const fault of reading.faults) tell(fault, 'records_set_aside')
  for (const misfit of reading.misfits) tell(misfit, 'fields_set_aside')
  const sorted = await sortedAndHashed(await keptOf(reading.records, keep))
  const { reach } = scope
  const of = { begunAt, fetchedAt: clock.now(), reach, contentHash: sorted.contentHash }
  const copy = makeCopy(collection, sorted.records, of)
  return { reading, copy: reading.withReasons ? { ...copy, withReasons: true } : copy }
}

/** What is kept of each. */
export async function keptOf<T>(
  records: readonly T[],
  keep: (record: T) => T,
): Promise<readonly T[]> {
  return records.length <= fewRecords ? records.map(keep) : inSteps(mapped(records, keep))
}

/** Records as they are kept, in the order of their ids, with their hash; a long list in steps. */
async function sortedAndHashed<T extends { readonly id: string }>(
  unsorted: readonly T[],
): Promise<{ readonly records: readonly T[]; readonly contentHash: string }> {
  if (unsorted.length <= fewRecords) {
    const records = unsorted.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    return { records, contentHash: contentHashOf(records) }
  }
  const records = await inSteps(sortedById(unsorted))
  return { records, contentHash: await inSteps(hashOfList(records)) }
}

/** The copy of these records instead. */
export async function copyOf<K extends CollectionKind>(
  copy: Copy<K>,
  records: Copy<K>['records'],
): Promise<Copy<K>> {
  return { ...copy, ...(await sortedAndHashed(records)) }
}

/** Whether everything that came can be read. */
export function isWhole({ faults, inDoubt, nameless }: Reading): boolean {
  return faults.length === 0 && inDoubt.size === 0 && nameless === 0
}

/** The answer as its proof sees it. */
export async function answerOf(
  { collection: { subject: userId }, ofDraft = false }: CollectionRequest,
  { reading: { ids, nameless, pages } }: Read,
  kept: Pick<Copy, 'records'> | undefined,
): Promise<PersonsAnswer> {
  const before = kept && (await setOfIds(kept.records.map(({ id }) => id)))
  return { userId, ids: await setOfIds(ids), nameless, pages, kept: before, ofDraft }
}

async function setOfIds(ids: readonly string[]): Promise<ReadonlySet<string>> {
  return ids.length <= fewRecords ? new Set(ids) : inSteps(setOf(ids))
}
