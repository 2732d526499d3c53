/* What people do with their own links since they can sign in, done with a database of the release before that. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type FeedAnswer, startBridge, type TestBridge } from '../support/bridge.ts'
import { databases } from '../support/databases.ts'
import { createSkippingClock } from '../support/fake-clock.ts'
import { pollNow } from '../support/fixtures.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { keyOf, newAddress, signIn, type Visitor } from '../support/own-page.ts'
import { readCalendar } from '../support/read-calendar.ts'
import { readMail } from '../support/read-mail.ts'
import {
  calendarPath,
  calendarOf,
  readRelease,
  restoreRelease,
} from '../support/release-fixture.ts'

/** Two people of the same id, by their companies. */
const adas = { main: 'Ada Lovelace', us: 'Ada Other' } as const

/** What the holders of the links of one feed have chosen, by their labels. */
const chosen = {
  default: {},
  'phone 📱 (rotated 2026-03-02)': { hide: ['tasks', 'invoices'], detail: 'type', locale: 'de' },
  'phone 📱': {},
  Büro: { locale: 'de', reminderMinutes: 15 },
  family: { hide: ['shifts', 'timesheets', 'tasks', 'invoices'], detail: 'absent' },
  ended: {},
  'given up': {},
  'replaced (rotated 2026-03-02)': { hide: ['timesheets', 'tasks', 'invoices'], detail: 'type' },
  replaced: {},
  late: { hide: ['shifts', 'timesheets', 'invoices'], detail: 'type' },
  purged: {},
}

describe.each(databases)('a $name database of release 0.3', ({ name, create }) => {
  const release = readRelease('0.3')
  const kind = name === 'SQLite' ? 'sqlite' : 'postgres'
  let mail: MailServer
  let bridge: TestBridge

  beforeAll(async () => {
    const databaseUrl = await create()
    await restoreRelease(release, databaseUrl)
    mail = await startMailServer()
    const environment = {
      ...release.environment,
      ...mail.environment,
      DATABASE_URL: databaseUrl,
      // Nobody is there: who signs in is signed in by the test.
      OIDC_ISSUER: 'http://127.0.0.1:9',
      OIDC_CLIENT_ID: 'bridge',
      OIDC_CLIENT_SECRET: 'a-secret-of-the-client',
    }
    bridge = await startBridge({ clock: createSkippingClock(release.instant), environment })
  })

  afterAll(async () => {
    await bridge.close()
    await mail.close()
  })

  async function ask<T>(method: string, address: string, body?: unknown): Promise<T> {
    const answer = await bridge.api(method, address, body)
    const text = await answer.text()
    expect(`${answer.status} ${text}`).toMatch(/^2/)
    return JSON.parse(text || 'null')
  }

  async function feedNamed(feedName: string, companyId = 'main'): Promise<FeedAnswer> {
    const address = `/api/feeds?limit=100&companyId=${companyId}`
    const { data } = await ask<{ data: readonly FeedAnswer[] }>('GET', address)
    return data.find((feed) => feed['name'] === feedName)!
  }

  const link = (what: string) => release.links.find((some) => some.what === what)!
  const urlOf = (what: string): string => bridge.url + calendarPath(link(what), kind)
  const chosenNow = async (id: string): Promise<unknown> => {
    const { links } = await ask<{ links: readonly Record<string, unknown>[] }>(
      'GET',
      `/api/feeds/${id}`,
    )
    return Object.fromEntries(links.map(({ label, choices }) => [label, choices]))
  }

  it('says of nothing who did it, has no tokens, and keeps the choices of each link', async () => {
    expect(await ask('GET', '/api/audit')).toEqual({ data: [], nextCursor: null })
    expect(await ask('GET', '/api/tokens')).toEqual({ data: [], nextCursor: null })
    const { id } = await feedNamed("Ada's work calendar")
    expect(await chosenNow(id)).toEqual(chosen)
  })

  it('a link that hides all but leaves was not made only to say "Away": its holder may show more, and each event goes on counting', async () => {
    const what = 'own, several links, all but leaves hidden and no detail'
    const before = readCalendar(calendarOf(link(what))!.toString())
    const page = urlOf(what).replace(/\/[^/]*$/, '')
    const body = new URLSearchParams('show=leaves&show=shifts&detail=full')
    const headers = { 'Sec-Fetch-Site': 'same-origin' }
    await fetch(page, { method: 'POST', body, headers, redirect: 'manual' })
    const { text, titles } = await pollNow(urlOf(what))
    expect(titles).toEqual(['Day shift', 'Halber Tag', 'Überstunden'])
    for (const { uid, sequence } of readCalendar(text).values()) {
      const known = before.get(uid)
      expect([uid, sequence]).toEqual([uid, known ? known.sequence + 1 : 0])
    }
    expect([...before.keys()].every((uid) => text.includes(uid))).toBe(true)
    const { id } = await feedNamed("Ada's work calendar")
    const family = { hide: ['timesheets', 'tasks', 'invoices'] }
    expect(await chosenNow(id)).toEqual({ ...chosen, family })
  })

  async function visitor(companyId: keyof typeof adas, userId = 'usr_ada'): Promise<Visitor> {
    const person = { companyId, userId }
    return signIn(await bridge.node(), { person, staff: null })
  }

  it('each person finds their own links of before, and nobody else’s of the same id', async () => {
    for (const companyId of ['main', 'us'] as const) {
      const other = companyId === 'main' ? 'us' : 'main'
      const own = await feedNamed("Ada's work calendar", companyId)
      const foreign = await feedNamed("Ada's work calendar", other)
      const person = await visitor(companyId)
      const { text } = await person.open(bridge.url, `/me?feed=${own.id}`)
      expect(text).toContain(adas[companyId])
      expect([text.includes(adas[other]), text.includes('class="badge"')]).toEqual([false, false])
      expect((await person.open(bridge.url, `/me?feed=${foreign.id}`)).status).toBe(404)
    }
    const { id } = await feedNamed("Ada's work calendar")
    const { text } = await (await visitor('main')).open(bridge.url, `/me?feed=${id}`)
    const shown = [...text.matchAll(/name="label" value="([^"]+)"/g)].map(([, label]) => label)
    const held = ['Büro', 'default', 'family', 'late', 'phone 📱', 'replaced']
    expect([...new Set(shown)].toSorted()).toEqual(held)
  })

  it('a person makes another link, ends one of before, and sets the calendar', async () => {
    const person = await visitor('main')
    const { id: feed } = await feedNamed("Ada's work calendar")
    const away = { action: 'link', feed, label: 'door', key: keyOf('d'), onlyAway: 'yes' }
    const made = await person.send(bridge.url, away)
    expect((await pollNow(newAddress(made)!)).titles).toEqual(['Away'])
    const end = { action: 'end', feed, label: 'Büro', confirm: 'yes' }
    expect((await person.send(bridge.url, end)).status).toBe(303)
    await person.send(bridge.url, { action: 'settings', feed, locale: 'de', reminderMinutes: '30' })
    const german = 'own, several links, with an alarm and in German'
    expect((await pollNow(urlOf(german))).status).toBe(410)
    expect((await pollNow(urlOf('own, several links, the first'))).text).toContain('TRIGGER:-PT30M')
    type Audit = { data: readonly Record<'actor' | 'action' | 'label', string | null>[] }
    const { data } = await ask<Audit>('GET', `/api/audit?feedId=${feed}`)
    const deeds = data.map(({ actor, action, label }) => `${actor} ${action} ${label}`)
    expect(deeds.toSorted()).toEqual([
      'holder choices_changed family',
      'person:usr_ada feed_changed null',
      'person:usr_ada link_created door',
      'person:usr_ada link_ended Büro',
    ])
  })

  it('nobody is signed in any more who had left, and who has no calendar is offered one', async () => {
    expect((await (await visitor('main', 'usr_cleo')).open(bridge.url)).status).toBe(303)
    const { status, text } = await (await visitor('main', 'usr_mia')).open(bridge.url)
    expect([status, text.includes('value="make"')]).toEqual([200, true])
  })

  it('who has lost their link is found by the address that the directory had already', async () => {
    const asked = ['team@sample.example', 'cleo@sample.example', 'mia@sample.example']
    for (const email of [...asked, 'ada.LOVELACE@sample.example', 'Kim@west.example']) {
      const headers = { Origin: bridge.url }
      const body = new URLSearchParams({ email })
      const answer = await fetch(`${bridge.url}/lost-link`, { method: 'POST', headers, body })
      expect(answer.status).toBe(200)
    }
    await mail.receivedFor('kim@west.example')
    const to = mail.mails.flatMap((sent) => sent.to)
    expect(to).toEqual(['Ada.Lovelace@sample.example', 'kim@west.example'])
    const [text = ''] = readMail(mail.mails[0]!.raw).parts.map((part) => part.text)
    const [page = ''] = /http:\S+\/feeds\/cfb_[\w-]{43}/.exec(text) ?? []
    // The link before is kept by the time the next one is mailed.
    expect((await fetch(page)).status).toBe(200)
  })

  it('ADMIN_TOKEN may do everything with what the release has kept', async () => {
    const desk = { name: 'desk', role: 'reader' }
    const { token } = await ask<{ token: string }>('POST', '/api/tokens', desk)
    const headers = { Authorization: `Bearer ${token}` }
    expect((await fetch(`${bridge.url}/api/feeds`, { headers })).status).toBe(200)
    await ask('DELETE', '/api/tokens/desk')
    const { id } = await feedNamed('Team „Süd“')
    const label = 'Küche'
    const { url } = await ask<{ url: string }>('POST', `/api/feeds/${id}/rotations`, { label })
    expect((await pollNow(url)).text).toContain('Zoë')
    await ask('PATCH', `/api/feeds/${id}`, { name: 'Team „Nord“' })
    const erasure = { userId: 'usr_zoe', companyId: 'main' }
    expect(await ask('POST', '/api/erasures', erasure)).toMatchObject({ changedFeeds: [{ id }] })
    expect((await pollNow(urlOf('reminders, New York, in German'))).status).toBe(404)
    const { text } = await pollNow(url)
    expect([text.includes('Team „Nord“'), text.includes('Zoë')]).toEqual([true, false])
    expect(JSON.stringify(await ask('GET', '/api/audit?limit=100'))).not.toContain('usr_zoe')
  })
})
