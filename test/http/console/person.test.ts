/* The console's page of one person: what it shows, what support changes there, and who may. */
import { describe, expect } from 'vitest'

import { type Role, roles } from '../../../src/domain/access/staff.ts'
import { calendarUrl, type FeedAnswer, type TestBridge } from '../../support/bridge/bridge.ts'
import { enterConsole } from '../../support/bridge/console.ts'
import { it as base, pollNow } from '../../support/bridge/fixtures.ts'
import { startTwoCompanies } from '../../support/bridge/two-companies.ts'
import { leave, twoPeople } from '../../support/company/people.ts'
import { databases } from '../../support/database/databases.ts'
import { refusal, startMailServer } from '../../support/web/mail-server.ts'

const page = '/console/people/usr_ada'
const hourMs = 3_600_000
const secret = /cfb_[\w-]{43}/

const it = base
  .extend('feed', ({ bridge }) => bridge.createFeed({ userIds: ['usr_ada'] }))
  .extend('admin', ({ bridge }) => enterConsole(bridge))

async function enterAs(bridge: TestBridge, role: Role) {
  const made = await bridge.api('POST', '/api/tokens', { name: role, role })
  return enterConsole(bridge, ((await made.json()) as { token: string }).token)
}

async function shown(bridge: TestBridge, { id }: FeedAnswer): Promise<Record<string, unknown>> {
  return (await bridge.api('GET', `/api/feeds/${id}`)).json() as Promise<Record<string, unknown>>
}

interface Entry {
  readonly action: string
  readonly label: string | null
  readonly actor: string
}

async function audited(bridge: TestBridge): Promise<readonly Entry[]> {
  const answer = await bridge.api('GET', '/api/audit?userId=usr_ada')
  return ((await answer.json()) as { data: Entry[] }).data
}

async function actions(bridge: TestBridge): Promise<readonly string[]> {
  return (await audited(bridge)).map(({ action }) => action)
}

/** Address of the calendar, in the reply that makes it. */
function addressIn(text: string): string {
  return /http:\/\/[^"\s<]*cfb_[\w-]{43}\/[^"\s<]*\.ics/.exec(text)![0]
}

/** Of the form that rotates the link. */
function versionIn(html: string): string {
  return /name="version" value="(\d+)"/.exec(html)![1]!
}

it('Shows a person with their calendar, its links, and what asked last and will ask next', async ({
  clock,
  admin,
  feed,
}) => {
  expect(await admin.read(page)).toMatch(/Asked last">Never/)
  await pollNow(calendarUrl(feed), { 'User-Agent': 'Mozilla/5.0 Thunderbird/128.0' })
  await clock.advance(10 * 60_000)
  const html = await admin.read(page)
  for (const text of ['Ada Lovelace', 'usr_ada', 'First link', feed.id, 'Thunderbird', '13:30']) {
    expect(html).toContain(text)
  }
  expect(html).not.toMatch(secret)
})

it('Knows nobody under an unknown id, and says so in the console', async ({ admin, bridge }) => {
  for (const address of ['/console/people/usr_nobody', '/console/people/usr%2F..%2Fx']) {
    const response = await admin.open(address)
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('Nobody here has this id.')
  }
  const sent = await admin.send('/console/people/usr_nobody', { act: 'make' })
  expect(sent.status).toBe(404)
  expect(await actions(bridge)).toEqual([])
})

it('Makes a calendar once, and shows its address only then', async ({ bridge, admin, feed }) => {
  await bridge.api('DELETE', `/api/feeds/${feed.id}`)
  const made = await admin.send(page, { act: 'make' })
  const text = await made.text()
  expect(made.status).toBe(200)
  expect(text).toContain('<svg')
  expect((await pollNow(addressIn(text))).status).toBe(200)
  expect(await admin.read(page)).not.toMatch(secret)
  const again = await admin.send(page, { act: 'make' })
  expect(again.status).toBe(409)
  expect(await again.text()).toContain('has a calendar already')
})

it('Makes a link with a label of its own, and says beside the field what is wrong with one', async ({
  admin,
  feed,
}) => {
  const wanted = { act: 'link', feed: feed.id, label: 'work <phone>' }
  const made = await admin.send(page, wanted)
  const text = await made.text()
  expect(made.status).toBe(200)
  expect(text).toContain('work &lt;phone&gt;')
  expect((await pollNow(addressIn(text))).status).toBe(200)
  const again = await admin.send(page, wanted)
  expect(again.status).toBe(409)
  const refused = await again.text()
  expect(refused).toMatch(/value="work &lt;phone&gt;"[^>]*aria-invalid="true"/)
  expect(refused).not.toMatch(secret)
  for (const label of ['', '..', 'x'.repeat(101)]) {
    expect((await admin.send(page, { ...wanted, label })).status).toBe(400)
  }
})

describe('a new address by mail', () => {
  const mail = base
    .extend('records', ({ records }) => ({
      ...records,
      users: records.users.map((user) => ({
        ...user,
        email: `${String(user['firstName'])}@example.com`,
      })),
    }))
    .extend('server', async ({ clock: _ }, { onCleanup }) => {
      const server = await startMailServer({
        judge: ({ to }) => {
          if (to.includes('Bob@example.com')) throw refusal(550, 'No such mailbox')
        },
      })
      onCleanup(() => server.close())
      return server
    })
    .extend('settings', ({ server }) => server.environment)

  mail('goes to the person, with the page and not the calendar', async ({ bridge, server }) => {
    await bridge.createFeed({ userIds: ['usr_ada'] })
    const admin = await enterConsole(bridge)
    const html = await admin.read(page)
    const [, feed = ''] = /name="feed" value="([^"]+)"/.exec(html)!
    expect(html).toContain('Mail it to Ada@example.com')
    const form = { act: 'link', feed, label: 'phone', mailed: 'yes' }
    expect(await (await admin.send(page, form)).text()).toContain(
      'It was mailed to Ada@example.com',
    )
    expect(server.mails.map(({ to }) => to)).toEqual([['Ada@example.com']])
    expect(server.mails[0]!.raw).not.toContain('.ics')
  })

  mail('is on the page even if the mail is refused', async ({ bridge }) => {
    const { id } = await bridge.createFeed({ userIds: ['usr_bob'] })
    const admin = await enterConsole(bridge)
    const form = { act: 'link', feed: id, label: 'phone', mailed: 'yes' }
    const reply = await admin.send('/console/people/usr_bob', form)
    const text = await reply.text()
    expect(text).toContain('The mail was not taken')
    expect((await pollNow(addressIn(text))).status).toBe(200)
  })
})

it('Rotates a link with days of grace, once for one form', async ({ admin, feed, clock }) => {
  const form = {
    act: 'rotate',
    feed: feed.id,
    link: 'default',
    days: '2',
    version: versionIn(await admin.read(page)),
  }
  await clock.advance(1000)
  const rotated = await admin.send(page, form)
  const text = await rotated.text()
  expect(rotated.status).toBe(200)
  expect(text).toContain('7 January 2026')
  for (const address of [addressIn(text), calendarUrl(feed)]) {
    expect((await pollNow(address)).status).toBe(200)
  }
  expect((await admin.send(page, form)).status).toBe(409)
  expect((await pollNow(addressIn(text))).status).toBe(200)
  await clock.advance(49 * hourMs)
  expect((await pollNow(calendarUrl(feed))).status).toBe(410)
})

it('Shows no address that does not work, however often a button is pressed at once', async ({
  admin,
  feed,
  clock,
}) => {
  const version = versionIn(await admin.read(page))
  await clock.advance(1000)
  const form = { act: 'rotate', feed: feed.id, link: 'default', days: '0', version }
  const replies = await Promise.all([form, form, form].map((fields) => admin.send(page, fields)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  const made = await replies.find(({ status }) => status === 200)!.text()
  expect((await pollNow(addressIn(made))).status).toBe(200)
})

it('Ends no link that has taken the place of the one on the page', async ({
  admin,
  feed,
  clock,
}) => {
  const version = versionIn(await admin.read(page))
  await clock.advance(1000)
  const of = { feed: feed.id, link: 'default', version }
  const made = addressIn(await (await admin.send(page, { ...of, act: 'rotate', days: '0' })).text())
  expect((await admin.send(page, { ...of, act: 'end' })).status).toBe(409)
  expect((await pollNow(made)).status).toBe(200)
  const now = versionIn(await admin.read(page))
  expect((await admin.send(page, { ...of, act: 'end', version: now })).status).toBe(303)
})

it('Takes only 0 to 365 days of grace', async ({ admin, feed }) => {
  const version = versionIn(await admin.read(page))
  for (const days of ['', '-1', '366', '1.5']) {
    const form = { act: 'rotate', feed: feed.id, link: 'default', days, version }
    const response = await admin.send(page, form)
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('Enter a whole number from 0 to 365.')
  }
})

describe('what was ended by mistake', () => {
  it('a link works again when it is reopened within a day', async ({ admin, bridge, feed }) => {
    const form = { feed: feed.id, link: 'default' }
    const ended = await admin.send(page, { ...form, act: 'end' })
    expect(ended.headers.get('Location')).toBe(`${page}?done=linkEnded`)
    expect((await pollNow(calendarUrl(feed))).status).toBe(410)
    expect(await admin.read(page)).toContain('Reopen “First link”')
    expect((await admin.send(page, { ...form, act: 'reopen' })).status).toBe(303)
    expect((await pollNow(calendarUrl(feed))).status).toBe(200)
    expect((await actions(bridge)).toSorted()).toEqual([
      'feed_created',
      'link_ended',
      'link_reopened',
    ])
    expect((await admin.send(page, { ...form, act: 'reopen' })).status).toBe(409)
  })

  it('a calendar goes on with the links it had', async ({ admin, bridge, feed }) => {
    await admin.send(page, { act: 'link', feed: feed.id, label: 'phone' })
    await admin.send(page, { act: 'end', feed: feed.id, link: 'phone' })
    const revoked = await admin.send(page, { act: 'revoke', feed: feed.id })
    expect(revoked.headers.get('Location')).toBe(`${page}?done=calendarRevoked`)
    expect((await pollNow(calendarUrl(feed))).status).toBe(410)
    expect(await admin.read(page)).toContain('Reopen the calendar')
    expect((await admin.send(page, { act: 'reopen-feed', feed: feed.id })).status).toBe(303)
    expect((await pollNow(calendarUrl(feed))).status).toBe(200)
    expect(await actions(bridge)).toContain('feed_reopened')
    const after = await shown(bridge, feed)
    expect(after['revokedAt']).toBeNull()
    expect(after['links']).toMatchObject([{ endsAt: null }, { endsAt: expect.any(String) }])
  })

  it('a link with the label of an earlier one that was leaked', async ({ admin, feed, clock }) => {
    const link = { feed: feed.id, link: 'phone' }
    const make = { act: 'link', feed: feed.id, label: 'phone' }
    await admin.send(page, make)
    await admin.send(page, { ...link, act: 'end', leaked: 'yes' })
    await clock.advance(1000)
    const made = addressIn(await (await admin.send(page, make)).text())
    await admin.send(page, { ...link, act: 'end' })
    expect((await admin.send(page, { ...link, act: 'reopen' })).status).toBe(303)
    expect((await pollNow(made)).status).toBe(200)
  })

  it('not what was known to be leaked before, however long ago', async ({
    bridge,
    clock,
    feed,
    node,
  }) => {
    const noted = { companyId: 'main', feedId: feed.id, userIds: ['usr_ada'], label: 'default' }
    const leaked = { at: clock.now(), actor: 'admin', action: 'link_leaked' } as const
    await node.store.audit.addEntry(leaked, noted)
    await clock.advance(30 * hourMs)
    const admin = await enterConsole(bridge)
    const link = { feed: feed.id, link: 'default' }
    await admin.send(page, { ...link, act: 'end' })
    expect((await admin.send(page, { ...link, act: 'reopen' })).status).toBe(409)
  })

  describe('of an id that is somebody else’s by now', () => {
    const mailOf = (id: string): string => `${id}@sample.example`
    it.override('records', () => {
      const records = twoPeople()
      return {
        ...records,
        users: records.users.map((user) => ({ ...user, email: mailOf(user.id) })),
      }
    })

    it('stays ended', async ({ admin, bridge, clock, company, feed, poll }) => {
      const other = calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'], name: 'Other' }))
      await pollNow(calendarUrl(feed))
      await bridge.settled()
      await admin.send(page, { act: 'revoke', feed: feed.id })
      const eve = { firstName: 'Eve', lastName: 'Moneypenny', email: 'eve@sample.example' }
      company.records.users = company.records.users.map((user) =>
        user.id === 'usr_ada' ? { ...user, ...eve } : user,
      )
      company.records.leaves['usr_ada'] = [leave('lv_eve', '2026-01-14')]
      for (let reading = 0; reading < 4; reading += 1) {
        await clock.advance(3 * 60_000)
        await pollNow(other)
        await bridge.settled()
      }
      const replaced = { act: 'other', userId: 'usr_ada' }
      expect((await admin.send('/console/identities', replaced)).status).toBe(303)
      expect(await admin.read(page)).not.toContain('Reopen the calendar')
      expect((await admin.send(page, { act: 'reopen-feed', feed: feed.id })).status).toBe(409)
      expect((await poll(calendarUrl(feed))).status).toBe(410)
    })
  })

  it.for([
    ['end', 'reopen', 'link_leaked'],
    ['revoke', 'reopen-feed', 'feed_leaked'],
  ] as const)('not after a leak: %s', async ([end, reopen, noted], { admin, bridge, feed }) => {
    const form = { feed: feed.id, link: 'default' }
    await admin.send(page, { ...form, act: end, leaked: 'yes' })
    expect(await actions(bridge)).toContain(noted)
    expect(await admin.read(page)).not.toContain(`value="${reopen}"`)
    const refused = await admin.send(page, { ...form, act: reopen })
    expect(refused.status).toBe(409)
    expect((await pollNow(calendarUrl(feed))).status).toBe(410)
  })

  it.for([
    ['end', 'reopen'],
    ['revoke', 'reopen-feed'],
  ] as const)('not a day later: %s', async ([end, reopen], { bridge, feed, clock, admin }) => {
    const form = { feed: feed.id, link: 'default' }
    await admin.send(page, { ...form, act: end })
    await clock.advance(24 * hourMs)
    const later = await enterConsole(bridge)
    expect(await later.read(page)).not.toContain(`value="${reopen}"`)
    expect((await later.send(page, { ...form, act: reopen })).status).toBe(409)
    expect((await pollNow(calendarUrl(feed))).status).toBe(410)
  })

  it('not a link that was replaced, or that its holder has ended', async ({ admin, feed }) => {
    const version = versionIn(await admin.read(page))
    await admin.send(page, { act: 'rotate', feed: feed.id, link: 'default', days: '0', version })
    const made = await admin.send(page, { act: 'link', feed: feed.id, label: 'phone' })
    const holder = addressIn(await made.text()).replace(/\/[^/]*$/, '')
    const body = new URLSearchParams({ action: 'end', confirm: 'yes' })
    const headers = { 'Sec-Fetch-Site': 'same-origin' }
    expect((await fetch(holder, { method: 'POST', body, headers })).status).toBe(200)
    expect(await admin.read(page)).not.toContain('value="reopen"')
    for (const link of ['default (rotated 2026-01-05)', 'phone']) {
      expect((await admin.send(page, { act: 'reopen', feed: feed.id, link })).status).toBe(409)
    }
  })
})

it('Changes name, language and content, and keeps what equals the defaults unset', async ({
  admin,
  bridge,
  feed,
}) => {
  const offered = ['leaves', 'shifts', 'timesheets', 'tasks']
  const form = {
    act: 'choices',
    feed: feed.id,
    name: 'Plan',
    locale: 'de',
    offered,
    show: ['leaves', 'shifts'],
    detail: 'absent',
    reminder: '15',
  }
  expect((await admin.send(page, form)).headers.get('Location')).toBe(`${page}?done=saved`)
  const changed = await shown(bridge, feed)
  expect(changed).toMatchObject({
    name: 'Plan',
    locale: 'de',
    options: {
      leaves: { show: true, detail: 'absent' },
      shifts: { show: true },
      tasks: { show: false },
      reminderMinutes: 15,
      selfService: false,
    },
  })
  const usual = {
    ...form,
    name: '',
    locale: '',
    show: offered,
    detail: 'type',
    reminder: 'none',
    selfService: 'yes',
  }
  await admin.send(page, usual)
  const after = await shown(bridge, feed)
  expect(after['name']).not.toBe('Plan')
  expect(after['ownOptions']).toEqual(feed['ownOptions'])
  const long = await admin.send(page, { ...form, name: 'x'.repeat(256) })
  expect(long.status).toBe(400)
  expect(await long.text()).toContain('Use at most 255 characters on one line.')
})

describe('looking at the calendar', () => {
  const look = `${page}/calendar`

  it('needs a reason, which is noted before anything is shown', async ({ bridge, admin, feed }) => {
    for (const reason of ['', 'no', 'x'.repeat(201)]) {
      const refused = await admin.send(look, { act: 'view', feed: feed.id, reason })
      expect(refused.status).toBe(400)
      expect(await refused.text()).toContain('aria-invalid="true"')
    }
    expect(await actions(bridge)).toEqual(['feed_created'])
    const reader = await enterAs(bridge, 'reader')
    const form = { act: 'view', feed: feed.id, reason: 'Leave missing', month: '2026-01-01' }
    const html = await (await reader.send(look, form)).text()
    expect(html).toContain('Leave lv_ada')
    expect(html).not.toMatch(secret)
    const entry = (await audited(bridge)).find(({ action }) => action === 'calendar_viewed')
    expect(entry).toMatchObject({
      action: 'calendar_viewed',
      label: 'Leave missing',
      actor: 'token:reader',
    })
    expect(JSON.stringify(entry)).not.toContain('Leave lv')
  })

  it('shows to others only that the person is away', async ({ admin, feed, company }) => {
    const reason = 'Privacy check'
    const form = { act: 'view', feed: feed.id, reason, month: '2026-01-01', as: 'others' }
    const html = await (await admin.send(look, form)).text()
    expect(company.records.leaves).not.toEqual({})
    expect(html).toContain('Away')
    expect(html).not.toContain('Leave lv_ada')
  })

  it('explains a day in the words of the person’s own page, in both languages', async ({
    admin,
    feed,
  }) => {
    const form = { act: 'explain', feed: feed.id, reason: 'Ticket 4711', day: '2026-01-10' }
    const english = await (await admin.send(look, form)).text()
    expect(english).toContain('10 January')
    expect(english).toContain('value="Ticket 4711"')
    const german = await (await admin.send(`${look}?lang=de`, form)).text()
    expect(german).toContain('10. Januar')
    expect((await admin.send(look, { ...form, day: 'soon' })).status).toBe(400)
  })

  it('is not possible for a calendar that has ended, or is not of this person', async ({
    bridge,
    admin,
    feed,
  }) => {
    const bobs = await bridge.createFeed({ userIds: ['usr_bob'] })
    const form = { act: 'view', reason: 'Ticket 4711' }
    expect((await admin.send(look, { ...form, feed: bobs.id })).status).toBe(404)
    await bridge.api('DELETE', `/api/feeds/${feed.id}`)
    expect((await admin.send(look, { ...form, feed: feed.id })).status).toBe(404)
    expect(await actions(bridge)).not.toContain('calendar_viewed')
  })
})

describe('what each role may', () => {
  const changes = ['make', 'link', 'rotate', 'end', 'reopen', 'revoke', 'reopen-feed', 'choices']

  it('a reader is offered no change, and each is refused', async ({ bridge, feed }) => {
    const reader = await enterAs(bridge, 'reader')
    expect(await reader.read(page)).not.toMatch(/name="act" value="(?!view|explain)/)
    for (const act of [...changes, 'data']) {
      const form = { act, feed: feed.id, link: 'default', label: 'phone', days: '0' }
      expect((await reader.send(page, form)).status).toBe(403)
    }
    expect(await actions(bridge)).toEqual(['feed_created'])
  })

  it('only an admin downloads what is kept, and that is noted', async ({ bridge, admin, feed }) => {
    const support = await enterAs(bridge, 'support')
    expect(await support.read(page)).not.toContain('value="data"')
    expect((await support.send(page, { act: 'data' })).status).toBe(403)
    const response = await admin.send(page, { act: 'data' })
    expect(response.headers.get('Content-Disposition')).toContain('attachment')
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(await response.json()).toMatchObject({ userId: 'usr_ada', feeds: [{ id: feed.id }] })
    expect(await actions(bridge)).toContain('person_exported')
  })

  it.for(roles)(
    '%s: another person’s calendar is no part of this page',
    async (role, { bridge, feed }) => {
      const bobs = await bridge.createFeed({ userIds: ['usr_bob'] })
      const session = await enterAs(bridge, role)
      const response = await session.send(page, { act: 'revoke', feed: bobs.id })
      expect(response.status).toBe(role === 'reader' ? 403 : 404)
      expect(await shown(bridge, bobs)).toMatchObject({ revokedAt: null })
      expect(feed.id).not.toBe(bobs.id)
    },
  )
})

it('Staff of one company see and change nobody of another', async ({ onTestFinished }) => {
  const companies = await startTwoCompanies()
  onTestFinished(() => companies.close())
  const { bridge, token } = companies
  const feed = await bridge.createFeed({ companyId: 'south', userIds: ['usr_zoe'] })
  const zoe = '/console/people/usr_zoe'
  const north = await enterConsole(bridge, await token('north', 'admin', 'north'))
  for (const address of [zoe, `${zoe}?company=south`]) {
    expect((await north.open(address)).status).toBe(404)
    expect((await north.send(address, { act: 'revoke', feed: feed.id })).status).toBe(404)
  }
  const erasing = { act: 'erase', userId: 'usr_zoe', name: 'Zoe Lovelace' }
  expect((await north.send('/console/erase', erasing)).status).toBe(400)
  const south = await enterConsole(bridge, await token('south', 'support', 'south'))
  expect(await south.read(zoe)).toContain('Zoe Lovelace')
  expect((await pollNow(calendarUrl(feed))).status).toBe(200)
})

describe('on PostgreSQL, which stores no U+0000', () => {
  const [, postgres] = databases
  it.override('databaseUrl', () => postgres!.createMigrated())

  it('nobody and nothing is called by it', async ({ admin, feed, logged }) => {
    for (const address of [
      'people/%00',
      'people?search=a%00b',
      'teams?search=%00',
      'people.csv?search=%00',
    ]) {
      expect([address, (await admin.open(`/console/${address}`)).status]).toEqual([address, 404])
    }
    for (const [address, fields, status] of [
      [page, { act: 'end', feed: feed.id, link: 'a\0b' }, 409],
      ['/console/erase', { who: 'a\0b' }, 400],
      ['/console/tokens', { act: 'revoke', name: 'a\0b' }, 404],
      ['/console/people', { act: 'revoke', user: 'a\0b' }, 400],
    ] as const) {
      expect([address, (await admin.send(address, fields)).status]).toEqual([address, status])
    }
    expect(logged.filter(({ event }) => event === 'request_failed')).toEqual([])
  })
})
