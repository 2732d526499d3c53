import type { Connection } from '../domain/connection.ts'
import { collectionKey, type Copy, type CopyHead, type CopyStore } from '../domain/copy.ts'
import { asAppError } from '../domain/errors.ts'
import type { CollectionKind, RecordOf } from '../domain/kinds.ts'
import type { Instant, Clock, Log } from '../domain/world.ts'
import { contentHashOf, keptRecords, withoutReasons } from './kept-records.ts'
import { readCollection, type CollectionRequest } from './read-collection.ts'
import type { Retention } from './retention.ts'

const dayMs = 86_400_000

interface CopyReaderDeps {
  readonly snapshots: CopyStore
  readonly retention: Pick<Retention, 'showsReasons'>
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
}

/**
 * Reads the collection as a copy fit to be kept. Undefined for a project or invoice that is not there, until it has been
 * missing for a day; otherwise fails as ReadApi does.
 */
export async function readCopy(
  deps: CopyReaderDeps,
  connection: Connection,
  request: CollectionRequest,
  head: CopyHead | null,
): Promise<Copy | undefined> {
  const { clock, log, signal } = deps
  const begunAt = clock.now()
  const key = collectionKey(request.collection)
  const { api, company } = connection
  try {
    const reading = await readCollection(request, { api, now: begunAt, signal })
    for (const fault of reading.faults) {
      log.warn({ company: company.id, ...fault }, 'records_set_aside')
    }
    const records = keptRecords(request.collection.kind, reading.records)
    const times = { begunAt, fetchedAt: clock.now(), reach: request.reach }
    return await withinRetention(deps, connection, request, copyOf(key, records, times))
  } catch (error) {
    if (asAppError(error)?.code !== 'upstream_not_found' || !mayBeMissing(request)) throw error
    return missing(deps, connection, request, { head, begunAt })
  }
}

/** Reasons are kept only while a feed of that person shows them. */
async function withinRetention(
  deps: CopyReaderDeps,
  { company }: Connection,
  { collection: { kind, subject }, reasons = false }: CollectionRequest,
  copy: Copy,
): Promise<Copy> {
  if (kind !== 'leaves') return copy
  if (reasons || (await deps.retention.showsReasons(company.id, subject))) {
    return { ...copy, withReasons: true }
  }
  const records = withoutReasons(copy.records)
  return { ...copy, records, contentHash: contentHashOf(records) }
}

/** A project or invoice that is not there is empty at its first reading, or when a day later it still is not; and stays so. */
async function missing(
  deps: CopyReaderDeps,
  connection: Connection,
  { collection, reach }: CollectionRequest,
  { head, begunAt }: { head: CopyHead | null; begunAt: Instant },
): Promise<Copy | undefined> {
  const now = deps.clock.now()
  const missingSince = head?.missingSince ?? now
  deps.log.warn({ company: connection.company.id, ...collection }, 'record_missing')
  const empty = copyOf(collectionKey(collection), [], { begunAt, fetchedAt: now, reach })
  const isEmpty = !head || head.contentHash === empty.contentHash
  if (isEmpty || now - missingSince >= dayMs) return { ...empty, missingSince }
  await deps.snapshots.confirmCopy(connection.id, { ...head, begunAt, missingSince })
  return undefined
}

function copyOf<K extends CollectionKind>(
  key: string,
  records: readonly RecordOf[K][],
  times: Pick<CopyHead, 'begunAt' | 'fetchedAt' | 'reach'>,
): Copy<K> {
  return { key, contentHash: contentHashOf(records), ...times, missingSince: null, records }
}

function mayBeMissing({ collection: { kind } }: CollectionRequest): boolean {
  return kind === 'tasks' || kind === 'invoice'
}
