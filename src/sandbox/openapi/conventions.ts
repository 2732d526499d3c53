/* Conventions of all operations, for the OpenAPI document and the docs page; text between backticks is code. */
import texts from './texts.json' with { type: 'json' }

export interface Convention {
  readonly id: string
  readonly title: string
  readonly paragraphs: readonly string[]
}

/** Returns the conventions of the Read API, with the authentication text for a sandbox with or without keys. */
export function conventions(asksForKeys: boolean): readonly Convention[] {
  const paragraphs = asksForKeys ? [texts.withKeys] : texts.withoutKeys
  return [{ id: 'authentication', title: 'Authentication', paragraphs }, ...texts.conventions]
}

/** A meaning from the specification, and what this implementation chose where the specification leaves it open. */
export interface Explained {
  readonly meaning: string
  readonly choice?: string | undefined
}

export interface Described {
  readonly description: string
  readonly 'x-implementation-choice'?: true
}

/** Returns the meaning, with the implementation's choice appended and flagged. */
export function described({ meaning, choice }: Explained): Described {
  if (choice === undefined) return { description: meaning }
  return {
    description: `${meaning} This implementation’s choice: ${choice}.`,
    'x-implementation-choice': true,
  }
}
