/* What the page says is stale or missing. */
import { expect } from 'vitest'

import { calendarUrl, type TestBridge } from '../../support/bridge/bridge.ts'
import { it as base } from '../../support/bridge/fixtures.ts'
import { leave } from '../../support/company/people.ts'

const it = base.extend('settings', { WORKFORCE_PROJECTS: '', FEED_FRESH_SECONDS: '300' })

async function pageOf(bridge: TestBridge, input: object): Promise<string> {
  const feed = await bridge.createFeed({ userIds: ['usr_ada'], ...input })
  return calendarUrl(feed).replace(/\/[^/]*$/, '')
}

/** What the page says is stale or missing, heading by heading. */
async function headings(page: string): Promise<readonly string[]> {
  const text = await (await fetch(page)).text()
  return [...text.matchAll(/<p><strong>(.*?)<\/strong>/g)].map(([, heading]) => heading ?? '')
}

const shifts = { scheduleIds: ['sch_day'] }
const whole = { shifts, tasks: { show: false } }

it('a complete calendar shows no notice', async ({ bridge }) => {
  expect(await headings(await pageOf(bridge, { options: whole }))).toEqual([])
})

it.for([
  ['no schedule chosen', { ...whole, shifts: { scheduleIds: [] } }, 'Shifts are missing'],
  ['no projects set', { shifts }, 'Tasks are missing'],
  ['a project that is gone', { shifts, tasks: { projectIds: ['prj_gone'] } }, 'A project is gone'],
  ['no invoices chosen', { ...whole, invoices: { show: true } }, 'Invoices are missing'],
  [
    'an invoice that is gone',
    { ...whole, invoices: { show: true, invoiceIds: ['inv_gone'] } },
    'An invoice is gone',
  ],
  [
    'a schedule that is gone',
    { ...whole, shifts: { scheduleIds: ['sch_gone'] } },
    'A work schedule is gone',
  ],
  [
    'rotation missing',
    { ...whole, shifts: { scheduleIds: ['sch_rota'] } },
    'Rotating shifts are missing',
  ],
  [
    'a schedule out of use',
    { ...whole, shifts: { scheduleIds: ['sch_old'] } },
    'A work schedule is no longer in use',
  ],
] as const)('%s', async ([, options, heading], { company, bridge }) => {
  company.records.schedules.push(
    { id: 'sch_rota', type: 'ROTATING', name: 'Early and late', isActive: true, pattern: {} },
    { id: 'sch_old', type: 'FIXED', name: 'Old', isActive: false, pattern: {} },
  )
  const gone = { id: 'sch_gone' }
  company.records.schedules.push(gone)
  const page = await pageOf(bridge, { options })
  company.records.schedules = company.records.schedules.filter((schedule) => schedule !== gone)
  expect(await headings(page)).toEqual([heading])
})

it('the page says that schedules are not known yet', async ({ company, clock, bridge }) => {
  company.faults.set('/schedules', 500)
  const page = await pageOf(bridge, { options: { tasks: { show: false } } })
  expect(await headings(page)).toEqual([
    'There is nothing to show right now',
    'The work schedule is not known yet',
  ])
  expect((await fetch(page)).status).toBe(503)
  company.faults.clear()
  await clock.advance(600_000)
  expect(await headings(page)).toEqual([])
})

it('the page says that leave is missing while its filter is not proven', async ({
  company,
  bridge,
}) => {
  company.ignores = 'employee of leaves'
  expect(await headings(await pageOf(bridge, { options: whole }))).toEqual(['Leave is missing'])
})

it('unreadable records are counted on the page', async ({ company, bridge }) => {
  company.records.leaves = {
    usr_ada: [leave('lv_1', '2026-01-13', { status: 'MAYBE' }), leave('lv_2', '2026-01-14')],
  }
  expect(await headings(await pageOf(bridge, { options: whole }))).toEqual(['One entry is missing'])
})

it('a collection that is no longer answered stays as it was, and the page says since when', async ({
  company,
  clock,
  bridge,
}) => {
  const page = await pageOf(bridge, { options: whole })
  expect(await headings(page)).toEqual([])
  await clock.advance(6 * 60_000)
  company.faults.set('/timesheets', 403)
  expect(await headings(page)).toEqual(['Timesheets: as of 13:00'])
  expect((await fetch(page)).status).toBe(200)
})

it('the page of a rotated-out link says when the link ends', async ({ bridge }) => {
  const feed = await bridge.createFeed({ userIds: ['usr_ada'], options: whole })
  const rotated = await bridge.api('POST', `/api/feeds/${feed.id}/rotations`, { graceDays: 7 })
  expect(rotated.status).toBe(201)
  const page = calendarUrl(feed).replace(/\/[^/]*$/, '')
  expect(await headings(page)).toEqual(['This link ends on 12 January 2026'])
})

it('while nothing can be served, the page says so and offers to try again', async ({
  company,
  bridge,
}) => {
  company.faults.set('/timesheets', 403)
  const page = await pageOf(bridge, { options: whole })
  const response = await fetch(page)
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('300')
  expect(await headings(page)).toEqual(['There is nothing to show right now'])
  const text = await response.text()
  expect(text).toContain(`<a href="${new URL(page).pathname}">Try again</a>`)
  expect(text.match(/right now/g)).toHaveLength(1)
  expect(text).not.toMatch(/will get|all the same|Download/)
})

it('leave that lost its proof says since when no new records are taken', async ({
  company,
  clock,
  bridge,
}) => {
  const page = await pageOf(bridge, { options: whole })
  await fetch(page)
  company.ignores = 'employee of leaves'
  company.records.leaves['usr_ada'] = [leave('lv_new', '2026-01-15')]
  await clock.advance(10 * 60_000)
  const said = await headings(page)
  expect(said).toEqual([expect.stringMatching(/^Leave: as of /)])
  expect(await (await fetch(page)).text()).not.toContain('has not answered since')
})

it('a project missing for less than a day is stale, not gone', async ({
  company,
  clock,
  bridge,
}) => {
  const page = await pageOf(bridge, { options: { shifts, tasks: { projectIds: ['prj_web'] } } })
  await fetch(page)
  company.records.tasks = {}
  await clock.advance(10 * 60_000)
  expect(await headings(page)).toEqual([expect.stringMatching(/^Tasks: as of /)])
})
