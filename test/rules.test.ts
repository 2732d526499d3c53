/* Every rule has its test: the names of the rules, held against those that the tests name. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { expect, test } from 'vitest'

const rules: Readonly<Record<string, number>> = { B: 6, C: 5, E: 10, H: 15 }
/** Sections of the rules of what each record becomes. */
const sections = 10

const named = [
  ...Object.entries(rules).flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, index) => `${letter}${index + 1}`),
  ),
  'L',
  ...Array.from({ length: sections }, (_, index) => `event-rules ${index + 1}`),
]

/** String literals of the tests: titles, and the rows of their tables. */
const literals = globSync('**/*{.test,-contract}.ts', { cwd: import.meta.dirname })
  .filter((file) => file !== path.basename(import.meta.filename))
  .flatMap((file) => readFileSync(path.join(import.meta.dirname, file), 'utf8').split('\n'))
  .flatMap((line) => [...line.matchAll(/(['"`])((?:[BCEHL]\d{0,2}\b|event-rules \d)[^'"`]*)/g)])
  .map(([, , literal]) => literal ?? '')

/** A title may hold several: "H9, H14: …", "event-rules 1–7". */
function holds(rule: string): boolean {
  const name = new RegExp(String.raw`^(?:(?:[BCEH]\d+|L|and|event-rules \d+)[ ,]+)*${rule}\b(?!\d)`)
  return literals.some((literal) => name.test(literal))
}

test.each(named)('%s has a test', (rule) => {
  expect(holds(rule)).toBe(true)
})
