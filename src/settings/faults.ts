import type { z } from 'zod'

/** Where a fault lies, from its path within what was read. */
type Place = (path: readonly PropertyKey[]) => string

const nothing: ReadonlySet<PropertyKey> = new Set()

/** Gathers what is wrong, a sentence each; none repeats a value. */
export class Faults {
  readonly sentences: string[] = []

  /** The value as the schema reads it; undefined where it does not fit, which is noted. That a key of `told` is missing is told already. */
  check<Value>(
    schema: z.ZodType<Value>,
    given: unknown,
    place: Place,
    told: ReadonlySet<PropertyKey | undefined> = nothing,
  ): Value | undefined {
    const { data, error } = schema.safeParse(given)
    for (const issue of error?.issues ?? []) {
      if (isMissing(issue) && issue.path.length === 1 && told.has(issue.path[0])) continue
      const path = issue.code === 'invalid_key' ? issue.path.slice(0, -1) : issue.path
      for (const rule of rulesOf(issue)) this.sentences.push(sentence(place(path), rule))
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
  if (issue.code === 'invalid_key') return ['must not hold an empty key']
  if (issue.code !== 'invalid_type') return issue.message.split('\n')
  if (isMissing(issue)) return ['must be set']
  return [`must be of type ${issue.expected === 'record' ? 'object' : issue.expected}`]
}

function isMissing({ code, message }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type' && message.endsWith('received undefined')
}
