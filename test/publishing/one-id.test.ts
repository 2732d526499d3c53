/* A Read API that gives two records of one id, in whatever order. */
import { expect } from 'vitest'

import { it } from '../support/fixtures.ts'
import { leave } from '../support/people.ts'

it('records of one id that come in another order each time change not a byte', async ({
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
