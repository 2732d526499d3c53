import fc from 'fast-check'
import { expect, it } from 'vitest'

import { linkLabelField } from '../../src/feeds/feed-input.ts'
import { readLinkLabel } from '../../src/feeds/link-label.ts'

/** What a rule about labels tells apart: space, dots, controls, line ends, what nobody sees, halves of characters. */
const part = fc.oneof(
  fc.constantFrom(' ', '.', '\u0000', '\n', '\u0085', '\u200B', '\u3164', '\uD800', '😀'),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
  fc.constant('x'.repeat(50)),
)
const text = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(''))

it('the command line accepts the same link labels as the API', () => {
  fc.assert(
    fc.property(text, (given) => {
      expect(readLinkLabel(given)).toBe(linkLabelField.safeParse(given).data)
    }),
    { numRuns: 1000 },
  )
})
