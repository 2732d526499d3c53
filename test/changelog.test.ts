/* What operators read about a version is about this one. */
import { readFileSync } from 'node:fs'
import path from 'node:path'

import { expect, it } from 'vitest'

import packageFile from '../package.json' with { type: 'json' }
import { storeHistory } from '../src/store/migrations/history.ts'

const text = readFileSync(path.resolve(import.meta.dirname, '../CHANGELOG.md'), 'utf8')
const [, ...sections] = text.split(/^## /m)
const steps = storeHistory.migrations.map(({ name }) => name)

/** The steps that a section names. */
function namedIn(section: string): readonly string[] {
  return steps.filter((name) => section.includes(`\`${name}\``))
}

it('the newest version is that of package.json, and each has a date', () => {
  const headings = sections.map((section) => section.split('\n')[0])
  expect(headings[0]).toMatch(new RegExp(String.raw`^\[${packageFile.version}\] - `))
  for (const heading of headings) expect(heading).toMatch(/^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/)
})

it('every step of the database since the first version is named', () => {
  const [first = ''] = namedIn(sections.at(-1) ?? '')
  const named = new Set(sections.flatMap(namedIn))
  const later = steps.slice(steps.indexOf(first))
  expect(later.filter((name) => !named.has(name))).toEqual([])
  expect(namedIn(sections[0] ?? '')).toContain(steps.at(-1))
})
