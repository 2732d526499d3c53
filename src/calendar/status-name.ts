import { singleLine } from './text.ts'
import type { Words } from './words/words.ts'

/** What programs write: capitals, and marks between words in place of spaces. */
const code = /^[\p{Lu}\p{N}_-]+$/u

/**
 * A status in words: those of the language where it is known, however it is spelled (`IN_PROGRESS`, `inProgress`), else
 * as a person would write it: `WAITING_FOR_QA` is "Waiting for qa". What a person has written stays.
 */
export function statusName(status: string, { statuses }: Words): string {
  const text = singleLine(status)
  const known = new Map(Object.entries(statuses)).get(keyOf(text))
  if (known !== undefined) return known
  const spaced = code.test(text)
    ? text.toLowerCase().replaceAll(/[_-]+/g, ' ')
    : text.replaceAll('_', ' ')
  return capitalized(spaced.trim())
}

/** `IN_PROGRESS` of "in progress", "In-Progress" and `inProgress`. */
function keyOf(text: string): string {
  return text
    .trim()
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .replaceAll(/[\s_-]+/g, '_')
    .toUpperCase()
}

function capitalized(text: string): string {
  const [first = ''] = text
  return first.toUpperCase() + text.slice(first.length)
}
