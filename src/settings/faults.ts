import type { z } from 'zod'

/** Where a fault lies, from its path within what was read. */
type Place = (path: readonly PropertyKey[]) => readonly PropertyKey[]

/** Gathers what is wrong, a sentence each; none repeats a value. */
export class Faults {
  readonly sentences: string[] = []

  /** The value as the schema reads it; undefined where it does not fit, which is noted. */
  check<Value>(schema: z.ZodType<Value>, given: unknown, place: Place): Value | undefined {
    const { data, error } = schema.safeParse(given)
    for (const issue of error?.issues ?? []) {
      this.sentences.push(`${place(issue.path).map(String).join('.')} ${ruleOf(issue)}.`)
    }
    return data
  }
}

/** In our words; a key that is not known may hold what should have been its value. */
function ruleOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return 'must not hold other keys than those documented'
  return issue.code === 'invalid_type' ? `must be of type ${issue.expected}` : issue.message
}
