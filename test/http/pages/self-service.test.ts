/* What the holder of a link may change, tried by hand-made requests. */
import { describe, expect } from 'vitest'

import { calendarUrl } from '../../support/bridge.ts'
import { leave } from '../../support/people.ts'
import { titlesOf } from '../../support/read-calendar.ts'
import { it as apiIt } from '../../support/test-api.ts'

const allKinds = ['leaves', 'shifts', 'timesheets', 'tasks']

/** `it` with what makes a feed of Ada's, who is moving house, and gives its address. */
const it = apiIt.extend('feedOf', ({ api: { company, bridge } }) => {
  company.records.leaves = { usr_ada: [leave('lv_1', '2026-01-13', { reason: 'Moving house' })] }
  return async (options: object = {}): Promise<string> =>
    calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'], options }))
})

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
  it('hidden kinds leave the calendar, and come back', async ({ feedOf }) => {
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

  it('the detail goes down and up again, as far as HR set it', async ({ feedOf }) => {
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

  it('who hides everything gets an empty calendar and is told so', async ({ feedOf }) => {
    const url = await feedOf()
    expect((await choose(url, {})).status).toBe(303)
    expect(titlesOf(await textOf(url))).toEqual([])
    expect(await textOf(pageOf(url))).toContain('Everything is switched off')
  })

  it('an address that is about to end only shows', async ({ api: { bridge } }) => {
    const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
    const url = calendarUrl(feed)
    await bridge.api('POST', `/api/feeds/${feed.id}/rotations`, { graceDays: 7 })
    const before = titlesOf(await textOf(url))
    expect((await choose(url, { show: ['tasks'] })).status).toBe(403)
    expect(titlesOf(await textOf(url))).toEqual(before)
    expect(await textOf(pageOf(url))).not.toContain('method="post"')
  })

  it('a choice that changes nothing is not written', async ({ api: { bridge } }) => {
    const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
    const revision = async (): Promise<number | undefined> =>
      (await (await bridge.node()).store.feeds.findFeed(feed.id))?.revision
    for (const show of [allKinds, ['tasks'], ['tasks']]) await choose(calendarUrl(feed), { show })
    expect(await revision()).toBe(2)
  })

  it('what HR lowers afterwards is lower for everybody', async ({ api: { bridge } }) => {
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
  it.for([
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
  ] as const)('%s: 403, and the calendar stays', async ([, options, fields], { feedOf }) => {
    const url = await feedOf(options)
    const before = await textOf(url)
    expect((await choose(url, fields)).status).toBe(403)
    expect(await textOf(url)).toBe(before)
  })

  it.for([
    ['an unknown kind', { show: ['salaries'] }],
    ['an unknown level', { show: allKinds, detail: ['everything'] }],
    ['two levels', { show: allKinds, detail: ['absent', 'type'] }],
    ['an unknown field', { show: allKinds, selfService: ['true'] }],
    ['a field of every object', { show: allKinds, constructor: ['x'] }],
  ] as const)('%s: 400, and the calendar stays', async ([, fields], { feedOf }) => {
    const url = await feedOf()
    const before = await textOf(url)
    expect((await choose(url, fields)).status).toBe(400)
    expect(await textOf(url)).toBe(before)
  })

  it('a body that is too large: 413', async ({ feedOf }) => {
    const url = await feedOf()
    expect((await choose(url, { show: ['leaves'.repeat(2000)] })).status).toBe(413)
  })

  it('JSON is no form: everything else would be hidden', async ({ feedOf }) => {
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
  it.for([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a sibling', { 'Sec-Fetch-Site': 'same-site' }],
    ['another origin', { Origin: 'https://elsewhere.example' }],
    ['no page at all', {}],
  ] as const)('%s: 403, and the calendar stays', async ([, headers], { feedOf }) => {
    const url = await feedOf()
    const before = await textOf(url)
    expect((await choose(url, { show: ['leaves'] }, headers)).status).toBe(403)
    expect(await textOf(url)).toBe(before)
  })

  it('an older browser is known by its origin', async ({ feedOf, api: { bridge } }) => {
    const url = await feedOf()
    const headers = { Origin: new URL(bridge.url).origin }
    expect((await choose(url, { show: ['leaves'] }, headers)).status).toBe(303)
  })
})
