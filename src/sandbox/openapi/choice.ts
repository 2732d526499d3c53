/** What something means and, where the specification leaves that open, what this implementation has chosen. */
export interface Explained {
  readonly meaning: string
  readonly choice?: string | undefined
}

/** As the document has it: a sentence for people, and a member for programs. */
export interface Described {
  readonly description: string
  readonly 'x-implementation-choice'?: true
}

/** The meaning, with what of it the specification does not show. */
export function described({ meaning, choice }: Explained): Described {
  if (choice === undefined) return { description: meaning }
  return {
    description: `${meaning} This implementation’s choice: ${choice}.`,
    'x-implementation-choice': true,
  }
}
