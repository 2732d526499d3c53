import { expect, it } from 'vitest'

import { hashOfKey } from '../../src/settings/fields.ts'
import { readSettings } from '../../src/settings/read-settings.ts'

it('each key belongs to a company and is kept only as a hash', () => {
  const { sandboxKeys } = readSettings({ WORKFORCE_SANDBOX_KEYS: 'one=main, t=w=o=acme_1.b-c' })
  expect([...sandboxKeys]).toEqual([
    [hashOfKey('one'), 'main'],
    [hashOfKey('t=w=o'), 'acme_1.b-c'],
  ])
})

it('no keys exist unless set, and a file can contain them', () => {
  expect(readSettings({}).sandboxKeys.size).toBe(0)
  const inFile = readSettings({ WORKFORCE_SANDBOX_KEYS_FILE: 'keys' }, () =>
    Buffer.from('one=main\n'),
  )
  expect([...inFile.sandboxKeys.values()]).toEqual(['main'])
})

const written = 'must be KEY=COMPANY, several'

it.each([
  ['s3cret', written],
  ['=main', written],
  ['s3cret=', written],
  ['s3cret=a b', written],
  ['s3 cret=main', written],
  ['s3cret=main,', written],
  [`s3cret=${'x'.repeat(65)}`, written],
  ['s3cret=main,s3cret=acme', written],
])('%s is rejected in one sentence that does not repeat it', (keys, rule) => {
  const read = (): unknown => readSettings({ WORKFORCE_SANDBOX_KEYS: keys })
  expect(read).toThrow(`WORKFORCE_SANDBOX_KEYS ${rule}`)
  expect(read).not.toThrow('s3cret')
})
