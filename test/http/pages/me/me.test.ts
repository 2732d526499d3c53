/* The page of anyone who has signed in, tried by hand-made requests: what is not theirs is not there. */
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { readsFrom, startBridge, type TestBridge } from '../../../support/bridge/bridge.ts'
import { createFakeClock, type FakeClock } from '../../../support/bridge/fake-clock.ts'
import { pollNow } from '../../../support/bridge/fixtures.ts'
import type { TestNode } from '../../../support/bridge/node.ts'
import {
  type Fields,
  fromOurPage,
  keyOf,
  newAddress,
  type PageReply,
  refusal,
  signIn,
  signInPerson,
  Visitor,
} from '../../../support/bridge/own-page.ts'
import { type CompanyServer, startCompanyServer } from '../../../support/company/company-server.ts'
import { leave, twoPeople } from '../../../support/company/people.ts'

const staff = { actor: 'staff:boss@sample.example', role: 'admin' } as const
const make = { action: 'make', key: keyOf('m') }

let company: CompanyServer
let clock: FakeClock
let bridge: TestBridge
let node: TestNode
let people = 0

beforeAll(async () => {
  company = await startCompanyServer()
  Object.assign(company.records, twoPeople())
  clock = createFakeClock()
  const oidc = {
    OIDC_ISSUER: 'http://127.0.0.1:9',
    OIDC_CLIENT_ID: 'bridge',
    OIDC_CLIENT_SECRET: 'a-secret-of-the-client',
    OIDC_ADMIN: 'groups=hr-admins',
  }
  bridge = await startBridge({ clock, environment: { ...readsFrom(company.url), ...oidc } })
  node = await bridge.node()
})

afterAll(async () => {
  await bridge.close()
  await company.close()
})

// What one person may send within a minute is of no concern here.
beforeEach(() => clock.advance(61_000))

interface Person {
  readonly userId: string
  readonly visitor: Visitor
  readonly send: (fields: Fields, headers?: Fields) => Promise<PageReply>
  readonly open: (path?: string) => Promise<PageReply>
}

/** Somebody new, whom the Read API knows, too. */
async function somebody(): Promise<Person> {
  people += 1
  const userId = `usr_new${people}`
  company.records.users.push({ id: userId, firstName: 'New', lastName: userId, isActive: true })
  company.records.leaves[userId] = [leave(`lv_${userId}`, '2026-01-12')]
  const visitor = await signInPerson(node, userId)
  return {
    userId,
    visitor,
    send: (fields, headers) => visitor.send(bridge.url, fields, headers),
    open: (path) => visitor.open(bridge.url, path),
  }
}

interface Owner extends Person {
  readonly feedId: string
  readonly address: string
}

/** Somebody who has a calendar. */
async function owner(): Promise<Owner> {
  const person = await somebody()
  const reply = await person.send(make)
  expect(reply.status).toBe(200)
  const [feed] = await feedsOf(person)
  return { ...person, feedId: feed!.id, address: newAddress(reply)! }
}

function feedsOf({ userId }: Person): ReturnType<TestNode['store']['feeds']['listFeeds']> {
  return node.store.feeds.listFeeds({ userIds: [userId], limit: 100 })
}

async function linksOf({ feedId }: Owner): ReturnType<TestNode['store']['links']['listLinks']> {
  return node.store.links.listLinks([feedId])
}

async function activeLinks(of: Owner): Promise<readonly string[]> {
  return (await linksOf(of)).filter(({ endsAt }) => endsAt === null).map(({ label }) => label)
}

/** All that is kept of somebody: their feeds, links, ledgers and what was done to them. */
async function kept(of: Owner): Promise<unknown> {
  const links = await linksOf(of)
  const ledgers = await Promise.all(links.map((link) => node.store.ledgers.findLedger(link)))
  return { feeds: await feedsOf(of), links, ledgers, auditEvents: await auditEvents(of) }
}

/** In the order of the alphabet: they may be of one instant. */
async function auditEvents({ userId }: Person): Promise<readonly string[]> {
  const entries = await node.access.audit.listEntries({ userId, limit: 100 })
  return entries.map(({ actor, action, label }) => `${actor} ${action} ${label}`).toSorted()
}

function formOfLink(of: Owner, more: Fields): Fields {
  return { action: 'link', feed: of.feedId, key: keyOf('l'), ...more }
}

describe('a visitor who has not signed in', () => {
  it('a visitor is always sent to sign-in; without a provider the page does not exist', async () => {
    const alone = await startBridge({ environment: readsFrom(company.url) })
    for (const visitor of [new Visitor('a=b'), new Visitor(`cfb_session=cfs_${keyOf('x')}`)]) {
      const opened = await visitor.open(bridge.url)
      expect([opened.status, opened.headers['location']]).toEqual([303, '/sign-in'])
      const sent = await visitor.send(bridge.url, make)
      expect([sent.status, sent.headers['location']]).toEqual([303, '/sign-in'])
      expect((await visitor.open(bridge.url, '/me/calendar.ics')).status).toBe(401)
      expect((await visitor.open(alone.url)).status).toBe(404)
      expect((await visitor.send(alone.url, make)).status).toBe(404)
    }
    await alone.close()
  })

  it('a visitor who is only staff is sent to the console', async () => {
    const visitor = await signIn(node, { person: null, staff })
    for (const reply of [await visitor.open(bridge.url), await visitor.send(bridge.url, make)]) {
      expect([reply.status, reply.headers['location']]).toEqual([303, '/console'])
    }
    expect((await visitor.open(bridge.url, '/me/calendar.ics')).status).toBe(401)
  })

  it('a person who has left since counts as not signed in', async () => {
    const ada = await owner()
    const { people: directory } = node.store
    const gone = { userId: ada.userId, state: 'user_missing', readAt: 3 } as const
    await directory.keepReading('main', gone, Number.MAX_SAFE_INTEGER)
    const before = await kept(ada)
    expect((await ada.open()).status).toBe(303)
    expect((await ada.send(formOfLink(ada, { label: 'phone' }))).status).toBe(303)
    expect((await ada.open('/me/calendar.ics')).status).toBe(401)
    expect(await kept(ada)).toEqual(before)
  })
})

it.each<[string, Fields]>([
  ['what says nothing', {}],
  ['a sister', { 'Sec-Fetch-Site': 'same-site' }],
  ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['what no page has opened', { 'Sec-Fetch-Site': 'none' }],
  ['a page without origin', { Origin: 'null' }],
  ['another origin', { Origin: 'https://evil.example' }],
  ['what contradicts itself', { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.example' }],
])('a form sent by %s changes nothing, signed in or not', async (_name, headers) => {
  const ada = await owner()
  const before = await kept(ada)
  const { 'Content-Type': type } = fromOurPage
  const nobody = new Visitor('a=b')
  for (const visitor of [ada.visitor, nobody]) {
    for (const fields of [make, formOfLink(ada, { label: 'phone' }), { action: 'none' }]) {
      const reply = await visitor.send(bridge.url, fields, {
        Accept: 'text/html',
        'Content-Type': type,
        ...headers,
      })
      expect(reply.status).toBe(403)
      expect(reply.text).toContain('did not come from one of our pages')
    }
  }
  expect(await kept(ada)).toEqual(before)
})

it('only forms of the own origin with exactly the fields of the page are accepted', async () => {
  const ada = await owner()
  const { 'Content-Type': type } = fromOurPage
  const own = { 'Content-Type': type, Origin: new URL(bridge.url).origin }
  expect((await ada.send(formOfLink(ada, { label: 'one' }), own)).status).toBe(200)
  const before = await kept(ada)
  const wrong: readonly Fields[] = [
    {},
    { action: 'other' },
    { ...make, userId: 'usr_bob' },
    { ...make, key: 'short' },
    { ...make, key: `${keyOf('k')}=` },
    { action: 'link', feed: ada.feedId, label: 'two' },
    formOfLink(ada, { label: 'two', detail: 'full' }),
    formOfLink(ada, { label: 'two', onlyAway: 'no' }),
    formOfLink(ada, { label: 'x'.repeat(1001) }),
    { action: 'settings', feed: ada.feedId, locale: 'fr', reminderMinutes: 'none' },
    { action: 'settings', feed: ada.feedId, locale: 'de', reminderMinutes: '-5' },
    { action: 'settings', feed: ada.feedId, locale: 'de', reminderMinutes: '99999' },
    { action: 'settings', feed: ada.feedId, locale: 'de', reminderMinutes: '5', name: 'x' },
  ]
  for (const fields of wrong)
    expect([fields, (await ada.send(fields)).status]).toEqual([fields, 400])
  const twice = `${new URLSearchParams(formOfLink(ada, { label: 'two' })).toString()}&label=three`
  const asForm = { method: 'POST', headers: fromOurPage }
  const json = { ...asForm.headers, 'Content-Type': 'application/json' }
  const at = (sent: object): Promise<PageReply> => ada.visitor.open(bridge.url, '/me', sent)
  expect((await at({ ...asForm, body: twice })).status).toBe(400)
  expect((await at({ ...asForm, headers: json, body: JSON.stringify(make) })).status).toBe(415)
  expect((await at({ ...asForm, body: `label=${'x'.repeat(5000)}` })).status).toBe(413)
  expect((await at({ method: 'PUT', headers: fromOurPage })).status).toBe(405)
  expect(await kept(ada)).toEqual(before)
})

describe('language and reminders', () => {
  it('language and reminders can change 50 times a day; beyond that the page says what to do', async () => {
    const ada = await owner()
    const settings = { action: 'settings', feed: ada.feedId, locale: 'en' }
    for (let at = 1; at <= 50; at += 1) {
      const sent = await ada.send({ ...settings, reminderMinutes: `${at}` })
      expect(sent.status).toBe(303)
    }
    expect((await ada.send({ ...settings, reminderMinutes: '50' })).status).toBe(303)
    const fromBrowser = { ...fromOurPage, Accept: 'text/html' }
    const more = { ...settings, reminderMinutes: '51' }
    const { status, headers, text } = await ada.send(more, fromBrowser)
    expect([status, headers['retry-after']]).toEqual([429, '86400'])
    expect(text).toContain('No more for today')
    const changes = (await auditEvents(ada)).filter((auditEvent) =>
      auditEvent.includes('feed_changed'),
    )
    expect(changes).toHaveLength(50)
    // HR is not held up by that.
    const patch = { options: { reminderMinutes: 60 } }
    expect((await bridge.api('PATCH', `/api/feeds/${ada.feedId}`, patch)).status).toBe(200)
    await clock.advance(86_400_000)
    expect((await ada.send(more)).status).toBe(303)
  })
})

describe('the button that makes a calendar', () => {
  it('the button makes one calendar and repeats its first answer for ten minutes', async () => {
    const ada = await owner()
    const again = await ada.send(make)
    expect([again.status, newAddress(again)]).toEqual([200, ada.address])
    const other = await ada.send({ ...make, key: keyOf('n') })
    expect([other.status, other.headers['location']]).toEqual([303, '/me'])
    await clock.advance(600_001)
    const late = await ada.send(make)
    expect([late.status, late.text]).toEqual([303, expect.not.stringContaining('cfb_')])
    expect(await feedsOf(ada)).toHaveLength(1)
    expect(await auditEvents(ada)).toEqual([`person:${ada.userId} feed_created default`])
    expect((await pollNow(ada.address)).status).toBe(200)
  })

  it('the button makes none after HR has ended the calendar, until HR creates another', async () => {
    const ada = await owner()
    await bridge.api('DELETE', `/api/feeds/${ada.feedId}`)
    for (const key of [make.key, keyOf('n')]) {
      const { status, text } = await ada.send({ ...make, key })
      expect([status, text]).toEqual([
        403,
        expect.stringMatching(/HR ended your calendar and its links on \d+/),
      ])
      expect(text).toContain('ask HR to make it')
      expect(text).not.toContain('value="make"')
    }
    const german = await ada.open('/me?lang=de')
    expect([german.status, german.text.includes('value="make"')]).toEqual([200, false])
    expect(german.text).toContain('bitten Sie die Personalabteilung darum')
    expect(await feedsOf(ada)).toHaveLength(1)
    await bridge.createFeed({ userIds: [ada.userId] })
    expect((await ada.open()).text).not.toContain('HR ended')
    expect((await ada.send({ ...make, key: keyOf('o') })).status).toBe(303)
    expect(await feedsOf(ada)).toHaveLength(2)
  })

  it('the button makes no second calendar while one is open or closed, even if another has ended', async () => {
    const ada = await owner()
    const other = await bridge.createFeed({ userIds: [ada.userId] })
    await bridge.api('DELETE', `/api/feeds/${ada.feedId}`)
    expect((await ada.send({ ...make, key: keyOf('n') })).status).toBe(303)
    const because = { closedAt: clock.now(), closedBecause: 'user_inactive' }
    await node.store.feeds.changeFeed(other.id, (feed) => ({ ...feed, ...because }))
    expect((await ada.send({ ...make, key: keyOf('o') })).status).toBe(303)
    await bridge.api('DELETE', `/api/feeds/${other.id}?purge`)
    expect((await ada.send({ ...make, key: keyOf('p') })).status).toBe(403)
    expect(await feedsOf(ada)).toHaveLength(2)
  })

  it('the button makes no calendar for a person unknown to the Read API, and the page says so', async () => {
    const ada = await somebody()
    const { users } = company.records
    const gone = users.splice(users.findIndex(({ id }) => id === ada.userId))
    const sent = await ada.send(make)
    const unknown =
      'No calendar was made: your company’s system does not list you as an employee. Ask HR.'
    expect([sent.status, refusal(sent), await feedsOf(ada)]).toEqual([400, unknown, []])
    users.push(...gone)
    expect((await ada.send(make)).status).toBe(200)
  })

  it('the button is missing while the bridge has closed the calendar, and the page says so', async () => {
    const ada = await owner()
    const { feeds } = node.store
    const because = { closedAt: clock.now(), closedBecause: 'user_inactive' }
    await feeds.changeFeed(ada.feedId, (feed) => ({ ...feed, ...because }))
    const before = await kept(ada)
    const sent = await ada.send({ ...make, key: keyOf('n') })
    expect([sent.status, sent.headers['location']]).toEqual([303, '/me'])
    expect(await kept(ada)).toEqual(before)
    for (const [path, words] of [
      ['/me', 'Your calendar is closed'],
      ['/me?lang=de', 'Ihr Kalender ist gesperrt'],
    ] as const) {
      const { status, text } = await ada.open(path)
      expect([status, text.includes(words), text.includes('value="make"')]).toEqual([
        200,
        true,
        false,
      ])
    }
    await feeds.changeFeed(ada.feedId, (feed) => ({ ...feed, closedAt: null, closedBecause: null }))
    expect((await ada.open()).text).not.toContain('is closed')
    expect((await pollNow(ada.address)).status).toBe(200)
  })
})

describe('a person’s own link', () => {
  it('a new link shows its address in that reply only', async () => {
    const ada = await owner()
    const form = formOfLink(ada, { label: '  family ', onlyAway: 'yes' })
    const reply = await ada.send(form)
    const address = newAddress(reply)!
    expect(reply.status).toBe(200)
    expect(address).not.toBe(ada.address)
    expect((await pollNow(address)).titles).toEqual(['Away'])
    expect((await pollNow(ada.address)).titles).toContain(`Leave lv_${ada.userId}`)
    const twice = await ada.send(form)
    expect([twice.status, newAddress(twice)]).toEqual([200, address])
    for (const path of ['/me', `/me?feed=${ada.feedId}`, '/me/calendar.ics', '/me?lang=de']) {
      const shown = await ada.open(path)
      expect([path, shown.status]).toEqual([path, 200])
      expect(shown.text).not.toMatch(/cf[bs]_[\w-]{43}/)
    }
    expect(await activeLinks(ada)).toEqual(['default', 'family'])
  })

  it('a link needs a label that is readable, unused and not reserved', async () => {
    const ada = await owner()
    const missing = 'No link was made: enter what the link is for.'
    const inUse = 'No link was made: you already have a link with this name. Choose another name.'
    const unfit = 'No link was made: use at most 100 characters, and not only dots.'
    const nothingSeen = 'No link was made: enter a name with visible characters.'
    const unseen = ['\u200B', ' \u2067\u202E ', '\u3164\uFFA0', '\u2800', '\u00AD\u0301']
    const mailed =
      'No link was made: “mail” is reserved for links that are emailed to replace a lost one. Choose another name.'
    const labels = ['x'.repeat(101), '.', '..', 'a\nb', 'a\u0000b', 'a\u0085b']
    const before = await kept(ada)
    for (const [label, sentence] of [
      ['', missing],
      [' \t', missing],
      ['default', inUse],
      ...unseen.map((one) => [one, nothingSeen] as const),
      [' mail ', mailed],
      ...labels.map((one) => [one, unfit] as const),
    ] as const) {
      const reply = await ada.send(formOfLink(ada, { label, onlyAway: 'yes' }))
      expect([label, reply.status, refusal(reply)]).toEqual([label, 400, sentence])
      expect(reply.text).toContain('name="onlyAway" value="yes" checked')
    }
    expect(await kept(ada)).toEqual(before)
  })

  it('a label is shown as text, whatever it contains', async () => {
    const ada = await owner()
    const label = `"><script>alert(1)</script>&amp;'`
    expect((await ada.send(formOfLink(ada, { label }))).text).not.toContain('<script>alert')
    const refused = await ada.send(formOfLink(ada, { label, key: keyOf('o') }))
    expect([refused.status, refused.text.includes('<script>alert')]).toEqual([400, false])
    expect((await ada.open()).text).not.toContain('<script>alert')
  })

  it('a label cannot reverse text on the page, and the link ends by its exact label', async () => {
    const ada = await owner()
    const label = 'home\u202E\u2069phone'
    const made = await ada.send(formOfLink(ada, { label }))
    expect(made.text).toContain('Your link “\u2068homephone\u2069” is ready.')
    const { text } = await ada.open()
    expect(text).toMatch(/<h3>\u2068homephone\u2069\s*</)
    expect(text.replaceAll(`value="${label}"`, '')).not.toMatch(/[\u202A-\u202E]/)
    await ada.send({ action: 'end', feed: ada.feedId, label, confirm: 'yes' })
    expect(await activeLinks(ada)).toEqual(['default'])
  })

  it('a person can have twenty links, but not twenty-one', async () => {
    const ada = await owner()
    const own = node.ownCalendarOf({ companyId: 'main', userId: ada.userId })
    const wanted = { isOnlyAway: false, key: keyOf('n') }
    for (let number = 2; number <= 20; number += 1) {
      await own.addLink(ada.feedId, { ...wanted, label: `device ${number}` })
    }
    const reply = await ada.send(formOfLink(ada, { label: 'one more' }))
    const most = 'No link was made: you have the maximum number of links. End one first.'
    expect([reply.status, refusal(reply)]).toEqual([400, most])
    await ada.send({ action: 'end', feed: ada.feedId, label: 'device 9', confirm: 'yes' })
    expect((await ada.send(formOfLink(ada, { label: 'one more' }))).status).toBe(200)
  })

  it('too many new links within a day are refused until tomorrow, and the page says so', async () => {
    const ada = await owner()
    const links = { label: 'default', action: 'replace', feed: ada.feedId, confirm: 'yes' }
    const replace = (number: number): Promise<PageReply> =>
      ada.send(
        { ...links, key: String(number).padStart(43, 'k') },
        { ...fromOurPage, Accept: 'text/html' },
      )
    for (let number = 1; number < 50; number += 1) expect((await replace(number)).status).toBe(200)
    const last = await replace(50)
    expect([last.status, last.text.includes('Try again tomorrow')]).toEqual([429, true])
  })

  it('a link that only says “Away” is refused where no leave is shown', async () => {
    const ada = await owner()
    await bridge.api('PATCH', `/api/feeds/${ada.feedId}`, { options: { leaves: { show: false } } })
    const reply = await ada.send(formOfLink(ada, { label: 'family', onlyAway: 'yes' }))
    expect([reply.status, refusal(reply)]).toEqual([400, expect.stringContaining('no leave')])
    expect((await ada.open()).text).not.toContain('onlyAway')
  })

  it.each(['replace', 'end'])(
    'a link is not changed by %s unless the box is ticked',
    async (action) => {
      const ada = await owner()
      const before = await kept(ada)
      const key: Fields = action === 'replace' ? { key: keyOf('r') } : {}
      const form: Fields = { action, feed: ada.feedId, label: 'default', ...key }
      const reply = await ada.send(form)
      const sentence = 'Nothing was changed: tick the box first.'
      expect([reply.status, refusal(reply)]).toEqual([400, sentence])
      expect((await ada.send({ ...form, confirm: 'no' })).status).toBe(400)
      expect(await kept(ada)).toEqual(before)
    },
  )

  it('a link is replaced and ended, and each is audited once as done by the person', async () => {
    const ada = await owner()
    const replace = { action: 'replace', feed: ada.feedId, label: 'default', confirm: 'yes' }
    const form = { ...replace, key: keyOf('r') }
    const address = newAddress(await ada.send(form))!
    expect(newAddress(await ada.send(form))).toBe(address)
    expect((await pollNow(ada.address)).status).toBe(410)
    expect((await pollNow(address)).status).toBe(200)
    await clock.advance(600_001)
    const late = await ada.send(form)
    expect([late.status, refusal(late)]).toEqual([400, expect.stringContaining('already sent')])
    const end = { action: 'end', feed: ada.feedId, label: 'default', confirm: 'yes' }
    expect((await ada.send(end)).status).toBe(303)
    expect((await ada.send(end)).status).toBe(404)
    expect((await ada.send(form)).status).toBe(404)
    expect((await pollNow(address)).status).toBe(410)
    const settings = { action: 'settings', feed: ada.feedId, locale: 'de', reminderMinutes: '30' }
    expect((await ada.send(settings)).status).toBe(303)
    expect((await ada.send(settings)).status).toBe(303)
    expect(await auditEvents(ada)).toEqual([
      `person:${ada.userId} feed_changed null`,
      `person:${ada.userId} feed_created default`,
      `person:${ada.userId} link_ended default`,
      `person:${ada.userId} link_replaced default`,
    ])
  })

  it('a link that HR has set to end can no longer be changed by the person', async () => {
    const ada = await owner()
    await bridge.api('POST', `/api/feeds/${ada.feedId}/rotations`, { graceDays: 7 })
    const old = (await linksOf(ada)).find(({ endsAt }) => endsAt !== null)
    const before = await kept(ada)
    for (const action of ['replace', 'end']) {
      const key: Fields = action === 'replace' ? { key: keyOf('r') } : {}
      const form = { action, feed: ada.feedId, label: old!.label, confirm: 'yes', ...key }
      expect((await ada.send(form)).status).toBe(403)
    }
    expect(await kept(ada)).toEqual(before)
    const { text } = await ada.open()
    expect(text).toContain('HR has replaced it')
    expect([text.split('<h3>First link').length, text.includes('rotated')]).toEqual([3, false])
  })
})

describe('language and reminder', () => {
  it('the settings form changes only language and reminder', async () => {
    const ada = await owner()
    const [before] = await feedsOf(ada)
    await ada.send({ action: 'settings', feed: ada.feedId, locale: 'de', reminderMinutes: '30' })
    expect(await feedsOf(ada)).toEqual([
      {
        ...before!,
        revision: before!.revision + 1,
        locale: 'de',
        isLocaleSet: true,
        // Nobody has named it, so its name is in its language.
        name: 'News Arbeitskalender',
        ownOptions: { ...before!.ownOptions, reminderMinutes: 30 },
        options: { ...before!.options, reminderMinutes: 30 },
      },
    ])
  })

  it('language and reminder are set by HR alone where self-service is off', async () => {
    const ada = await owner()
    await bridge.api('PATCH', `/api/feeds/${ada.feedId}`, { options: { selfService: false } })
    const before = await kept(ada)
    const form = { action: 'settings', feed: ada.feedId, locale: 'de', reminderMinutes: '30' }
    expect((await ada.send(form)).status).toBe(403)
    expect(await kept(ada)).toEqual(before)
    expect((await ada.open()).text).not.toContain('value="settings"')
  })
})

it('the calendar of the page needs a sign-in and leaves no trace in any link', async () => {
  const ada = await owner()
  const before = await kept(ada)
  const calendar = await ada.open(`/me/calendar.ics?feed=${ada.feedId}`)
  expect(calendar.status).toBe(200)
  expect(calendar.headers['cache-control']).toBe('no-store')
  expect(calendar.headers['content-type']).toBe('text/calendar; charset=utf-8')
  expect(calendar.text).toContain(`SUMMARY:Leave lv_${ada.userId}`)
  await ada.open()
  expect(await kept(ada)).toEqual(before)
  await pollNow(ada.address)
  expect(await kept(ada)).not.toEqual(before)
})

it('no page is stored, runs inline code or can be framed', async () => {
  const ada = await owner()
  const bob = await somebody()
  const replies = [
    await ada.open(),
    await bob.open(),
    await ada.send(formOfLink(ada, { label: 'phone' })),
    await ada.send(formOfLink(ada, { label: '' })),
  ]
  for (const { headers } of replies) {
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['referrer-policy']).toBe('same-origin')
    const policy = String(headers['content-security-policy'])
    expect(policy).not.toContain('unsafe')
    for (const part of ["frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"]) {
      expect(policy).toContain(part)
    }
  }
})

it('ids, labels and keys of another person change and show nothing of theirs', async () => {
  const [mine, theirs] = [await owner(), await owner()]
  const secret = { label: 'their-phone', key: keyOf('t') }
  await theirs.send(formOfLink(theirs, secret))
  const before = await kept(theirs)
  const feed = fc.constantFrom(theirs.feedId, theirs.feedId, mine.feedId, theirs.userId, '', '*')
  const label = fc.constantFrom(secret.label, 'default', theirs.userId, theirs.feedId)
  const key = fc.constantFrom(secret.key, make.key, keyOf('z'))
  const confirm = fc.constant('yes')
  const forms = fc.oneof(
    fc.record({ action: fc.constant('make'), key }),
    fc.record(
      { action: fc.constant('replace'), feed, label, key, confirm },
      { requiredKeys: ['action', 'feed', 'label', 'key'] },
    ),
    fc.record({ action: fc.constant('end'), feed, label, confirm }),
    fc.record({ action: fc.constant('choices'), feed, label, show: fc.constant('leaves') }),
    fc.record(
      { action: fc.constant('link'), feed, label, key, onlyAway: confirm },
      {
        requiredKeys: ['action', 'feed', 'label', 'key'],
      },
    ),
    fc.record({
      action: fc.constant('settings'),
      feed,
      locale: fc.constantFrom('en', 'de'),
      reminderMinutes: fc.constantFrom('none', '30'),
    }),
  )
  await fc.assert(
    fc.asyncProperty(forms, async (form) => {
      await clock.advance(1001)
      const sent: Fields = JSON.parse(JSON.stringify(form))
      const replies = [await mine.send(sent), await mine.open(`/me?feed=${sent['feed'] ?? ''}`)]
      replies.push(await mine.open(`/me/calendar.ics?feed=${sent['feed'] ?? ''}`))
      if (sent['feed'] !== undefined && sent['feed'] !== mine.feedId) {
        for (const { status } of replies) expect([400, 404]).toContain(status)
      }
      for (const { text } of replies) {
        expect(text).not.toContain(theirs.address.split('/')[4])
        expect(text).not.toContain(`Leave lv_${theirs.userId}`)
        expect(text).not.toContain(`New ${theirs.userId}`)
      }
      expect(await kept(theirs)).toEqual(before)
    }),
    { numRuns: 20, endOnFailure: true },
  )
})
