import { expect, it } from 'vitest'

import { plansOf } from '../support/database/query-plans.ts'
import { copyBegunAt } from './fixtures.ts'

it('on SQLite neither the standing nor a confirmation scans a whole company', async () => {
  const of = { connectionId: 'main', companyId: 'main', keys: ['a'], userIds: ['b'], now: 1 }
  const plans = await plansOf(async ({ standings, copies }) => {
    await standings.readStanding(of)
    await copies.confirmCopies('main', [copyBegunAt(1000)])
  })
  expect(plans).toHaveLength(2)
  const copies = 'SEARCH copies USING PRIMARY KEY (connection_id=? AND key=?)'
  expect(plans.flat().filter((step) => step === copies)).toHaveLength(2)
  for (const step of plans.flat()) {
    expect(step).not.toMatch(/^SCAN (copies|departures|leave_owners|feed_users|feeds|links)/)
    expect(step).not.toMatch(
      /^SEARCH (?!proofs|company_defaults).*\((connection_id|company_id)=\?\)/,
    )
  }
})
