/* What the page says of other things by their names is what those are called. */
import { expect, it } from 'vitest'

import { languages } from '../../../src/calendar/words.ts'
import { locales } from '../../../src/domain/feed.ts'
import { pageLanguages } from '../../../src/http/pages/words/words.ts'

it.for(locales)('texts name buttons and entries by their real labels, %s', (locale) => {
  const { ways, googleOnPhone, selfService } = pageLanguages[locale]
  const words = languages[locale]
  expect(googleOnPhone.steps.join(' ')).toContain(ways.google.action)
  for (const name of [words.away, `(${words.pending})`, `(${words.partOfDay(0.5)})`]) {
    expect(selfService.choices.detail.hint).toContain(name)
  }
})

it('every language uses the same values in the same sentences', () => {
  const [en, ...others] = locales.map((locale) => placesIn(pageLanguages[locale]))
  expect(en?.length).toBeGreaterThan(5)
  for (const places of others) expect(places).toEqual(en)
})

/** Where values go: the path of each sentence with a name in braces, and the names. */
function placesIn(words: object): readonly string[] {
  return Object.entries(words).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value === 'object' && value !== null) {
      return placesIn(value).map((place) => `${key}.${place}`)
    }
    const names = typeof value === 'string' ? [...value.matchAll(/\{\w+\}/g)].flat() : []
    return names.length > 0 ? [`${key}: ${names.toSorted().join(' ')}`] : []
  })
}
