import type { z } from 'zod'

/** What does not fit the spec at one field of a record; no values. */
export interface Misfit {
  /** Array indices left out: `leaveType.name`, `entries.date`. */
  readonly field: string
  /** Where it stands for the first time, from the record on: `.entries[0].date`. */
  readonly path: string
  /** What would be right: "expected string". */
  readonly expected: string
}

/** One misfit for each field that has an issue. */
export function misfitsOf(issues: readonly z.core.$ZodIssue[]): readonly Misfit[] {
  const first = new Map<string, Misfit>()
  for (const issue of issues) {
    const misfit = misfitOf(issue)
    if (!first.has(misfit.field)) first.set(misfit.field, misfit)
  }
  return [...first.values()]
}

function misfitOf({ path, message }: z.core.$ZodIssue): Misfit {
  return {
    field: path.filter((key) => typeof key !== 'number').join('.') || '(record)',
    path: path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join(''),
    // zod's "Invalid input: expected string, received number" without what was received.
    expected: message.replace(/^Invalid input: /, '').replace(/, received .*$/s, ''),
  }
}
