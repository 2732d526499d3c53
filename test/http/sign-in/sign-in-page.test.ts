/* docs/sign-in.md helps with what the page of a refused sign-in says, in the words of the page. */
import { readFileSync } from 'node:fs'
import path from 'node:path'

import { expect, it } from 'vitest'

import { pageLanguages } from '../../../src/http/pages/words/words.ts'

it('docs/sign-in.md names pages of a refused sign-in by their headings', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/sign-in.md'), 'utf8')
  const [, table = ''] = /^\| the page says \| look at \|\n.*\n((?:\|.*\n)+)/m.exec(page) ?? []
  const named = table
    .trim()
    .split('\n')
    .flatMap((line) => line.slice(2).split(' | ')[0]!.split('; '))
  expect(named.length).toBeGreaterThan(4)
  expect(Object.values(pageLanguages.en.signIn.refusals).map(({ heading }) => heading)).toEqual(
    expect.arrayContaining(named),
  )
})
