/* What is advised of a credential that is refused never is what is set, nor a second setting beside its file. */
import { expect, it } from 'vitest'

import { adviseFor } from '../../src/examination/advice.ts'
import { sayCredential } from '../../src/examination/checks/credential.ts'

const advise = adviseFor(new Map([['auth', 'WORKFORCE_AUTH']]))
const refused = { ok: false, state: 'asked_for', status: 401, right: 'bearer:TOKEN' } as const

it.each([
  ['none', null, 'WORKFORCE_AUTH=bearer:TOKEN', 'What answers asks for bearer:TOKEN'],
  ['bearer:TOKEN', null, null, 'Put the right credential in place of the one that is set.'],
  ['none', '/run/key', null, 'Put the right credential into /run/key, written as bearer:TOKEN.'],
])('%s (in the file %s) gives %s', (set, file, advised, means) => {
  const finding = sayCredential(refused, { set, file }, advise)
  expect([finding.set, finding.means]).toEqual([advised, expect.stringContaining(means)])
})
