/* Merges the records of all pages. */
import { setImmediate as turn } from 'node:timers/promises'

import type { Answer, ListKind, RecordFault } from '../domain/read-api.ts'
import { type Came, faultsMax, type Misfit } from './records.ts'

/** Records per turn of the event loop. */
const recordsAtOnce = 10_000
/** Counts records with the same id but different content. */
const sameId = '(records of one id)'

interface Taken<T> {
  readonly came: Came<T>
  readonly record: T
  /** Set once another record has the same id. */
  content: string | undefined
}

/**
 * Returns the readable records and everything that does not fit. Of records with the same id, it takes the one with the
 * fewest misfits, then the last by content. So the order of the list does not matter. Equal duplicates are no fault, since
 * lists grow while their pages are read.
 */
export async function mergeRecords<T extends { readonly id: string }>(
  kind: ListKind,
  all: readonly Came<T>[],
  signal?: AbortSignal,
): Promise<Omit<Answer<T>, 'pages'>> {
  const byId = new Map<string, Taken<T>>()
  const ids = new Set<string>()
  const contradicting: number[] = []
  let [nameless, garbled, unfit] = [0, 0, 0]
  for (const [index, came] of all.entries()) {
    if (index % recordsAtOnce === recordsAtOnce - 1) {
      await turn()
      signal?.throwIfAborted()
    }
    unfit += came.unfit
    if (came.isGarbled) garbled += 1
    if (came.id === undefined) nameless += 1
    else ids.add(came.id)
    const { record } = came
    if (record === undefined) continue
    const before = byId.get(record.id)
    const taken: Taken<T> = { came, record, content: before && contentOf(came) }
    if (before) {
      before.content ??= contentOf(before.came)
      if (before.content !== taken.content) contradicting.push(index)
    }
    if (!before || isBetter(taken, before)) byId.set(record.id, taken)
  }
  const taken = [...byId.values()]
  const { faults, misfits } = unfit > 0 ? faultsIn(kind, all) : { faults: [], misfits: [] }
  return {
    records: taken.map(({ record }) => record),
    faults,
    misfits: [...misfits, ...contradictions(kind, contradicting)],
    inDoubt: new Map(
      taken
        .filter(({ came }) => came.inDoubt.length > 0)
        .map(({ record, came }) => [record.id, came.inDoubt]),
    ),
    ids: [...ids],
    nameless,
    garbled,
  }
}

function isBetter(one: Taken<unknown>, other: Taken<unknown>): boolean {
  if (one.came.unfit !== other.came.unfit) return one.came.unfit < other.came.unfit
  return (one.content ?? '') > (other.content ?? '')
}

function contentOf({ record, inDoubt }: Came<unknown>): string {
  return JSON.stringify([record, inDoubt])
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

/** Counts the records with misfits by field, separately for unreadable records and for those still readable. */
function faultsIn(
  resource: ListKind,
  all: readonly Came<unknown>[],
): Pick<Answer<unknown>, 'faults' | 'misfits'> {
  const faults = new Map<string, Counted>()
  const misfits = new Map<string, Counted>()
  let unfit = 0
  for (const [index, came] of all.entries()) {
    if (came.unfit === 0) continue
    unfit += 1
    const byField = came.record === undefined ? faults : misfits
    for (const { field, path, expected } of unfit <= faultsMax ? came.misfits : [further]) {
      const example = `data[${index}]${path}`
      const known = byField.get(field) ?? { resource, field, count: 0, example, expected }
      known.count += 1
      byField.set(field, known)
    }
  }
  return { faults: [...faults.values()], misfits: [...misfits.values()] }
}

type Counted = RecordFault & { count: number }

const further: Misfit = {
  field: '(further records)',
  path: '',
  expected: `what fits, and is not looked at beyond ${faultsMax} records`,
}
