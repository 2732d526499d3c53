/* Ids that nobody has, and that a careless filter may take for somebody's. */
import { randomBytes } from 'node:crypto'

/** A user id that nobody has. */
export function unknownEmployee(): string {
  return `usr_${randomBytes(16).toString('hex')}`
}

/** Without its last character: a filter by the beginning of the id takes it for this one. Undefined where nothing is left. */
export function withoutLast(id: string): string | undefined {
  return Array.from(id).slice(0, -1).join('') || undefined
}

/** Without its first character: a filter by the end of the id takes it for this one. */
function withoutFirst(id: string): string | undefined {
  return Array.from(id).slice(1).join('') || undefined
}

/** With a wildcard of SQL or of the shell in place of the last character. */
function withWildcards(id: string): readonly string[] {
  const start = withoutLast(id) ?? ''
  return ['%', '_', '*'].map((wildcard) => start + wildcard).filter((it) => it !== id)
}

/** In the other case, letter by letter. Undefined where there is no letter that has one. */
function inOtherCase(id: string): string | undefined {
  const other = Array.from(id)
    .map((letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    )
    .join('')
  return other === id ? undefined : other
}

/** With a zero before its first number. Undefined where there is none. */
function withLeadingZero(id: string): string | undefined {
  const other = id.replace(/\d+/, '0$&')
  return other === id ? undefined : other
}

/** How an id looks like another. */
export type Likeness = 'part' | 'case' | 'zero'

export interface SimilarId {
  readonly id: string
  readonly likeness: Likeness
}

/** All ids by which a filter is tried that takes a part, a pattern, the case or the number for the id itself. */
export function similarIds(id: string): readonly SimilarId[] {
  const parts = [withoutFirst(id), ...withWildcards(id)]
  const all: readonly (readonly [Likeness, string | undefined])[] = [
    ...parts.map((part) => ['part', part] as const),
    ['case', inOtherCase(id)],
    ['zero', withLeadingZero(id)],
  ]
  return all.flatMap(([likeness, other]) => (other === undefined ? [] : [{ id: other, likeness }]))
}

/** Whether two ids are the same but for case, or but for zeros that lead a number. */
export function areAlikeBy(likeness: Likeness, one: string, other: string): boolean {
  if (one === other) return false
  if (likeness === 'case') return one.toLowerCase() === other.toLowerCase()
  return likeness === 'zero' && withoutZeros(one) === withoutZeros(other)
}

function withoutZeros(id: string): string {
  return id.replaceAll(/(?<!\d)0+(?=\d)/g, '')
}
