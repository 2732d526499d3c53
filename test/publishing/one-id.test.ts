/* A Read API that gives two records of one id, in whatever order, or one whose id cannot be decoded. */
import { expect } from 'vitest'

import { it } from '../support/bridge/fixtures.ts'
import { leave } from '../support/company/people.ts'

it('records with one id in a different order each time change no byte', async ({
  company,
  feedOf,
  poll,
}) => {
  const both = [leave('lv_1', '2026-01-12'), leave('lv_1', '2026-01-14')]
  company.records.leaves['usr_ada'] = both
  const address = await feedOf('usr_ada')
  const { titles, text } = await poll(address)
  expect(titles).toContain('Leave lv_1')
  for (const order of [both.toReversed(), both, both.toReversed()]) {
    company.records.leaves['usr_ada'] = order
    expect((await poll(address)).text).toBe(text)
  }
})

it('beside an undecodable id, missing records end, but the record it may be stays', async ({
  company,
  feedOf,
  poll,
}) => {
  const [one, other, third] = ['lv_1', 'lv_ü', 'lv_2'].map((id) => leave(id, '2026-01-12'))
  company.records.leaves['usr_ada'] = [one!, other!, third!]
  const address = await feedOf('usr_ada')
  await poll(address)
  company.records.leaves['usr_ada'] = [third!, leave('lv_\uFFFD', '2026-01-12')]
  const { titles } = await poll(address)
  expect(titles).toContain('Leave lv_ü')
  expect(titles).not.toContain('Leave lv_1')
})

it('of records with one id, the fully readable one is shown', async ({ company, feedOf, poll }) => {
  const whole = leave('lv_1', '2026-01-12')
  const address = await feedOf('usr_ada')
  for (const both of [
    [{ ...whole, leaveType: 4 }, whole],
    [whole, { ...whole, leaveType: 4 }],
  ]) {
    company.records.leaves['usr_ada'] = both
    expect((await poll(address)).titles).toContain('Leave lv_1')
  }
})
