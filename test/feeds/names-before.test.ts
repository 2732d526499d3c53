/* Names and choices that 0.5 stored: names stay until somebody chooses another language, and tables sent again make nobody a second calendar. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import {
  adminToken,
  type FeedAnswer,
  readsFrom,
  startBridge,
  type TestBridge,
} from '../support/bridge/bridge.ts'
import { createFakeClock } from '../support/bridge/fake-clock.ts'
import { pollNow } from '../support/bridge/fixtures.ts'
import { keyOf, newAddress } from '../support/bridge/own-page.ts'
import { type CompanyServer, startCompanyServer } from '../support/company/company-server.ts'
import { databases } from '../support/database/databases.ts'
import { releaseRecords } from '../support/release/release-companies.ts'
import { calendarPath, readRelease, restoreRelease } from '../support/release/release-fixture.ts'

const names = {
  usr_ada: 'Arbeitskalender von Ada',
  usr_bob: 'Arbeitskalender von Bob',
  usr_cleo: "Cleo's work calendar",
  usr_dan: 'Dan, Lager „Süd“',
  usr_eve: "Eve's work calendar",
  usr_jonas: 'Arbeitskalender von Jonas',
  usr_mia: "Mia's Work Calendar",
  usr_nameless: 'Work calendar',
}

/** Those whose calendar nobody has named. */
const unnamed = ['usr_ada', 'usr_bob', 'usr_cleo', 'usr_eve', 'usr_jonas', 'usr_nameless'] as const

describe.each(databases)('a $name database of release 0.5', ({ name, create }) => {
  const release = readRelease('0.5')
  const kind = name === 'SQLite' ? 'sqlite' : 'postgres'
  let company: CompanyServer
  let bridge: TestBridge

  beforeAll(async () => {
    const databaseUrl = await create()
    await restoreRelease(release, databaseUrl)
    company = await startCompanyServer()
    Object.assign(company.records, releaseRecords())
    const environment = { ...readsFrom(company.url), DATABASE_URL: databaseUrl }
    bridge = await startBridge({ clock: createFakeClock(release.instant), environment })
  })

  afterAll(async () => {
    await bridge.close()
    await company.close()
  })

  const urlOf = (what: string): string =>
    bridge.url +
    calendarPath(
      release.links.find((link) => link.what === what)!,
      kind,
    )

  async function feeds(): Promise<readonly FeedAnswer[]> {
    const list = await bridge.api('GET', '/api/feeds?limit=100')
    const { data } = (await list.json()) as { data: readonly FeedAnswer[] }
    return data.filter(({ revokedAt }) => revokedAt === null)
  }

  async function namesNow(): Promise<object> {
    const own = (await feeds()).filter(({ audience }) => audience === 'own')
    return Object.fromEntries(own.map((feed) => [[feed['userIds']].flat()[0], feed['name']]))
  }

  async function feedOf(userId: string): Promise<FeedAnswer> {
    const all = await feeds()
    return all.find((feed) => feed['audience'] === 'own' && [feed['userIds']].flat()[0] === userId)!
  }

  async function choicesOf(userId: string, label: string): Promise<unknown> {
    const { links } = await feedOf(userId)
    return links.map((link) => Object(link)).find((link) => link.label === label).choices
  }

  async function hold(calendar: string, form: string): Promise<string> {
    const page = calendar.replace(/\/[^/]+$/, '')
    const headers = { 'Sec-Fetch-Site': 'same-origin' }
    const body = new URLSearchParams(form)
    const answer = await fetch(page, { method: 'POST', body, headers, redirect: 'manual' })
    expect(answer.status).toBeLessThan(400)
    return answer.text()
  }

  const nameIn = ({ text }: { readonly text: string }): string | undefined =>
    /^X-WR-CALNAME:(.*)$/m.exec(text)?.[1]?.replaceAll('\\', '')

  /** Sends people as a table, and tells what became of each row. */
  async function send(rows: readonly string[]): Promise<readonly string[]> {
    const answer = await fetch(`${bridge.url}/api/feeds`, {
      method: 'POST',
      body: ['userId,name,locale', ...rows].join('\n'),
      headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'text/csv' },
    })
    const { data } = (await answer.json()) as { data: readonly { readonly status: string }[] }
    return data.map(({ status }) => status)
  }

  async function expectNoSecondCalendar(): Promise<void> {
    const before = await feeds()
    for (const locale of ['de', 'en', '']) {
      const found = await send(unnamed.map((userId) => `${userId},,${locale}`))
      expect([locale, ...found]).toEqual([locale, ...unnamed.map(() => 'skipped')])
    }
    expect(await feeds()).toHaveLength(before.length)
  }

  it('keeps all names, and gives no calendar colours', async () => {
    expect(await namesNow()).toEqual(names)
    const options = (await feeds()).map((feed) => Object(feed['ownOptions']).colors)
    expect(options).toEqual(options.map(() => false))
  })

  // A name that stayed when its holder chose a language is one that somebody has set.
  it('follows the company where nobody chose a language or name, and is as before without', async () => {
    const set = async (defaults: object | null): Promise<void> => {
      const answer = await bridge.api('PATCH', '/api/companies/main', { defaults })
      expect(answer.status).toBe(200)
    }
    await set({ locale: 'de' })
    const german = {
      ...names,
      usr_eve: 'Eves Arbeitskalender',
      usr_nameless: 'Arbeitskalender',
    }
    expect(await namesNow()).toEqual(german)
    await expectNoSecondCalendar()
    await set({ name: '{firstName}: Dienste' })
    expect(await namesNow()).toEqual({
      ...names,
      usr_ada: 'Ada: Dienste',
      usr_eve: 'Eve: Dienste',
      usr_jonas: 'Jonas: Dienste',
      usr_nameless: 'Arbeitskalender',
    })
    await expectNoSecondCalendar()
    await set(null)
    expect(await namesNow()).toEqual(names)
  })

  it('makes no second calendar when its people are sent again, in either language', async () => {
    await expectNoSecondCalendar()
    const set = [`usr_dan,"${names.usr_dan}",de`, `usr_mia,"${names.usr_mia}",`]
    expect(await send(set)).toEqual(['skipped', 'skipped'])
    const again = { userIds: ['usr_ada'], locale: 'en', options: { shifts: { scheduleIds: [] } } }
    const made = await bridge.createFeed(again)
    const { id } = await feedOf('usr_ada')
    expect(JSON.stringify(made['warnings'])).toContain(`open feed of this name already: ${id}`)
    await bridge.api('DELETE', `/api/feeds/${made.id}`)
  })

  it.each([
    ['own, in German, every part of a day', 'en', "Ada's work calendar"],
    ['own, nobody has asked yet', 'de', 'Arbeitskalender von Ada'],
    ['own, no part of a day', 'en', "Jonas's work calendar"],
    ['own, in English', 'de', 'Eves Arbeitskalender'],
    ['own, of somebody without a first name', 'de', 'Arbeitskalender'],
    ['own, named by staff, shifts during leave', 'de', names.usr_dan],
    ['own, named by staff, nearly as by default', 'de', names.usr_mia],
    // Somebody had chosen a language while the name did not follow it.
    ['own, in German, English for its holder', 'de', names.usr_bob],
    ['own, nights, New York', 'de', names.usr_cleo],
  ])('the calendar of a holder has a name in their language: %s, %s', async (what, locale, now) => {
    const all = 'show=leaves&show=shifts&show=timesheets&show=tasks'
    await hold(urlOf(what), `${all}&locale=${locale}`)
    expect(nameIn(await pollNow(urlOf(what)))).toBe(now)
    expect(await namesNow()).toEqual(names)
  })

  it('keeps the choices of a link that is rotated or replaced', async () => {
    const phone = { hide: ['leaves', 'tasks'], reminderMinutes: 15 }
    const { id } = await feedOf('usr_ada')
    const label = 'phone 📱'
    const before = await pollNow(urlOf('own, leaves hidden, with an alarm'))
    const rotation = await bridge.api('POST', `/api/feeds/${id}/rotations`, { label, graceDays: 3 })
    const { url } = (await rotation.json()) as { url: string }
    expect(await choicesOf('usr_ada', label)).toEqual(phone)
    expect((await pollNow(url)).text).toBe(before.text)

    const family = { hide: ['shifts', 'timesheets', 'tasks'], detail: 'absent' }
    const replaced = urlOf('own, shifts hidden')
    const shown = await pollNow(replaced)
    const text = await hold(replaced, `action=replace&confirm=yes&key=${keyOf('s')}`)
    expect(await choicesOf('usr_ada', 'family')).toEqual(family)
    const now = await pollNow(newAddress({ status: 200, headers: {}, text })!)
    expect([now.status, now.text]).toEqual([200, shown.text])
    expect((await pollNow(replaced)).status).toBe(410)

    const nights = { hide: ['timesheets', 'tasks'], locale: 'de' }
    const cleo = await feedOf('usr_cleo')
    await bridge.api('POST', `/api/feeds/${cleo.id}/rotations`, { label: 'phone' })
    expect(await choicesOf('usr_cleo', 'phone')).toEqual(nights)
  })

  it('makes no second calendar either once staff have changed the language', async () => {
    const changed = async (userId: string, locale: string): Promise<unknown> => {
      const { id } = await feedOf(userId)
      const answer = await bridge.api('PATCH', `/api/feeds/${id}`, { locale })
      return Object(await answer.json()).name
    }
    expect(await changed('usr_ada', 'en')).toBe("Ada's work calendar")
    expect(await changed('usr_ada', 'de')).toBe('Adas Arbeitskalender')
    expect(await changed('usr_jonas', 'en')).toBe("Jonas's work calendar")
    expect(await changed('usr_eve', 'de')).toBe('Eves Arbeitskalender')
    expect(await changed('usr_mia', 'de')).toBe(names.usr_mia)
    expect(await changed('usr_bob', 'en')).toBe(names.usr_bob)
    await expectNoSecondCalendar()
    const named = unnamed.map((userId) => `${userId},${names[userId]},`)
    expect(await send(named)).toEqual(unnamed.map(() => 'skipped'))
  })
})
