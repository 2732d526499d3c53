import { describe, expect, it } from 'vitest'

import { languages } from '../../src/calendar/words.ts'

/** Every path to a word: `kinds.leave`, `away`, … */
function keysOf(words: object): string[] {
  return Object.entries(words)
    .flatMap(([key, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null
        ? keysOf(value).map((inner) => `${key}.${inner}`)
        : [`${key}:${typeof value}`],
    )
    .toSorted()
}

describe('the words of a language', () => {
  it.each(Object.entries(languages))('Are complete and never empty in %s', (_, words) => {
    expect(keysOf(words)).toEqual(keysOf(languages.en))
    expect(JSON.stringify(words)).not.toContain('""')
  })

  it.each(Object.entries(languages))('Describe left-out events in few bytes in %s', (_, words) => {
    // Escaping doubles them at most, and a calendar keeps 1,000 bytes for them.
    expect(Buffer.byteLength(words.leftOut(999_999, 999_999))).toBeLessThan(450)
  })

  it('German words are not left in English', () => {
    const { en, de } = languages
    expect(Object.values(de.kinds)).not.toEqual(expect.arrayContaining(Object.values(en.kinds)))
    expect(de.ended).not.toBe(en.ended)
  })
})
