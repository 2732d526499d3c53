import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { likelyMeant, nearest } from '../../src/domain/nearest.ts'

const known = ['baseUrl', 'timezone', 'timeoutMs', 'endDates', 'dates', 'projects']

describe('the nearest known word', () => {
  it.each([
    ['timezon', 'timezone'],
    ['tiemzone', 'timezone'],
    ['time_zone', 'timezone'],
    ['baseURL', 'baseUrl'],
    ['base-url', 'baseUrl'],
    ['end_date', 'endDates'],
    ['project', 'projects'],
    ['timeout', 'timeoutMs'],
  ])('%s is taken for %s', (given, meant) => {
    expect(nearest(given, known)).toBe(meant)
    expect(likelyMeant(given, known)).toBe(meant)
  })

  it('a known word is its own nearest word', () => {
    const words = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 })
    fc.assert(
      fc.property(words, (some) => {
        for (const word of some) expect(nearest(word, some)).toBe(word)
      }),
    )
  })

  it('a missing, doubled, wrong or swapped letter counts as one mistake', () => {
    for (const mistake of ['dats', 'daates', 'dqtes', 'daets'])
      expect(likelyMeant(mistake, ['dates'])).toBe('dates')
  })

  it('a word unlike all known words gets no suggestion', () => {
    expect(likelyMeant('colour', known)).toBeUndefined()
    expect(nearest('colour', known)).toBeDefined()
    expect(nearest('colour', [])).toBeUndefined()
    expect(likelyMeant('', known)).toBeUndefined()
  })

  it('a word of one megabyte takes no noticeable time', () => {
    expect(nearest('x'.repeat(1_000_000), known)).toBeDefined()
  })
})
