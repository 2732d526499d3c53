import type { RecordFault } from '../domain/read-api.ts'
import type { Unfit } from '../wire/forgiving.ts'

/** What of one record does not fit. */
export interface UnfitRecord {
  /** Where the record stands in the answer, over all pages. */
  readonly index: number
  readonly misfits: readonly Misfit[]
}

/** In how many records something does not fit, field by field. */
export function countByField(
  resource: string,
  records: readonly UnfitRecord[],
): readonly RecordFault[] {
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
