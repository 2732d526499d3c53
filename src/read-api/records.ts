/* The records of one answer, each read by itself. */
import { createHash } from 'node:crypto'

import type { Answer, ListKind, RecordFault } from '../domain/read-api.ts'
import { outlineOf } from '../json/outline.ts'
import { type ElementLimits, TooLarge, valueOf } from '../json/values.ts'
import { requestFault } from '../transport/request-fault.ts'
import { isIdentifier, isReplaced, type Reading, type ReadRecord } from '../wire/fields.ts'
import { faultsIn, faultsMax, type Misfit, misfitsOf } from './misfits.ts'

/** More than any calendar needs of one record: a timesheet of a year with entries for each day has some three thousand values. */
export const recordLimits: ElementLimits = {
  bytesMax: 1_048_576,
  valuesMax: 10_000,
  depthMax: 32,
}
/** Nothing that is meant as a list has so much in it that does not fit. */
const unfitMax = 1_000_000
const says = `answered more than ${unfitMax} values that do not fit the spec`
const none: readonly Misfit[] = []
/** An id in its quotes, each character written in six bytes. */
const idBytesMax = 2_000

const { bytesMax, valuesMax, depthMax } = recordLimits
/** What is said of a record that exceeds them. */
export const tooLarge: Reading<never> = {
  record: undefined,
  unfit: [
    {
      path: [],
      message: `expected at most ${bytesMax} bytes, ${valuesMax} values and ${depthMax} levels`,
    },
  ],
  inDoubt: [],
}

/** One record of an answer, as far as it can be read. */
export interface Came<T> extends Omit<Reading<T>, 'unfit'> {
  /** By what it is known again on another page: its id, or its content where it has none. */
  readonly name: string
  /** Where it can be one. */
  readonly id: string | undefined
  /** Whether it is a text that could not be decoded. */
  readonly isGarbled: boolean
  /** How many things do not fit. */
  readonly unfit: number
  /** What does not, field by field; of the first such records alone. */
  readonly misfits: readonly Misfit[]
}

/** Reads the records of a list; yields after each, so that its caller may rest. `upstream_invalid` where hardly anything fits. */
export function* readRecords<T>(
  batches: Iterable<readonly unknown[]>,
  { read, url }: { readonly read: ReadRecord<T>; readonly url: URL },
): Generator<unknown, readonly Came<T>[]> {
  const came: Came<T>[] = []
  let [looked, sum] = [0, 0]
  for (const batch of batches) {
    for (const json of batch) {
      const { unfit, ...reading } = json instanceof TooLarge ? tooLarge : read(json)
      const known = json instanceof TooLarge ? yield* nameLarge(json) : nameOf(json)
      sum += unfit.length
      if (sum > unfitMax) throw requestFault('upstream_invalid', url, says)
      if (unfit.length > 0) looked += 1
      const misfits = unfit.length === 0 || looked > faultsMax ? none : misfitsOf(unfit)
      came.push({ ...reading, ...known, unfit: unfit.length, misfits })
      yield
    }
  }
  return came
}

type Known = Pick<Came<unknown>, 'name' | 'id' | 'isGarbled'>

function nameOf(json: unknown): Known {
  const id = typeof json === 'object' && json !== null && 'id' in json ? json.id : undefined
  if (typeof id === 'string' && isIdentifier(id)) return { id, name: id, isGarbled: false }
  const name = contentName(Buffer.from(JSON.stringify(json)))
  return { id: undefined, name, isGarbled: isReplaced(id) }
}

/** It came, whatever it holds: what is kept under its id stands. */
function* nameLarge({ bytes }: TooLarge): Generator<unknown, Known> {
  const found = yield* outlineOf(bytes, { member: 'id' })
  const isShort = found?.is === 'scalar' && found.part.end - found.part.start <= idBytesMax
  const known = nameOf({ id: isShort ? valueOf(bytes, found.part) : undefined })
  return known.id === undefined ? { ...known, name: contentName(bytes) } : known
}

/** No id begins with a control character. */
function contentName(bytes: Uint8Array): string {
  return `\n${createHash('sha256').update(bytes).digest('base64url')}`
}

const noFaults = { faults: [], misfits: [] }

type Read<T> = Came<T> & { readonly record: T }

/** Where records of one id are counted that do not say the same. */
const sameId = '(records of one id)'

/**
 * The records that can be read, and what of them all does not fit; yields after each. Of those with one id that is taken
 * which fits best, then the one whose content is the last in the order of texts, whatever order they came in: an answer that is sorted otherwise is the
 * same answer. Where they say the same nothing is amiss: lists grow while their pages are read.
 */
export function* mergeRecords<T extends { readonly id: string }>(
  kind: ListKind,
  came: readonly Came<T>[],
): Generator<unknown, Omit<Answer<T>, 'pages'>> {
  const byId = new Map<string, Read<T>>()
  const ids = new Set<string>()
  const contradicting: number[] = []
  let [nameless, garbled, unfit] = [0, 0, 0]
  for (const [index, it] of came.entries()) {
    unfit += it.unfit
    if (it.isGarbled) garbled += 1
    if (it.id === undefined) nameless += 1
    else ids.add(it.id)
    if (isRead(it)) {
      const before = byId.get(it.record.id)
      if (before && contentOf(before) !== contentOf(it)) contradicting.push(index)
      if (!before || isBetter(it, before)) byId.set(it.record.id, it)
    }
    yield
  }
  const taken = [...byId.values()]
  const { faults, misfits } = unfit > 0 ? yield* faultsIn(kind, came) : noFaults
  return {
    records: taken.map(({ record }) => record),
    faults,
    misfits: [...misfits, ...contradictions(kind, contradicting)],
    inDoubt: new Map(doubtsOf(taken)),
    ids: [...ids],
    nameless,
    garbled,
  }
}

function isRead<T>(came: Came<T>): came is Read<T> {
  return came.record !== undefined
}

function isBetter(one: Read<unknown>, other: Read<unknown>): boolean {
  if (one.unfit !== other.unfit) return one.unfit < other.unfit
  return contentOf(one) > contentOf(other)
}

function contentOf({ record, inDoubt }: Read<unknown>): string {
  return JSON.stringify([record, inDoubt])
}

function doubtsOf(
  taken: readonly Read<{ readonly id: string }>[],
): readonly (readonly [string, readonly string[]])[] {
  return taken.flatMap(({ record, inDoubt }) =>
    inDoubt.length > 0 ? [[record.id, inDoubt] as const] : [],
  )
}

function contradictions(
  resource: ListKind,
  [first, ...others]: readonly number[],
): readonly RecordFault[] {
  if (first === undefined) return []
  const expected = 'expected all to say the same'
  return [
    { resource, field: sameId, count: 1 + others.length, example: `data[${first}]`, expected },
  ]
}
