/* A name within a sentence keeps the sentence in its order, whatever it is made of. */
import fc from 'fast-check'
import { expect, it } from 'vitest'

import { isolated } from '../../src/text/plain-text.ts'

const nesting = /[\u202A-\u202E\u2066-\u2069]/u

it('a left-to-right text stays unchanged', () => {
  for (const text of ['Ada', 'Zoë Ångström', '山田', 'Ωmega 😀', ''])
    expect(isolated(text)).toBe(text)
})

it('any other text becomes one isolate that ends with the text', () => {
  const units = fc.constantFrom(
    'a',
    '1',
    '.',
    'א',
    'ع',
    '\u200F',
    '\u202E',
    '\u2066',
    '\u2067',
    '\u2069',
  )
  fc.assert(
    fc.property(fc.string({ unit: fc.oneof(units, fc.string({ minLength: 1 })) }), (text) => {
      const kept = text.replaceAll(new RegExp(nesting, 'gu'), '')
      const shown = isolated(text)
      if (shown === text)
        expect(text).not.toMatch(/[\u05D0\u0639\u200F\u202A-\u202E\u2066-\u2069]/u)
      else expect(shown).toBe(`\u2068${kept}\u2069`)
    }),
  )
})
