import { expect, it } from 'vitest'

import { type FindingLevel, findingOf } from '../../src/domain/examination.ts'
import type { LeaveProof } from '../../src/domain/leave.ts'
import { sayInShort } from '../../src/examination/in-short.ts'

const checks = ['reachable', 'credentials', 'leaves-employee', 'dates'] as const

type Check = (typeof checks)[number]

/** What is said of an examination in which only that is not in order, if anything is. */
function said(
  other: Check | null,
  state: LeaveProof['state'],
  level: FindingLevel = 'wrong',
): string {
  const seen = { seen: 'So it is.', means: '', set: null }
  const findings = checks.map((check) =>
    findingOf({ check, level: check === other ? level : 'ok', ...seen }),
  )
  const ok = findings.every((finding) => finding.ok)
  return sayInShort({ companyId: 'main', ok, findings }, { state })
}

it.each([
  [null, 'proven', 'answers, leaves proven'],
  [null, 'unproven', 'answers, leaves proven'],
  ['reachable', 'proven', 'not reached: So it is; the bridge goes on and asks again'],
  ['credentials', 'proven', 'refuses the credential; doctor says what to set'],
  [
    'leaves-employee',
    'disproved',
    'answers, leaves cannot be told apart, but not all is well: doctor says what',
  ],
  ['dates', 'proven', 'answers, leaves proven, but not all is well: doctor says what'],
] as const)('where %s is wrong and leaves are %s: %s', (wrong, state, sentence) => {
  expect(said(wrong, state)).toBe(sentence)
})

it('leaves without a comparison are proven only where feeds have proven them', () => {
  expect(said('leaves-employee', 'unproven', 'note')).toBe(
    'answers, leaves are shown as soon as they are proven',
  )
  expect(said('leaves-employee', 'proven', 'note')).toBe('answers, leaves proven')
})
