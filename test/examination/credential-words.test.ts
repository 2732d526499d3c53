/* What is advised of a credential that is refused never is what is set, nor a second setting beside its file. */
import { expect, it } from 'vitest'

import { checkCredential } from '../../src/examination/checks/credential.ts'
import { adviseFor, type Inquiry } from '../../src/examination/inquiry.ts'

const advise = adviseFor(new Map([['auth', 'WORKFORCE_AUTH']]))
const challenge = 'Bearer realm="hr"'
const denial = { status: 401, records: null, hasNext: false, challenge, redirectsTo: null }

it.each([
  ['none', null, 'WORKFORCE_AUTH=bearer:TOKEN', 'What answers asks for bearer:TOKEN'],
  ['bearer:TOKEN', null, null, 'Put the right credential in place of the one that is set.'],
  ['none', '/run/key', null, 'Put the right credential into /run/key, written as bearer:TOKEN.'],
])(
  'a refused credential %s (in the file %s) gives the advice %s',
  async (credential, file, advised, means) => {
    const inquiry = { probe: { credential }, guesses: false, advise } as Inquiry
    const finding = await checkCredential(inquiry, denial, file)
    expect([finding.set, finding.means]).toEqual([advised, expect.stringContaining(means)])
  },
)
