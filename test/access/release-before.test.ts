/* What people and staff do, done with a database of a release before: 0.3, before they could sign in, and 0.4, where they had. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type FeedAnswer, startBridge, type TestBridge } from '../support/bridge/bridge.ts'
import { createSkippingClock } from '../support/bridge/fake-clock.ts'
import { pollNow } from '../support/bridge/fixtures.ts'
import { keyOf, newAddress, signIn, Visitor } from '../support/bridge/own-page.ts'
import { readCalendar } from '../support/calendar/read-calendar.ts'
import { databases } from '../support/database/databases.ts'
import {
  calendarPath,
  calendarOf,
  readRelease,
  restoreRelease,
} from '../support/release/release-fixture.ts'
import { type MailServer, startMailServer } from '../support/web/mail-server.ts'
import { readMail } from '../support/web/read-mail.ts'

/** Before a lost link is mailed; no poll is given up for lasting longer. */
const longestPauseMs = 5000

/** Two people of the same id, by their companies. */
const adas = { main: 'Ada Lovelace', us: 'Ada Other' } as const

/** What is chosen for the links of one feed of 0.3, by their labels. */
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

/** Those that are there in 0.4. */
const chosenIn04 = {
  default: {},
  'phone 📱 (rotated 2026-10-21)': { hide: ['timesheets', 'tasks', 'invoices'], detail: 'type' },
  'phone 📱': {},
  Büro: {
    hide: ['timesheets', 'tasks', 'invoices'],
    detail: 'absent',
    locale: 'de',
    reminderMinutes: 15,
  },
  tablet: {},
  'replaced (rotated 2026-10-21)': {},
  replaced: {},
  ended: {},
  family: {
    hide: ['shifts', 'timesheets', 'tasks', 'invoices'],
    detail: 'absent',
  },
  late: {},
}

/** What is told of Ada's leaves there to those who may know no more. */
const onlyAway = ['Away', 'Away (half day)', 'Away (pending)']

type AuditPage = {
  readonly data: readonly Record<'actor' | 'action' | 'label', string | null>[]
}

const restored = (['0.3', '0.4'] as const).flatMap((version) =>
  databases.map((database) => ({ ...database, version })),
)

describe.each(restored)('a $name database of release $version', ({ name, create, version }) => {
  const release = readRelease(version)
  const kind = name === 'SQLite' ? 'sqlite' : 'postgres'
  let mail: MailServer
  let bridge: TestBridge

  beforeAll(async () => {
    const databaseUrl = await create()
    await restoreRelease(release, databaseUrl)
    mail = await startMailServer()
    const environment = {
      // Nobody is there: who signs in is signed in by the test.
      OIDC_ISSUER: 'http://127.0.0.1:9',
      OIDC_CLIENT_ID: 'bridge',
      OIDC_CLIENT_SECRET: 'a-secret-of-the-client',
      ...release.environment,
      ...mail.environment,
      DATABASE_URL: databaseUrl,
    }
    bridge = await startBridge({
      clock: createSkippingClock(release.instant, longestPauseMs),
      environment,
    })
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

  it.runIf(version === '0.3')(
    'Has no audit entries and no tokens, and keeps the choices of each link',
    async () => {
      expect(await ask('GET', '/api/audit')).toEqual({ data: [], nextCursor: null })
      expect(await ask('GET', '/api/tokens')).toEqual({ data: [], nextCursor: null })
      const { id } = await feedNamed("Ada's work calendar")
      expect(await chosenNow(id)).toEqual(chosen)
    },
  )

  it.runIf(version === '0.3')(
    'A link hiding all but leaves is not "Away" only: its holder may show more; SEQUENCE continues',
    async () => {
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
    },
  )

  async function askForLinks(...addresses: readonly string[]): Promise<void> {
    for (const email of addresses) {
      const headers = { Origin: bridge.url }
      const body = new URLSearchParams({ email })
      const answer = await fetch(`${bridge.url}/lost-link`, { method: 'POST', headers, body })
      expect(answer.status).toBe(200)
    }
  }

  /** The address in the first mail. */
  function mailedPage(): string {
    const [text = ''] = readMail(mail.mails[0]!.raw).parts.map((part) => part.text)
    return /http:\S+\/feeds\/cfb_[\w-]{43}/.exec(text)?.[0] ?? ''
  }

  async function visitor(companyId: keyof typeof adas, userId = 'usr_ada'): Promise<Visitor> {
    const person = { companyId, userId }
    return signIn(await bridge.node(), { person, staff: null })
  }

  it.runIf(version === '0.4')(
    'Sessions stay valid, and each token opens what it did before',
    async () => {
      const { session, apiTokens } = release.secrets![kind]
      const { status, text } = await new Visitor(session).open(bridge.url)
      expect([status, text.includes('Ada Lovelace')]).toEqual([200, true])
      const opened = async (token: string, address: string): Promise<number> => {
        const headers = { Authorization: `Bearer ${apiTokens[token]}` }
        return (await fetch(bridge.url + address, { headers })).status
      }
      const { id } = await feedNamed("Ada's work calendar")
      for (const [token, statuses] of Object.entries({
        west: [200, 404, 403],
        desk: [200, 200, 403],
        chief: [200, 200, 200],
      })) {
        const addresses = ['/api/feeds', `/api/feeds/${id}`, '/api/tokens']
        const found = await Promise.all(addresses.map((address) => opened(token, address)))
        expect([token, ...found]).toEqual([token, ...statuses])
      }
    },
  )

  it.runIf(version === '0.4')('The audit log and the choices of each link are kept', async () => {
    const { id } = await feedNamed("Ada's work calendar")
    expect(await chosenNow(id)).toEqual(chosenIn04)
    const { data } = await ask<AuditPage>('GET', `/api/audit?feedId=${id}`)
    const others = data.filter(({ actor }) => actor !== 'admin')
    expect(others.map(({ actor, action, label }) => `${actor} ${action} ${label}`)).toEqual(
      expect.arrayContaining([
        'person:usr_ada feed_changed null',
        'person:usr_ada link_created family',
        'token:desk link_ended ended',
        'holder link_replaced replaced',
        'holder link_ended tablet',
        'holder choices_changed Büro',
        'holder choices_changed phone 📱',
      ]),
    )
    expect(others).toHaveLength(7)
  })

  it.runIf(version === '0.4')(
    'A link only for "Away" shows nothing else, whatever is chosen on its page',
    async () => {
      const url = urlOf('own, only "Away"')
      const before = await pollNow(url)
      const headers = { 'Sec-Fetch-Site': 'same-origin' }
      const body = new URLSearchParams('show=leaves&show=shifts&detail=full')
      const page = url.replace(/\/[^/]*$/, '')
      await fetch(page, { method: 'POST', body, headers, redirect: 'manual' })
      expect((await pollNow(url)).titles).toEqual(before.titles)
      expect(before.titles.toSorted()).toEqual(onlyAway)
    },
  )

  it('People find their own earlier links, and not those of another person with the same id', async () => {
    for (const companyId of ['main', 'us'] as const) {
      const other = companyId === 'main' ? 'us' : 'main'
      const own = await feedNamed("Ada's work calendar", companyId)
      const foreign = await feedNamed("Ada's work calendar", other)
      const person = await visitor(companyId)
      const { text } = await person.open(bridge.url, `/me?feed=${own.id}`)
      expect(text).toContain(adas[companyId])
      const isOneOnlyAway = version === '0.4' && companyId === 'main'
      const badges = text.split('class="badge"').length - 1
      expect([text.includes(adas[other]), badges]).toEqual([false, isOneOnlyAway ? 1 : 0])
      expect((await person.open(bridge.url, `/me?feed=${foreign.id}`)).status).toBe(404)
    }
    const { id } = await feedNamed("Ada's work calendar")
    const { text } = await (await visitor('main')).open(bridge.url, `/me?feed=${id}`)
    // Those that can be ended.
    const ends = text.matchAll(/value="end"><input[^>]*><input[^>]* name="label" value="([^"]+)"/g)
    const shown = [...ends].map(([, label]) => label)
    const held = ['Büro', 'default', 'family', 'late', 'phone 📱', 'replaced']
    expect([...new Set(shown)].toSorted()).toEqual(held)
  })

  it.runIf(version === '0.4')(
    'A person makes another link, ends an earlier one and changes the calendar settings',
    async () => {
      const person = await visitor('main')
      const { id: feed } = await feedNamed("Ada's work calendar")
      const door = { action: 'link', feed, label: 'door', key: keyOf('d'), onlyAway: 'yes' }
      const made = await person.send(bridge.url, door)
      expect((await pollNow(newAddress(made)!)).titles.toSorted()).toEqual(onlyAway)
      const end = { action: 'end', feed, label: 'Büro', confirm: 'yes' }
      expect((await person.send(bridge.url, end)).status).toBe(303)
      await person.send(bridge.url, {
        action: 'settings',
        feed,
        locale: 'de',
        reminderMinutes: '30',
      })
      const german = 'own, in German, with an alarm, little shown'
      expect((await pollNow(urlOf(german))).status).toBe(410)
      expect((await pollNow(urlOf('own, the first'))).text).toContain('TRIGGER:-PT30M')
      const since = new Date(release.instant).toISOString()
      const { data } = await ask<AuditPage>('GET', `/api/audit?feedId=${feed}&since=${since}`)
      const done = data.map(({ actor, action, label }) => `${actor} ${action} ${label}`)
      expect(done.toSorted()).toEqual([
        'person:usr_ada feed_changed null',
        'person:usr_ada link_created door',
        'person:usr_ada link_ended Büro',
      ])
    },
  )

  it.runIf(version === '0.3')(
    'A person who left is signed out, and a person without a calendar is offered one',
    async () => {
      expect((await (await visitor('main', 'usr_cleo')).open(bridge.url)).status).toBe(303)
      const { status, text } = await (await visitor('main', 'usr_mia')).open(bridge.url)
      expect([status, text.includes('value="make"')]).toEqual([200, true])
    },
  )

  it.runIf(version === '0.3')(
    'A person with a lost link is found by the address already in the directory',
    async () => {
      const asked = ['team@sample.example', 'cleo@sample.example', 'mia@sample.example']
      await askForLinks(...asked, 'ada.LOVELACE@sample.example', 'Kim@west.example')
      await mail.receivedFor('kim@west.example')
      const to = mail.mails.flatMap((sent) => sent.to)
      expect(to).toEqual(['Ada.Lovelace@sample.example', 'kim@west.example'])
      // The link before is kept by the time the next one is mailed.
      expect((await fetch(mailedPage())).status).toBe(200)
    },
  )

  it.runIf(version === '0.4')(
    'After ending their only link, a person can make another one to the same calendar',
    async () => {
      const { id: feed } = await feedNamed("Zoë's work calendar")
      const person = await visitor('main', 'usr_zoe')
      const made = await person.send(bridge.url, {
        action: 'link',
        feed,
        label: 'again',
        key: keyOf('z'),
      })
      expect((await pollNow(newAddress(made)!)).titles).toContain('Leave lv_zoe')
      expect((await pollNow(urlOf('own, the only link ended'))).status).toBe(410)
    },
  )

  it.runIf(version === '0.4')(
    'A mailed link ends once the next one is polled, and a person who left gets none',
    async () => {
      expect((await (await visitor('main', 'usr_cleo')).open(bridge.url)).status).toBe(303)
      await askForLinks('cleo@sample.example', 'mia@sample.example', 'sakura@sample.example')
      await askForLinks('kim@west.example')
      await mail.receivedFor('kim@west.example')
      expect(mail.mails.flatMap(({ to }) => to)).toEqual([
        'sakura@sample.example',
        'kim@west.example',
      ])
      expect((await pollNow(`${mailedPage()}/calendar.ics`)).status).toBe(200)
      expect((await pollNow(urlOf('own, mailed, nobody has asked yet'))).status).toBe(410)
      expect((await pollNow(urlOf('own, mailed and asked for'))).status).toBe(200)
    },
  )

  it.runIf(version === '0.4')(
    'ADMIN_TOKEN can change everything that the release has stored',
    async () => {
      await ask('DELETE', '/api/tokens/desk')
      const { desk } = release.secrets![kind].apiTokens
      const headers = { Authorization: `Bearer ${desk}` }
      expect((await fetch(`${bridge.url}/api/feeds`, { headers })).status).toBe(401)
      const { id } = await feedNamed('Küche')
      const label = 'Küche'
      const { url } = await ask<{ url: string }>('POST', `/api/feeds/${id}/rotations`, { label })
      expect((await pollNow(url)).text).toContain('Bob')
      await ask('PATCH', `/api/feeds/${id}`, { name: 'Team „Nord“' })
      const erasure = { userId: 'usr_bob', companyId: 'main' }
      expect(await ask('POST', '/api/erasures', erasure)).toMatchObject({ changedFeeds: [{ id }] })
      expect((await pollNow(urlOf('own, mailed and asked for'))).status).toBe(404)
      const { text } = await pollNow(url)
      expect([text.includes('Team „Nord“'), text.includes('Bob')]).toEqual([true, false])
      expect(JSON.stringify(await ask('GET', '/api/audit?limit=100'))).not.toContain('usr_bob')
    },
  )
})
