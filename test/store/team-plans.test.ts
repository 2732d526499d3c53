import { expect, it } from 'vitest'

import { plansOf } from '../support/database/query-plans.ts'

it('on SQLite no team is looked for among all people and feeds of a company', async () => {
  const plans = await plansOf(async ({ teams }) => {
    for (const depth of ['direct', 'all'] as const) {
      await teams.listMembers('main', { managerId: 'a', depth }, ['b'])
    }
    await teams.listFeedsAbove('main', ['a'])
    await teams.listTeamFeeds('main')
    await teams.findLostManagers('main')
    await teams.countReporting('main')
  })
  const steps = plans.flat()
  const members =
    'SEARCH people USING COVERING INDEX people_by_manager (company_id=? AND manager_id=?)'
  // Below a manager twice, and of those who lost theirs.
  expect(steps.filter((step) => step === members)).toHaveLength(4)
  const above = 'SEARCH people USING PRIMARY KEY (company_id=? AND user_id=?)'
  expect(steps).toContain(above)
  for (const step of steps) {
    expect(step).not.toMatch(/^SCAN (people|departures|feeds)/)
    expect(step).not.toMatch(
      /^SEARCH (people|departures|feeds) USING (?!COVERING|.*(without_manager|by_team_manager)).*\(company_id=\?\)/,
    )
  }
})

it('on SQLite each manager is found by the index, whoever reports to the others', async () => {
  const plans = await plansOf(({ teams }) => teams.listManagers('main', { limit: 9 }, ['b']))
  const steps = plans.flat().filter((step) => /\b(people|known|departures)\b/.test(step))
  const byManager = 'USING COVERING INDEX people_by_manager (company_id=? AND manager_id'
  expect(steps.filter((step) => step.includes(byManager))).toHaveLength(4)
  for (const step of steps) expect(step).toMatch(/^SEARCH .*company_id=\? AND/)
})
