import { describe, expect, it } from 'vitest'

import { inLanguage, namesOf } from '../../src/domain/feed-name.ts'
import { locales, noDefaults as defaults } from '../../src/domain/feed.ts'
import { namedOr } from '../../src/feeds/feed-drafts.ts'

const ada = { id: 'usr_ada', firstName: ' Ada ', lastName: 'Lovelace' }

describe('a name that nobody has set', () => {
  it.each([
    ['en', "Ada's work calendar", 'Work calendar'],
    ['de', 'Adas Arbeitskalender', 'Arbeitskalender'],
  ] as const)('names the person of an own calendar in %s', (locale, own, others) => {
    const nameOf = (users: readonly (typeof ada)[], audience: 'own' | 'others'): string =>
      namedOr(undefined, { users, audience, locale, defaults }).name
    expect(nameOf([ada], 'own')).toBe(own)
    expect(nameOf([ada], 'others')).toBe(others)
    expect(nameOf([{ ...ada, firstName: ' ' }], 'own')).toBe(others)
    expect(nameOf([], 'own')).toBe(others)
  })

  it.each([
    ['Jonas', "Jonas' Arbeitskalender"],
    ['Max', "Max' Arbeitskalender"],
    ['Heinz', "Heinz' Arbeitskalender"],
    ['Alice', "Alice' Arbeitskalender"],
    ['Chloé', 'Chloés Arbeitskalender'],
  ])('takes the German genitive of %s', (firstName, name) => {
    const users = [{ ...ada, firstName }]
    expect(namedOr(undefined, { users, audience: 'own', locale: 'de', defaults }).name).toBe(name)
  })

  it('follows the language, and a name that was set stays', () => {
    const named = namedOr(undefined, { users: [ada], audience: 'own', locale: 'en', defaults })
    expect(inLanguage({ ...named, locale: 'en' }, 'de').name).toBe('Adas Arbeitskalender')
    const given = namedOr('Shifts', { users: [ada], audience: 'own', locale: 'en', defaults })
    expect(inLanguage({ ...given, locale: 'en' }, 'de').name).toBe('Shifts')
  })

  it('is recognised in every language, and as release 0.1 wrote it', () => {
    const of = { users: [ada], audience: 'own', defaults } as const
    for (const locale of locales) {
      expect(namesOf(namedOr(undefined, { ...of, locale })).toSorted()).toEqual([
        "Ada's work calendar",
        'Adas Arbeitskalender',
        'Arbeitskalender von Ada',
      ])
    }
    expect(namesOf(namedOr('Shifts', { ...of, locale: 'en' }))).toEqual(['Shifts'])
  })
})
