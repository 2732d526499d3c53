/* What the overview says of a company, and what can be decided there; each state is made real by what the Read API answers. */
import { describe, expect, onTestFinished } from 'vitest'

import { deFrame } from '../../../src/http/console/words/frame.ts'
import { enOverview } from '../../../src/http/console/words/overview.ts'
import { calendarUrl, type TestBridge } from '../../support/bridge/bridge.ts'
import { type ConsoleSession, enterConsole } from '../../support/bridge/console.ts'
import { it as base } from '../../support/bridge/fixtures.ts'
import { startTwoCompanies } from '../../support/bridge/two-companies.ts'
import type { CompanyServer } from '../../support/company/company-server.ts'
import { leave, timesheet } from '../../support/company/people.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const { work, system } = enOverview
const ids = ['usr_ada', 'usr_bob', 'usr_cy', 'usr_dee', 'usr_eve']
const names = ['Ada', 'Bob', 'Cy', 'Dee', 'Eve']

const it = base.extend('records', ({ records }) => ({
  ...records,
  users: ids.map((id, index) => ({
    id,
    firstName: names[index],
    lastName: '<b>',
    email: `${id}@example.com`,
    isActive: true,
  })),
  timesheets: [],
}))

async function enterAs(bridge: TestBridge, role: string): Promise<ConsoleSession> {
  const made = await bridge.api('POST', '/api/tokens', { name: role, role })
  return enterConsole(bridge, ((await made.json()) as { token: string }).token)
}

/** Text between tags, in one line. */
function textOf(html: string): string {
  const main = html.slice(html.indexOf('<main'))
  return main
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ')
}

/** The number of each of the figures. */
function figuresOf(html: string): readonly string[] {
  const figures = html.slice(html.indexOf('<dl class="stats"'), html.indexOf('</dl>'))
  return [...figures.matchAll(/<dd>(.*?)<\/dd>/g)].map(([, figure = '']) => figure)
}

function hiddenField(html: string, name: string): string {
  return new RegExp(`name="${name}" value="(\\d+)"`).exec(html)?.[1] ?? ''
}

function leaveTogether({ records }: CompanyServer, leaving: readonly string[]): void {
  records.users = records.users.map((user) =>
    leaving.includes(user.id) ? { ...user, isActive: false } : user,
  )
}

describe('departures that are held back', () => {
  it('Are confirmed in one click, which ends their calendars and is audited', async ({
    company,
    bridge,
    clock,
    poll,
  }) => {
    const feeds = await Promise.all(ids.map((id) => bridge.createFeed({ userIds: [id] })))
    const addresses = feeds.map(calendarUrl)
    for (const address of addresses) await poll(address)
    leaveTogether(company, ids.slice(0, 4))
    await clock.advance(13 * 60 * minuteMs)
    for (const address of addresses) await poll(address)
    await bridge.settled()
    const support = await enterAs(bridge, 'support')
    const html = await support.read('/console')
    expect(textOf(html)).toContain(work.heldBack.heading(4))
    expect(textOf(html)).toContain(work.heldBack.action(4))
    for (const id of ids) expect(html.includes(`/console/people/${id}"`)).toBe(id !== 'usr_eve')
    expect(html).toContain('Ada &lt;b&gt;')
    const reader = await enterAs(bridge, 'reader')
    expect(textOf(await reader.read('/console'))).toContain(work.heldBack.heading(4))
    expect(await reader.read('/console')).not.toContain('name="until"')
    const seen = { count: hiddenField(html, 'count'), until: hiddenField(html, 'until') }
    expect((await reader.send('/console/departures', seen)).status).toBe(403)
    const late = await support.send('/console/departures', { ...seen, count: '3' })
    expect([late.status, textOf(await late.text())]).toEqual([
      409,
      expect.stringContaining(work.heldBack.changed),
    ])
    expect((await poll(addresses[0]!)).status).toBe(200)
    const confirmed = await support.send('/console/departures', seen)
    expect([confirmed.status, confirmed.headers.get('Location')]).toEqual([
      303,
      '/console?done=departuresConfirmed',
    ])
    const statuses: number[] = []
    for (const address of addresses) statuses.push((await poll(address)).status)
    expect(statuses).toEqual([410, 410, 410, 410, 200])
    const audit = await (await bridge.api('GET', '/api/audit?userId=usr_bob')).json()
    expect(audit).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({ action: 'departure_confirmed', actor: 'token:support' }),
        expect.objectContaining({ action: 'feed_closed' }),
      ]),
    })
    expect(textOf(await support.read('/console'))).not.toContain(work.heldBack.heading(4))
  })
})

it('Says in the reader’s language that a form is not complete', async ({ bridge }) => {
  const admin = await enterConsole(bridge)
  for (const address of ['/console/departures', '/console/identities']) {
    const refused = await admin.send(`${address}?lang=de`, {})
    expect([refused.status, textOf(await refused.text())]).toEqual([
      400,
      expect.stringContaining(deFrame.refused.incomplete),
    ])
  }
})

describe('an id that became somebody else’s', () => {
  const other = { firstName: 'Zoe', lastName: 'New', email: 'zoe@example.org' }

  it.for([
    { act: 'same', done: 'identitySame', status: 200 },
    { act: 'other', done: 'identityOther', status: 410 },
  ])(
    'Is settled as $act by hand',
    async ({ act, done, status }, { company, bridge, clock, poll }) => {
      const address = calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'] }))
      await poll(address)
      company.records.users = company.records.users.map((user) =>
        user.id === 'usr_ada' ? { ...user, ...other } : user,
      )
      await clock.advance(13 * 60 * minuteMs)
      for (let reading = 0; reading < 3; reading += 1) await poll(address)
      const admin = await enterConsole(bridge)
      const text = textOf(await admin.read('/console'))
      expect(text).toContain('May be somebody else now: Ada')
      expect(text).not.toContain('Zoe')
      const sent = { userId: 'usr_ada', act }
      expect((await admin.send('/console/identities', { userId: 'usr_ada' })).status).toBe(400)
      const settled = await admin.send('/console/identities', sent)
      expect(settled.headers.get('Location')).toBe(`/console?done=${done}`)
      expect((await poll(address)).status).toBe(status)
      const late = await admin.send('/console/identities', sent)
      expect([late.status, textOf(await late.text())]).toEqual([
        409,
        expect.stringContaining(work.held.settled),
      ])
    },
  )
})

it('Names what many have in common, with the filter that shows them', async ({
  company,
  bridge,
  clock,
  poll,
  node,
}) => {
  const feeds = await Promise.all(ids.slice(0, 3).map((id) => bridge.createFeed({ userIds: [id] })))
  const [ofAda = '', ofBob = ''] = feeds.map(calendarUrl)
  company.records.leaves = {
    usr_ada: [leave('lv_same', '2026-01-12')],
    usr_bob: [leave('lv_same', '2026-01-12')],
  }
  for (let times = 0; times < 4; times += 1) {
    await poll(ofAda)
    await poll(ofBob)
  }
  await bridge.settled()
  const subject = { companyId: 'main', feedId: feeds[1]!.id, userIds: ['usr_bob'], label: null }
  const refused = { actor: 'bridge', action: 'mail_refused' } as const
  await clock.advance(20 * dayMs)
  await node.store.audit.addEntry({ ...refused, at: clock.now() }, subject)
  const admin = await enterConsole(bridge)
  await expect
    .poll(async () => textOf(await admin.read('/console')))
    .toContain(work.people.quiet(2))
  const html = await admin.read('/console')
  const text = textOf(html)
  for (const sentence of [
    work.people.disputed(2),
    work.people.mailRefused(1),
    work.people['never-subscribed'](1),
  ]) {
    expect(text).toContain(sentence)
  }
  for (const filter of ['trouble', 'quiet', 'never-subscribed', 'no-calendar']) {
    expect(html).toContain(`href="/console/people?group=${filter}"`)
  }
})

it('Says what the examination found: records left out, and the settings to write', async ({
  company,
  bridge,
}) => {
  company.records.timesheets = [timesheet('clq1', 'usr_ada', 'someday', '2026-01-15')]
  const admin = await enterConsole(bridge)
  expect(textOf(await admin.read('/console'))).toContain(system.never)
  company.records.leaves = { usr_ada: [leave('lv_1', '2026-01-12')] }
  company.ignores = 'employee of leaves'
  await bridge.api('GET', '/api/companies/main/examination')
  const text = textOf(await admin.read('/console'))
  expect(text).toContain(work.unreadable.heading)
  expect(text).toContain(system.ill)
})

it('Says since when the Read API does not answer, and how old the oldest calendar is', async ({
  company,
  bridge,
  clock,
  poll,
}) => {
  const address = calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'] }))
  await poll(address)
  const admin = await enterConsole(bridge)
  expect(textOf(await admin.read('/console'))).toContain(system.up)
  company.faults.set('/', 503)
  await clock.advance(3 * 60 * minuteMs)
  await poll(address)
  const since = new Date(clock.now()).toISOString()
  await clock.advance(10 * minuteMs)
  const html = await admin.read('/console')
  expect(textOf(html)).toContain(system.down)
  expect(html).toContain(`<time datetime="${since}">`)
  expect(textOf(html)).toContain(system.age(192))
})

it('Counts what there is, and has nothing to do where nothing is wrong', async ({
  bridge,
  clock,
  poll,
}) => {
  const feeds = await Promise.all(ids.map((id) => bridge.createFeed({ userIds: [id] })))
  for (const feed of feeds) await poll(calendarUrl(feed))
  await bridge.settled()
  await clock.advance(minuteMs)
  const admin = await enterConsole(bridge)
  await expect
    .poll(async () => {
      await clock.advance(minuteMs)
      return figuresOf(await admin.read('/console'))
    })
    .toEqual(['5', '5', '5', '0'])
  expect(textOf(await admin.read('/console'))).toContain(work.none)
  await clock.advance(dayMs)
  const html = await (await enterConsole(bridge)).read('/console')
  expect(figuresOf(html)).toEqual(['5', '5', '0', '0'])
})

it('Gives staff of all companies a line for each other one, and staff of one company none', async () => {
  const two = await startTwoCompanies()
  onTestFinished(two.close)
  const node = await two.bridge.node()
  for (const userId of ['usr_ada', 'usr_bob']) {
    const read = {
      companyId: 'south',
      userId,
      because: 'user_inactive',
      since: 5,
      readAt: 5,
    } as const
    await two.bridge.createFeed({ companyId: 'south', userIds: [userId] })
    const decided = { leftAt: null, wasHere: true, isHeldBack: true, isCleared: false }
    await node.store.departures.keepDeparture({ ...read, ...decided })
  }
  const all = await (await enterConsole(two.bridge)).read('/console')
  expect(textOf(all)).toContain(`south ${system.up} ${system.never} 2`)
  expect(all).toContain('href="/console?company=south"')
  expect(textOf(all)).not.toContain(work.heldBack.heading(2))
  const north = await enterConsole(two.bridge, await two.token('ofNorth', 'support', 'north'))
  expect(await north.read('/console')).not.toContain('south')
  const seen = { count: '2', until: '5' }
  expect((await north.send('/console/departures?company=south', seen)).status).toBe(404)
  expect((await north.send('/console/departures', seen)).status).toBe(409)
  expect(await node.store.departures.heldBackShare('south')).toMatchObject({ leaving: 2 })
})
