/* What holds for every operation, in the document and on the page; text between backticks is code. */
import texts from './texts.json' with { type: 'json' }

export interface Convention {
  readonly id: string
  readonly title: string
  readonly paragraphs: readonly string[]
}

/** How the Read API is spoken to, where keys are asked for and where they are not. */
export function conventions(asksForKeys: boolean): readonly Convention[] {
  const paragraphs = asksForKeys ? [texts.withKeys] : texts.withoutKeys
  return [{ id: 'authentication', title: 'Authentication', paragraphs }, ...texts.conventions]
}

/** What this implementation has chosen where the specification leaves it open. */
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
