/* Records that come back unreadable stand as they were read last, for as long as a calendar may be stale. Pure. */
import type { Copy } from '../domain/copy.ts'
import type { CollectionKind } from '../domain/kinds.ts'
import type { Instant } from '../domain/world.ts'
import { each, filtered } from '../json/long-lists.ts'
import { setOf } from '../json/long-sets.ts'
import type { Kind, Reading } from './kinds/kind.ts'

/** Records as they are to be kept, and which of them stand only because they could not be read. */
export interface Completed<K extends CollectionKind> extends Pick<Copy<K>, 'records' | 'held'> {}

type Unnamed = Pick<Reading, 'nameless' | 'garbled'>

interface Answered<K extends CollectionKind>
  extends Pick<Reading<K>, 'records' | 'ids' | 'inDoubt'>, Unnamed {}

interface Holding<K extends CollectionKind> {
  readonly mended?: Kind<K>['mended'] | undefined
  readonly now: Instant
  readonly staleMs: number
}

/** The readable records of an answer, completed by what is kept of those that came and could not be read; of any length, in steps. */
export function* completed<K extends CollectionKind>(
  { records, ids, inDoubt, ...unnamed }: Answered<K>,
  kept: Copy<K> | undefined,
  { now, staleMs, mended = (record) => record }: Holding<K>,
): Generator<unknown, Completed<K>> {
  if (!kept) return { records }
  const readable = new Map<string, (typeof records)[number]>()
  yield* each(records, (record) => readable.set(record.id, record))
  const came = yield* setOf(ids)
  const held = new Map<string, Instant>()
  const standing: Copy<K>['records'][number][] = []
  yield* each(kept.records, (before) => {
    const record = readable.get(before.id)
    const doubted = inDoubt.get(before.id) ?? []
    const isGone = !record && !came.has(before.id) && !mayBeOf(before.id, unnamed)
    const stands = record ? mended(withFieldsOf(before, doubted, record), before) : before
    const since = sinceOf(kept, before.id, now)
    if (isGone || isAlike(stands, record) || now - since >= staleMs) return
    held.set(before.id, since)
    standing.push(stands)
  })
  const others = yield* filtered(records, ({ id }) => !held.has(id))
  const all = others.concat(standing)
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
function sinceOf({ held }: Pick<Copy, 'held'>, id: string, now: Instant): Instant {
  const since = held && Object.hasOwn(held, id) ? held[id] : undefined
  return Math.min(since ?? now, now)
}

/** The record with these fields as they were. */
function withFieldsOf<T extends object>(before: T, names: readonly string[], record: T): T {
  if (names.length === 0) return record
  const fields = Object.entries(before).filter(([name]) => names.includes(name))
  return { ...record, ...Object.fromEntries(fields) }
}
