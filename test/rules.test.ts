/* What holds of every file, whatever stands in it. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')

/**
 * What a citation of a text outside of the repository looks like, by what is cited: a rule stands in words where it is
 * held.
 */
const citations: Readonly<Record<string, RegExp>> = {
  'a text of rules': /\b(?:event|feed)-rules\b/gi,
  'a text of design':
    /(?<!docs\/|\[)\b(?:architecture|contract|stack|style)\.md\b|\bcontract section\b|\bdesign\//gi,
  'a rule by a short name':
    /(?<![\w%=\\#+.-])[BCEH]\d{1,2}\b(?![\w%]| controls)|(?<=['"`])L(?=: )/g,
  'a section of what is no public standard':
    /(?<!(?:\bRFC \d+|\bOpenAPI [\d.]+|\b(?:MS-OX\w+|PostgreSQL|W3C)\b[^.]{0,40})[\s*/,]+)(?:\bsections?|§)\s*\d/gi,
  'an issue by its number': /\bissue #?\d|\(#\d+\)/gi,
}

/** What a test may not leave behind, since one process runs many files. */
const remains: Readonly<Record<string, RegExp>> = {
  'another fixture for the files after it': /^it\.override\(/gm,
  'a mock': /\bvi\.(?:mock|doMock|stubEnv|stubGlobal|spyOn)\(/g,
}

/** Records and calendars, which hold anything. */
const data = ['test/golden/**', 'test/fixtures/**']

const files = globSync(
  ['{src,test,deploy}/**/*.{ts,js,css,eta,html,md,yml,yaml,sh}', 'README.md', 'docs/*.md'],
  {
    cwd: root,
    exclude: [...data, path.relative(root, import.meta.filename)],
  },
).toSorted()

it.each(Object.entries(citations))('no file cites %s', (_cited, pattern) => {
  expect(files.flatMap((file) => placesIn(file, pattern))).toEqual([])
})

it.each(Object.entries(remains))('no test leaves %s', (_left, pattern) => {
  expect(files.flatMap((file) => placesIn(file, pattern))).toEqual([])
})

function placesIn(file: string, pattern: RegExp): readonly string[] {
  const text = readFileSync(path.join(root, file), 'utf8')
  return [...text.matchAll(pattern)].map(({ index }) => {
    const before = text.slice(0, index).split('\n')
    const line = text.split('\n')[before.length - 1] ?? ''
    return `${file}:${before.length} ${line.trim()}`
  })
}
