/* What the holder of a link may change, tried by hand-made requests. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { calendarUrl, readsFrom, startBridge, type TestBridge } from '../../support/bridge.ts'
import { type CompanyServer, startCompanyServer } from '../../support/company-server.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { leave, twoPeople } from '../../support/people.ts'
import { titlesOf } from '../../support/read-calendar.ts'

const allKinds = ['leaves', 'shifts', 'timesheets', 'tasks']

let company: CompanyServer
let bridge: TestBridge

beforeAll(async () => {
  company = await startCompanyServer()
  Object.assign(company.records, twoPeople())
  company.records.leaves = { usr_ada: [leave('lv_1', '2026-01-13', { reason: 'Moving house' })] }
  bridge = await startBridge({
    clock: createFakeClock(),
    environment: { ...readsFrom(company.url), WORKFORCE_PROJECTS: 'prj_web' },
  })
})

afterAll(async () => {
  await bridge.close()
  await company.close()
})

async function feedOf(options: object = {}): Promise<string> {
  return calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'], options }))
}

const sameOrigin = { 'Sec-Fetch-Site': 'same-origin' }

function choose(
  calendar: string,
  fields: Readonly<Record<string, readonly string[]>>,
  headers: Readonly<Record<string, string>> = sameOrigin,
): Promise<Response> {
  const body = new URLSearchParams()
  for (const [name, values] of Object.entries(fields)) {
    for (const value of values) body.append(name, value)
  }
  return fetch(pageOf(calendar), { method: 'POST', body, headers, redirect: 'manual' })
}

function pageOf(calendar: string): string {
  return calendar.replace(/\/[^/]*$/, '')
}

async function textOf(url: string): Promise<string> {
  return (await fetch(url)).text()
}

describe('what may be chosen', () => {
  it('hidden kinds leave the calendar, and come back', async () => {
    const url = await feedOf()
    const before = titlesOf(await textOf(url))
    const hidden = await choose(url, { show: ['leaves', 'shifts', 'tasks'] })
    expect(hidden.status).toBe(303)
    expect(hidden.headers.get('location')).toBe(`${new URL(pageOf(url)).pathname}?saved`)
    expect(titlesOf(await textOf(url))).toEqual(
      before.filter((title) => !title.startsWith('Timesheet')),
    )
    await choose(url, { show: allKinds })
    expect(titlesOf(await textOf(url))).toEqual(before)
  })

  it('the detail goes down and up again, as far as HR set it', async () => {
    const url = await feedOf({ leaves: { detail: 'full' } })
    expect(await textOf(url)).toContain('Moving house')
    await choose(url, { show: allKinds, detail: ['type'] })
    expect(await textOf(url)).not.toContain('Moving house')
    expect(titlesOf(await textOf(url))).toContain('Leave lv_1')
    await choose(url, { show: allKinds, detail: ['absent'] })
    expect(titlesOf(await textOf(url))).toContain('Away')
    await choose(url, { show: allKinds, detail: ['full'] })
    expect(await textOf(url)).toContain('Moving house')
  })

  it('who hides everything gets an empty calendar and is told so', async () => {
    const url = await feedOf()
    expect((await choose(url, {})).status).toBe(303)
    expect(titlesOf(await textOf(url))).toEqual([])
    expect(await textOf(pageOf(url))).toContain('Everything is switched off')
  })

  it('an address that is about to end only shows', async () => {
    const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
    const url = calendarUrl(feed)
    await bridge.api('POST', `/api/feeds/${feed.id}/rotations`, { graceDays: 7 })
    const before = titlesOf(await textOf(url))
    expect((await choose(url, { show: ['tasks'] })).status).toBe(403)
    expect(titlesOf(await textOf(url))).toEqual(before)
    expect(await textOf(pageOf(url))).not.toContain('method="post"')
  })

  it('a choice that changes nothing is not written', async () => {
    const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
    const revision = async (): Promise<number | undefined> =>
      (await (await bridge.node()).store.feeds.findFeed(feed.id))?.revision
    for (const show of [allKinds, ['tasks'], ['tasks']]) await choose(calendarUrl(feed), { show })
    expect(await revision()).toBe(2)
  })

  it('what HR lowers afterwards is lower for everybody', async () => {
    const feed = await bridge.createFeed({
      userIds: ['usr_ada'],
      options: { leaves: { detail: 'full' } },
    })
    const url = calendarUrl(feed)
    await choose(url, { show: allKinds, detail: ['type'] })
    const patch = { options: { leaves: { detail: 'absent' } } }
    expect((await bridge.api('PATCH', `/api/feeds/${feed.id}`, patch)).status).toBe(200)
    expect(titlesOf(await textOf(url))).toContain('Away')
  })
})

describe('what may not', () => {
  it.each([
    ['a higher level', {}, { show: allKinds, detail: ['full'] }],
    [
      'a level above "Away"',
      { leaves: { detail: 'absent' } },
      { show: allKinds, detail: ['type'] },
    ],
    ['a kind that HR hid', { timesheets: { show: false } }, { show: allKinds }],
    ['invoices that HR did not give', {}, { show: [...allKinds, 'invoices'] }],
    ['anything without selfService', { selfService: false }, { show: ['leaves'] }],
    ['nothing without selfService', { selfService: false }, {}],
  ])('%s: 403, and the calendar stays', async (_name, options, fields) => {
    const url = await feedOf(options)
    const before = await textOf(url)
    expect((await choose(url, fields)).status).toBe(403)
    expect(await textOf(url)).toBe(before)
  })

  it.each([
    ['an unknown kind', { show: ['salaries'] }],
    ['an unknown level', { show: allKinds, detail: ['everything'] }],
    ['two levels', { show: allKinds, detail: ['absent', 'type'] }],
    ['an unknown field', { show: allKinds, selfService: ['true'] }],
    ['a field of every object', { show: allKinds, constructor: ['x'] }],
  ])('%s: 400, and the calendar stays', async (_name, fields) => {
    const url = await feedOf()
    const before = await textOf(url)
    expect((await choose(url, fields)).status).toBe(400)
    expect(await textOf(url)).toBe(before)
  })

  it('a body that is too large: 413', async () => {
    const url = await feedOf()
    expect((await choose(url, { show: ['leaves'.repeat(2000)] })).status).toBe(413)
  })

  it('JSON is no form: everything else would be hidden', async () => {
    const url = await feedOf()
    const before = await textOf(url)
    const response = await fetch(pageOf(url), {
      method: 'POST',
      headers: { ...sameOrigin, 'Content-Type': 'application/json' },
      body: '{"show":["leaves"]}',
    })
    expect(response.status).toBe(415)
    expect(await textOf(url)).toBe(before)
  })
})

describe('requests from elsewhere', () => {
  it.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a sibling', { 'Sec-Fetch-Site': 'same-site' }],
    ['another origin', { Origin: 'https://elsewhere.example' }],
    ['no page at all', {}],
  ])('%s: 403, and the calendar stays', async (_name, headers) => {
    const url = await feedOf()
    const before = await textOf(url)
    expect((await choose(url, { show: ['leaves'] }, headers)).status).toBe(403)
    expect(await textOf(url)).toBe(before)
  })

  it('an older browser is known by its origin', async () => {
    const url = await feedOf()
    const headers = { Origin: new URL(bridge.url).origin }
    expect((await choose(url, { show: ['leaves'] }, headers)).status).toBe(303)
  })
})
