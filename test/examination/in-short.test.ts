import { expect, it } from 'vitest'

import { findingOf } from '../../src/domain/examination.ts'
import type { LeaveProof } from '../../src/domain/leave.ts'
import { sayInShort } from '../../src/examination/words/in-short.ts'

const checks = ['reachable', 'credentials', 'leaves-employee', 'dates'] as const

type Check = (typeof checks)[number]

/** What is said of an examination in which only that is wrong, if anything is. */
function said(wrong: Check | null, state: LeaveProof['state'] = 'proven'): string {
  const findings = checks.map((check) => {
    const level = check === wrong ? 'wrong' : 'ok'
    return findingOf({ check, level, seen: 'So it is.', means: '', set: null })
  })
  return sayInShort({ companyId: 'main', ok: wrong === null, findings }, { state } as LeaveProof)
}

it.each([
  [null, 'proven', 'answers, leaves proven'],
  [null, 'unproven', 'answers, leaves are shown as soon as they are proven'],
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
