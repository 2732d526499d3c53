/* Reads one answer of the Read API for a copy, completes unreadable records from the stored copy, and sorts it. */
import type { Connection, Standing } from '../domain/connection.ts'
import { collectionKey, contentHashOf, type Copy, type CopyHead, makeCopy } from '../domain/copy.ts'
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

/** Longer lists are hashed in slices. */
const fewRecords = 100

/** An answer, with the copy of its readable records. */
export interface ReadCopy<K extends CollectionKind = CollectionKind> extends Reading<K> {
  readonly copy: Copy<K>
}

/** Requests a collection once; null if the answer is known. Fails like `ReadApi`. */
export async function readCollection<K extends CollectionKind>(
  request: CollectionRequest<K>,
  { connection, clock, logOnce }: { connection: Connection; clock: Clock; logOnce: LogOnce },
  context: Omit<ReadingContext, 'api' | 'company'>,
): Promise<ReadCopy<K> | null> {
  const { collection, scope } = request
  const { read, keep }: Kind<K> = kinds[collection.kind]
  const reading = await read(request, { ...connection, ...context })
  if (!reading) return null
  const company = connection.company.id
  const note = ({ resource, field, expected, ...more }: RecordFault, event: string): void =>
    logOnce.warn({ company, resource, field, expected }, event, more)
  for (const fault of reading.faults) note(fault, 'records_set_aside')
  for (const misfit of reading.misfits) note(misfit, 'fields_set_aside')
  const { records, contentHash } = await sortedAndHashed(reading.records.map(keep))
  const times = { begunAt: context.now, fetchedAt: clock.now(), reach: scope.reach }
  const copy = makeCopy(collection, records, { ...times, contentHash })
  return { ...reading, copy: reading.withReasons ? { ...copy, withReasons: true } : copy }
}

async function sortedAndHashed<T extends { readonly id: string }>(unsorted: readonly T[]) {
  const records = unsorted.toSorted((a, b) => Number(a.id > b.id) - Number(a.id < b.id))
  const isLong = records.length > fewRecords
  return { records, contentHash: isLong ? await hashOfList(records) : contentHashOf(records) }
}

export async function copyOf<K extends CollectionKind>(
  copy: Copy<K>,
  records: Copy<K>['records'],
): Promise<Copy<K>> {
  return { ...copy, ...(await sortedAndHashed(records)) }
}

export function isWhole({ faults, inDoubt, nameless }: Reading): boolean {
  return faults.length === 0 && inDoubt.size === 0 && nameless === 0
}

/** Returns the copy with the stored records that were returned but are now unreadable, as last read, until they are stale. */
export async function completed<K extends CollectionKind>(
  { copy, ids, inDoubt, nameless, garbled }: ReadCopy<K>,
  kept: Copy<K> | undefined,
  { mended = (record) => record, keep }: Kind<K>,
  { now, staleMs }: { readonly now: Instant; readonly staleMs: number },
): Promise<Copy<K>> {
  if (!kept) return copy
  const readable = byId(copy.records)
  const came = new Set(ids)
  // All encodings that may garble an id agree on ASCII, so an ASCII id cannot be garbled.
  const mayBeNameless = (id: string): boolean =>
    nameless > garbled || (garbled > 0 && /[^\p{ASCII}]/u.test(id))
  const held = new Map<string, Instant>()
  const stays: RecordOf[K][] = []
  for (const before of kept.records) {
    const { id } = before
    const record = readable.get(id)
    const isGone = !record && !came.has(id) && !mayBeNameless(id)
    const whole = record
      ? mended(withFieldsOf(before, inDoubt.get(id) ?? [], record), before)
      : before
    // A clock that ran ahead may have stored an instant in the future.
    const heldSince = kept.held && Object.hasOwn(kept.held, id) ? kept.held[id] : undefined
    const since = Math.min(heldSince ?? now, now)
    if (isGone || isAlike(whole, record) || now - since >= staleMs) continue
    held.set(id, since)
    stays.push(whole)
  }
  if (held.size === 0) return copy
  const all = copy.records.filter(({ id }) => !held.has(id)).concat(stays)
  return { ...(await copyOf(copy, all.map(keep))), held: Object.fromEntries(held) }
}

function isAlike(one: object, other: object | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

function withFieldsOf<T extends object>(before: T, names: readonly string[], record: T): T {
  if (names.length === 0) return record
  const fields = Object.entries(before).filter(([name]) => names.includes(name))
  return { ...record, ...Object.fromEntries(fields) }
}

type People<K extends CollectionKind> = NonNullable<Kind<K>['people']>

/** Returns people who are new in a record or have another name in it; each once per name. */
export function newlyNamed<K extends CollectionKind>(
  { named }: People<K>,
  before: readonly RecordOf[K][],
  after: readonly RecordOf[K][],
): readonly PersonReference[] {
  const known = byId(before)
  const found = new Map<string, PersonReference>()
  for (const record of after) {
    const was = known.get(record.id)
    const names = new Set(was ? named(was).map(nameOf) : [])
    for (const person of named(record)) {
      if (!names.has(nameOf(person))) found.set(nameOf(person), person)
    }
  }
  return [...found.values()]
}

/** Returns the new records with these people exactly as before: added to no record and missing from none. */
export function withAsBefore<K extends CollectionKind>(
  { named, naming }: People<K>,
  people: ReadonlySet<string>,
  before: readonly RecordOf[K][],
  after: readonly RecordOf[K][],
): readonly RecordOf[K][] {
  const gone = byId(before)
  const theirsIn = (record: RecordOf[K] | undefined): readonly PersonReference[] =>
    record ? named(record).filter(({ id }) => people.has(id)) : []
  const all = after.map((record) => {
    const theirs = new Map(theirsIn(gone.get(record.id)).map((person) => [person.id, person]))
    gone.delete(record.id)
    if (theirs.size === 0 && theirsIn(record).length === 0) return record
    const names = named(record).flatMap((person) =>
      people.has(person.id) ? (theirs.get(person.id) ?? []) : person,
    )
    return naming(record, [...new Set([...names, ...theirs.values()])])
  })
  const ofGone = [...gone.values()].map((record) => naming(record, theirsIn(record)))
  return all.concat(ofGone.filter((record) => named(record).length > 0))
}

function nameOf({ id, firstName, lastName }: PersonReference): string {
  return JSON.stringify([id, firstName, lastName])
}

function byId<T extends { readonly id: string }>(records: readonly T[]): Map<string, T> {
  return new Map(records.map((record) => [record.id, record]))
}

/** For all companies together: each takes some hundred bytes. */
const answersMax = 100_000

export type KnownAnswer = Pick<CopyHead, 'contentHash' | 'withReasons'> & {
  readonly digest: string
}

/** Digests of the last answers for each collection of all companies: the same bytes need not be read again. */
export class KnownAnswers {
  readonly #byName = new Map<string, KnownAnswer>()

  /** Returns the answer that would only confirm the stored copy. */
  find(
    connectionId: string,
    { collection }: CollectionRequest,
    head: CopyHead | null,
    { unsettled, proof }: Standing,
  ): KnownAnswer | undefined {
    const known = this.#byName.get(`${connectionId} ${collectionKey(collection)}`)
    if (!head || head.doubt || known?.contentHash !== head.contentHash) return undefined
    const saysMore = unsettled.length > 0 || proof.state === 'disproved'
    return collection.kind === 'leaves' && saysMore ? undefined : known
  }

  /** Records an answer, unless it could not be read in full. */
  note(connectionId: string, read: ReadCopy): void {
    const { digest } = read
    const { key, contentHash, withReasons = false } = read.copy
    const name = `${connectionId} ${key}`
    this.#byName.delete(name)
    if (digest === undefined || !isWhole(read)) return
    const [oldest] = this.#byName.keys()
    if (this.#byName.size >= answersMax && oldest !== undefined) this.#byName.delete(oldest)
    this.#byName.set(name, { digest, contentHash, withReasons })
  }

  forget(connectionId: string, { collection }: CollectionRequest): void {
    this.#byName.delete(`${connectionId} ${collectionKey(collection)}`)
  }
}
