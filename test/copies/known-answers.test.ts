/* An answer whose bytes are those of the last one is not read again, and all is as if it was. */
import { expect, it, onTestFinished } from 'vitest'

import { calendarUrl, readsFrom, startBridge } from '../support/bridge/bridge.ts'
import { createFakeClock } from '../support/bridge/fake-clock.ts'
import { startCompanyServer } from '../support/company/company-server.ts'
import { leave, twoPeople } from '../support/company/people.ts'
import { migratedSqliteDatabase } from '../support/database/databases.ts'

const dueMs = 600_000
const reason = 'Climbing in the Dolomites'

async function startCompany() {
  const databaseUrl = migratedSqliteDatabase()
  const company = await startCompanyServer()
  const clock = createFakeClock()
  Object.assign(company.records, twoPeople())
  company.records.leaves['usr_ada'] = [leave('lv_1', '2026-01-12', { reason })]
  const environment = { ...readsFrom(company.url), DATABASE_URL: databaseUrl }
  const [bridge, other] = [
    await startBridge({ clock, environment }),
    await startBridge({ clock, environment }),
  ]
  onTestFinished(async () => {
    await Promise.all([bridge.close(), other.close()])
    await company.close()
  })
  const poll = async (address: string): Promise<string> => {
    await clock.advance(dueMs)
    const response = await fetch(address)
    expect([response.status, response.headers.get('x-feed-stale-seconds')]).toEqual([200, null])
    return response.text()
  }
  return { company, bridge, other, poll }
}

it('A repeated answer stays fresh, and a change is visible at once', async () => {
  const { company, bridge, poll } = await startCompany()
  const address = calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'] }))
  const text = await poll(address)
  for (let again = 0; again < 3; again += 1) expect(await poll(address)).toBe(text)
  company.records.leaves['usr_ada'] = [leave('lv_1', '2026-01-13', { reason })]
  const changed = await poll(address)
  expect(changed).toContain('20260113')
  company.records.leaves['usr_ada'] = [leave('lv_1', '2026-01-12', { reason })]
  expect(await poll(address)).toContain('20260112')
  expect(await poll(address)).toContain('20260112')
})

it('An earlier answer is accepted again after another node has kept a different one in between', async () => {
  const { company, bridge, other, poll } = await startCompany()
  const here = new URL(calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'] })))
  const there = new URL(here.pathname, other.listensAt)
  await poll(here.href)
  company.records.leaves['usr_ada'] = [leave('lv_1', '2026-01-13')]
  expect(await poll(there.href)).toContain('20260113')
  company.records.leaves['usr_ada'] = [leave('lv_1', '2026-01-12', { reason })]
  expect(await poll(here.href)).toContain('20260112')
})

it('Reasons appear with the first feed that shows them, even if the answer is unchanged', async () => {
  const { bridge, poll } = await startCompany()
  const plain = calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'] }))
  expect(await poll(plain)).not.toContain('Dolomites')
  expect(await poll(plain)).not.toContain('Dolomites')
  const options = { leaves: { detail: 'full' } }
  const full = calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'], options }))
  expect(await poll(full)).toContain('Dolomites')
  expect(await poll(plain)).not.toContain('Dolomites')
  expect(await poll(full)).toContain('Dolomites')
})

it('An unreadable record keeps its earlier state, however often the answer is repeated', async () => {
  const { company, bridge, poll } = await startCompany()
  const address = calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'] }))
  const readable = leave('lv_2', '2026-01-14')
  company.records.leaves['usr_ada'] = [leave('lv_1', '2026-01-12'), readable]
  const before = await poll(address)
  company.records.leaves['usr_ada'] = [leave('lv_1', '2026-01-12', { startDate: 'soon' }), readable]
  for (let again = 0; again < 3; again += 1) expect(await poll(address)).toBe(before)
})
