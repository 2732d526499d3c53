import { expect, it } from 'vitest'

import { isMailAddress } from '../../../src/access/mail/invitations.ts'

it.each([
  'ana@example.com',
  'Ana.Maria+calendar@mail.example.com',
  "o'brien_1@example.com",
  'ana@bücher.example',
  'ana@xn--bcher-kva.example',
])('Mail can be sent to %s', (address) => {
  expect(isMailAddress(address)).toBe(true)
})

it.each([
  ['a name beside it', 'Ana <ana@example.com>'],
  ['quoted words', '"ana"@example.com'],
  ['a literal', 'ana@[127.0.0.1]'],
  ['a comment', 'ana(work)@example.com'],
  ['several', 'ana@example.com,eve@example.com'],
  ['a line break', 'ana@example.com\r\nBcc: eve@example.com'],
  ['NUL', 'ana@example\0.com'],
  ['a dot at its end', 'ana@example.com.'],
  ['dots together', 'ana..maria@example.com'],
  ['two signs', 'ana@eve@example.com'],
  ['letters beyond ASCII before the sign', 'anä@example.com'],
  ['a Cyrillic letter that looks like ours', 'аna@example.com'],
  ['a sign of full width', 'ana＠example.com'],
  ['a space of no width', 'a\u200Bna@example.com'],
  ['more than 254 characters', `${'a'.repeat(250)}@example.com`],
])('Rejects a mail address with %s', (_what, address) => {
  expect(isMailAddress(address)).toBe(false)
})
