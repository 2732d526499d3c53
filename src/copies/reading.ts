/* One answer of the Read API on its way to a copy: read, completed by what is kept of what cannot be read, and put in order. */
import type { Connection } from '../domain/connection.ts'
import { contentHashOf, type Copy, makeCopy } from '../domain/copy.ts'
import type { CollectionKind, RecordOf } from '../domain/kinds.ts'
import type { RecordFault } from '../domain/read-api.ts'
import type { PersonReference } from '../domain/user.ts'
import type { Clock, Instant } from '../domain/world.ts'
import { hashOfList } from '../json/list-text.ts'
import {
  type CollectionRequest,
  type Kind,
  kinds,
  type Reading,
  type ReadingContext,
} from './kinds.ts'
import type { LogOnce } from './log-once.ts'
import type { PersonsAnswer } from './proof/replies.ts'

interface ReadDeps extends Pick<
  ReadingContext,
  'signal' | 'bypassCache' | 'showsReasons' | 'isKnown'
> {
  readonly connection: Connection
  readonly clock: Clock
  readonly logOnce: LogOnce
  readonly begunAt: Instant
}

/** More are hashed in slices. */
const fewRecords = 100

/** What was answered, and the copy that its readable records make. */
export interface Read<K extends CollectionKind = CollectionKind> {
  readonly reading: Reading<K>
  readonly copy: Copy<K>
}

/** Asks for a collection once; null where what comes is known. Fails as ReadApi does. */
export async function readCollection<K extends CollectionKind>(
  request: CollectionRequest<K>,
  { connection, clock, logOnce, begunAt, signal, bypassCache, showsReasons, isKnown }: ReadDeps,
): Promise<Read<K> | null> {
  const { collection, scope } = request
  const { read, keep }: Kind<K> = kinds[collection.kind]
  const { api, company } = connection
  const context = { api, company, now: begunAt, signal, bypassCache, showsReasons, isKnown }
  const reading = await read(request, context)
  if (!reading) return null
  const note = ({ resource, field, expected, ...more }: RecordFault, event: string): void =>
    logOnce.warn({ company: company.id, resource, field, expected }, event, more)
  for (const fault of reading.faults) note(fault, 'records_set_aside')
  for (const misfit of reading.misfits) note(misfit, 'fields_set_aside')
  const { records, contentHash } = await sortedAndHashed(reading.records.map(keep))
  const of = { begunAt, fetchedAt: clock.now(), reach: scope.reach, contentHash }
  const copy = makeCopy(collection, records, of)
  return { reading, copy: reading.withReasons ? { ...copy, withReasons: true } : copy }
}

/** Records as they are kept, in the order of their ids, with their hash. */
async function sortedAndHashed<T extends { readonly id: string }>(
  unsorted: readonly T[],
): Promise<{ readonly records: readonly T[]; readonly contentHash: string }> {
  const records = unsorted.toSorted((a, b) => Number(a.id > b.id) - Number(a.id < b.id))
  const isLong = records.length > fewRecords
  const contentHash = isLong ? await hashOfList(records) : contentHashOf(records)
  return { records, contentHash }
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
export function answerOf(
  { collection: { subject: userId }, ofDraft = false }: CollectionRequest,
  { reading: { ids, nameless, pages } }: Read,
  kept: Pick<Copy, 'records'> | undefined,
): PersonsAnswer {
  const before = kept && new Set(kept.records.map(({ id }) => id))
  return { userId, ids: new Set(ids), nameless, pages, kept: before, ofDraft }
}

type Unnamed = Pick<Reading, 'nameless' | 'garbled'>

interface Answered<K extends CollectionKind>
  extends Pick<Reading<K>, 'records' | 'ids' | 'inDoubt'>, Unnamed {}

/**
 * The readable records of an answer, completed by what is kept of those that came and could not be read: these stand as they were
 * read last, for as long as a calendar may be stale. `held` are those that stand only for that.
 */
export function completed<K extends CollectionKind>(
  { records, ids, inDoubt, ...unnamed }: Answered<K>,
  kept: Copy<K> | undefined,
  { mended = (record) => record }: Kind<K>,
  { now, staleMs }: { readonly now: Instant; readonly staleMs: number },
): Pick<Copy<K>, 'records' | 'held'> {
  if (!kept) return { records }
  const readable = new Map(records.map((record) => [record.id, record]))
  const came = new Set(ids)
  const held = new Map<string, Instant>()
  const standing: RecordOf[K][] = []
  for (const before of kept.records) {
    const record = readable.get(before.id)
    const doubted = inDoubt.get(before.id) ?? []
    const isGone = !record && !came.has(before.id) && !mayBeOf(before.id, unnamed)
    const stands = record ? mended(withFieldsOf(before, doubted, record), before) : before
    const since = heldSince(kept, before.id, now)
    if (isGone || isAlike(stands, record) || now - since >= staleMs) continue
    held.set(before.id, since)
    standing.push(stands)
  }
  const all = records.filter(({ id }) => !held.has(id)).concat(standing)
  return { records: all, ...(held.size > 0 ? { held: Object.fromEntries(held) } : {}) }
}

/** Whether one of the records that came without an id can be the one of that id: ASCII is the same in all that bytes are taken for. */
function mayBeOf(id: string, { nameless, garbled }: Unnamed): boolean {
  return nameless > garbled || (garbled > 0 && /[^\p{ASCII}]/u.test(id))
}

function isAlike(one: object, other: object | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

/** An instant that lies in the future was noted by a clock that ran ahead. */
function heldSince({ held }: Pick<Copy, 'held'>, id: string, now: Instant): Instant {
  const since = held && Object.hasOwn(held, id) ? held[id] : undefined
  return Math.min(since ?? now, now)
}

/** The record with these fields as they were. */
function withFieldsOf<T extends object>(before: T, names: readonly string[], record: T): T {
  if (names.length === 0) return record
  const fields = Object.entries(before).filter(([name]) => names.includes(name))
  return { ...record, ...Object.fromEntries(fields) }
}

type People<K extends CollectionKind> = NonNullable<Kind<K>['people']>

/** Whom records name that did not name them before, or called them otherwise; each once for each way in which they are called. */
export function newlyNamed<K extends CollectionKind>(
  { named }: People<K>,
  before: readonly RecordOf[K][],
  after: readonly RecordOf[K][],
): readonly PersonReference[] {
  const known = byId(before)
  const found = new Map<string, PersonReference>()
  for (const record of after) {
    const was = known.get(record.id)
    const calls = new Set(was ? named(was).map(callOf) : [])
    for (const person of named(record)) {
      if (!calls.has(callOf(person))) found.set(callOf(person), person)
    }
  }
  return [...found.values()]
}

/** The records that came, in which these people stand as they did before: by no record more and by none less. */
export function withAsBefore<K extends CollectionKind>(
  { named, naming }: People<K>,
  people: ReadonlySet<string>,
  before: readonly RecordOf[K][],
  after: readonly RecordOf[K][],
): readonly RecordOf[K][] {
  const gone = byId(before)
  const theirsIn = (record: RecordOf[K]): readonly PersonReference[] =>
    named(record).filter(({ id }) => people.has(id))
  const standing = after.map((record) => {
    const was = gone.get(record.id)
    gone.delete(record.id)
    const theirs = new Map(was ? theirsIn(was).map((person) => [person.id, person]) : [])
    if (theirs.size === 0 && theirsIn(record).length === 0) return record
    const names = named(record).flatMap((person) =>
      people.has(person.id) ? (theirs.get(person.id) ?? []) : person,
    )
    return naming(record, [...new Set([...names, ...theirs.values()])])
  })
  const ofGone = [...gone.values()].flatMap((record) => {
    const theirs = theirsIn(record)
    return theirs.length > 0 ? [naming(record, theirs)] : []
  })
  return [...standing, ...ofGone]
}

function callOf({ id, firstName, lastName }: PersonReference): string {
  return JSON.stringify([id, firstName, lastName])
}

function byId<T extends { readonly id: string }>(records: readonly T[]): Map<string, T> {
  return new Map(records.map((record) => [record.id, record]))
}
