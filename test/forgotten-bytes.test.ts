/* What the rows of a SQLite database no longer hold does not lie in its files either. */
import { expect } from 'vitest'

import { calendarUrl } from './support/bridge/bridge.ts'
import { it as base, pollNow } from './support/bridge/fixtures.ts'
import { bytesOf, valuesIn } from './support/bridge/search-database.ts'
import { leave } from './support/company/people.ts'

const dayMs = 86_400_000

const it = base.extend('records', ({ records }) => ({
  ...records,
  leaves: {
    usr_ada: [leave('lv_ada1', '2026-01-12', { reason: 'Eye operation' })],
    usr_bob: [leave('lv_bob1', '2026-01-13', { reason: 'Stays at home' })],
  },
}))

it('deleted values leave the files after changes, a rotation, a revocation and the purge', async ({
  company,
  clock,
  bridge,
  node,
  databaseUrl,
  poll,
}) => {
  const options = { leaves: { detail: 'full' } }
  const bobs = await bridge.createFeed({ userIds: ['usr_bob'], options })
  const adas = await bridge.createFeed({ userIds: ['usr_ada'], options, name: 'Between us' })
  await poll(calendarUrl(bobs))
  await poll(calendarUrl(adas))
  const before = await valuesIn(databaseUrl)
  company.records.leaves['usr_bob'] = [leave('lv_bob1', '2026-01-13', { reason: 'Does not' })]
  await bridge.api('POST', `/api/feeds/${bobs.id}/rotations`, {})
  await bridge.api('PATCH', `/api/feeds/${adas.id}`, { name: 'Ada' })
  await bridge.api('DELETE', `/api/feeds/${adas.id}`)
  await clock.advance(31 * dayMs)
  await pollNow(calendarUrl(bobs))
  await node.purge()

  const standing = await valuesIn(databaseUrl)
  const gone = [...before].filter((value) => !standing.has(value))
  expect(gone.length).toBeGreaterThan(6)
  expect(gone).toContain('Between us')
  const bytes = await bytesOf(databaseUrl)
  expect(gone.filter((value) => bytes.includes(value))).toEqual([])
})
