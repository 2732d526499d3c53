import { parseEnv } from 'node:util'

import fc from 'fast-check'
import { expect, it } from 'vitest'

import { findingOf } from '../../src/domain/examination.ts'
import { adviceOf } from '../../src/examination/advice.ts'

it('A line of .env reads back as the advised value, whatever it contains', () => {
  const characters = fc.constantFrom(
    'a',
    '1',
    ' ',
    ',',
    ':',
    '{',
    '[',
    '#',
    '\\',
    '$',
    '=',
    '"',
    "'",
  )
  const values = fc.string({ unit: characters, minLength: 1 })
  fc.assert(
    fc.property(values, (value) => {
      const finding = { check: 'x', level: 'wrong', seen: '', means: '' } as const
      const findings = [findingOf({ ...finding, set: `WORKFORCE_PROJECTS=${value}` })]
      const { lines } = adviceOf({ companyId: 'main', ok: false, findings })
      expect(parseEnv(lines.join('\n'))).toEqual({ WORKFORCE_PROJECTS: value })
    }),
  )
})
