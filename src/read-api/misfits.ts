import type { Answer, RecordFault } from '../domain/read-api.ts'
import type { Unfit } from '../wire/fields.ts'

/** Of so many records it is looked at what does not fit; further ones are counted. */
export const faultsMax = 1_000

/** What of one record does not fit. */
interface UnfitRecord {
  /** Where the record stands in the answer, over all pages. */
  readonly index: number
  readonly misfits: readonly Misfit[]
}

/** Records in which something does not fit: those that are looked at, and how many further ones there are from which on. */
interface UnfitRecords {
  readonly looked: UnfitRecord[]
  further: number
  furtherFrom: number
}

/** A record that came, whether it can be read, and how many things of it do not fit. */
interface ReadOrNot extends Pick<UnfitRecord, 'misfits'> {
  readonly record?: unknown
  readonly unfit: number
}

/** Of records that cannot be read, and of those that can be read all the same. */
type Faults = Pick<Answer<unknown>, 'faults' | 'misfits'>

/** What of the records does not fit, over all of them; yields after each. */
export function* faultsIn(
  resource: string,
  came: readonly ReadOrNot[],
): Generator<unknown, Faults> {
  const unreadable: UnfitRecords = { looked: [], further: 0, furtherFrom: 0 }
  const readable: UnfitRecords = { looked: [], further: 0, furtherFrom: 0 }
  let count = 0
  for (const [index, it] of came.entries()) {
    yield
    if (it.unfit === 0) continue
    const alike = it.record === undefined ? unreadable : readable
    if (count < faultsMax) alike.looked.push({ index, misfits: it.misfits })
    else noteFurther(alike, index)
    count += 1
  }
  return { faults: faultsOf(resource, unreadable), misfits: faultsOf(resource, readable) }
}

/** Nothing more of it is looked at. */
function noteFurther(alike: UnfitRecords, index: number): void {
  if (alike.further === 0) alike.furtherFrom = index
  alike.further += 1
}

function faultsOf(
  resource: string,
  { looked, further, furtherFrom }: UnfitRecords,
): readonly RecordFault[] {
  const faults = countByField(resource, looked)
  if (further === 0) return faults
  const rest: RecordFault = {
    resource,
    field: '(further records)',
    count: further,
    example: `data[${furtherFrom}]`,
    expected: `what fits, and is not looked at beyond ${faultsMax} records`,
  }
  return [...faults, rest]
}

/** In how many records something does not fit, field by field. */
function countByField(resource: string, records: readonly UnfitRecord[]): readonly RecordFault[] {
  const faults = new Map<string, RecordFault>()
  for (const { index, misfits } of records) {
    for (const { field, path, expected } of misfits) {
      const first = { resource, field, count: 0, example: `data[${index}]${path}`, expected }
      const known = faults.get(field) ?? first
      faults.set(field, { ...known, count: known.count + 1 })
    }
  }
  return [...faults.values()]
}

/** What does not fit the spec at one field of a record; no values. */
export interface Misfit {
  /** Array indices left out: `leaveType.name`, `entries.date`. */
  readonly field: string
  /** Where it stands for the first time, from the record on: `.entries[0].date`. */
  readonly path: string
  /** What would be right: "expected string". */
  readonly expected: string
}

/** One misfit for each field at which something does not fit. */
export function misfitsOf(unfit: readonly Unfit[]): readonly Misfit[] {
  const first = new Map<string, Misfit>()
  for (const it of unfit) {
    const misfit = misfitOf(it)
    if (!first.has(misfit.field)) first.set(misfit.field, misfit)
  }
  return [...first.values()]
}

function misfitOf({ path, message }: Unfit): Misfit {
  return {
    field: path.filter((key) => typeof key !== 'number').join('.') || '(record)',
    path: path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join(''),
    // zod's "Invalid input: expected string, received number" without what was received.
    expected: message.replace(/^Invalid input: /, '').replace(/, received .*$/s, ''),
  }
}
