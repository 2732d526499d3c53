import { expect, it } from 'vitest'

import { locales } from '../../src/domain/feed.ts'
import { defaultName } from '../../src/feeds/schedule-options.ts'

const ada = { id: 'usr_ada', firstName: ' Ada ', lastName: 'Lovelace' }

it.each([
  ['en', "Ada's work calendar", 'Work calendar'],
  ['de', 'Arbeitskalender von Ada', 'Arbeitskalender'],
] as const)(
  'only a person’s own calendar is named after the person in %s',
  (locale, own, others) => {
    expect(defaultName([ada], 'own', locale)).toBe(own)
    expect(defaultName([ada], 'others', locale)).toBe(others)
    expect(defaultName([{ id: 'usr_ada', firstName: ' ' }], 'own', locale)).toBe(others)
    expect(defaultName([], 'own', locale)).toBe(others)
  },
)

it('every language has its own default name', () => {
  const names = locales.map((locale) => defaultName([ada], 'own', locale))
  expect(new Set(names).size).toBe(locales.length)
})
