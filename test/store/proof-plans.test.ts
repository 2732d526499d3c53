import { expect, it } from 'vitest'

import { plansOf } from '../support/database/query-plans.ts'

it('on SQLite no query for the proof of one answer scans a whole company', async () => {
  const plans = await plansOf(async ({ proofs, doubts, peopleFinder }) => {
    await proofs.findProof('main')
    await proofs.findClaims('main', ['lv_1', 'lv_2'])
    await proofs.countWrongedOwners('main', 0)
    await doubts.countFilled('main', 'leaves', 20)
    await peopleFinder.findPeople('main', ['usr_ada'])
    await peopleFinder.listAlike('main', 'usr_ada', 2)
  })
  expect(plans).toHaveLength(9)
  for (const step of plans.flat()) {
    expect(step).not.toMatch(/^SCAN (copies|people|leave_owners)/)
    expect(step).not.toMatch(
      /^SEARCH (copies|people|owner|wrong).*\((connection_id|company_id)=\?\)/,
    )
  }
})
