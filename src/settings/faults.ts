import type { z } from 'zod'

/** Where a fault lies, from its path within what was read. */
type Place = (path: readonly PropertyKey[]) => string

/** Gathers what is wrong, a sentence each; none repeats a value. */
export class Faults {
  readonly sentences: string[] = []

  /** The value as the schema reads it; undefined where it does not fit, which is noted. */
  check<Value>(schema: z.ZodType<Value>, given: unknown, place: Place): Value | undefined {
    const { data, error } = schema.safeParse(given)
    for (const issue of error?.issues ?? []) {
      for (const rule of rulesOf(issue)) this.sentences.push(sentence(place(issue.path), rule))
    }
    return data
  }
}

/** Ends as a question where it asks one. */
function sentence(place: string, rule: string): string {
  return `${place} ${rule}${rule.endsWith('?') ? '' : '.'}`
}

/** In our words; several keys that are not known are a rule each. */
function rulesOf(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code !== 'invalid_type') return issue.message.split('\n')
  const isMissing = issue.message.endsWith('received undefined')
  return [isMissing ? 'must be set' : `must be of type ${issue.expected}`]
}
