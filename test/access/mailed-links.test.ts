/* Links that are mailed to anyone who asks with an address: two nodes, a mail server, and calendar programs that poll. */
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'

import { readsFrom, startBridge, type TestBridge } from '../support/bridge/bridge.ts'
import { createFakeClock, type FakeClock } from '../support/bridge/fake-clock.ts'
import { silentLog } from '../support/bridge/silent-log.ts'
import { type CompanyServer, startCompanyServer } from '../support/company/company-server.ts'
import { ada } from '../support/company/people.ts'
import { anyDatabase } from '../support/database/databases.ts'
import { type MailServer, startMailServer } from '../support/web/mail-server.ts'
import { readMail } from '../support/web/read-mail.ts'

const address = 'ada@lost.example'
const dayMs = 86_400_000
/** For how long strangers ask: longer than a link goes on after another was mailed. */
const days = inject('isThorough') ? 30 : 9
/** The longest before a request is looked at. */
const pauseMs = 4000
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'
/** What the script of a link's page sends. */
const preview = { 'User-Agent': chrome, 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Dest': 'empty' }

interface LinkAnswer {
  readonly label: string
  readonly endsAt: string | null
}

describe.each(anyDatabase())('a mailed link on $name', ({ createMigrated }) => {
  let clock: FakeClock
  let company: CompanyServer
  let server: MailServer
  let bridges: readonly [TestBridge, TestBridge]
  let feedId: string
  let kept: () => void = () => undefined
  let asked = 0

  beforeEach(async () => {
    clock = createFakeClock()
    company = await startCompanyServer()
    company.records.users.push({ ...ada, email: address })
    server = await startMailServer()
    const environment = {
      ...readsFrom(company.url),
      ...server.environment,
      TRUST_PROXY: '1',
      DATABASE_URL: await createMigrated(),
    }
    const info = (data: object, event: string): void => {
      const isOfBridge = 'actor' in data && data.actor === 'bridge'
      if (isOfBridge && (event === 'link_created' || event === 'link_rotated')) kept()
    }
    const log = { ...silentLog, info }
    bridges = [
      await startBridge({ environment, clock, log }),
      await startBridge({ environment, clock, log }),
    ]
    feedId = (await bridges[0].createFeed({ userIds: [ada.id] })).id
    const { store } = await bridges[0].node()
    const user = { ...ada, email: address }
    const reading = { userId: ada.id, state: 'active', user, readAt: clock.now() } as const
    await store.people.keepReading('main', reading, 9e15)
  })

  afterEach(async () => {
    for (const one of [...bridges, server, company]) await one.close()
  })

  /** Asks as a stranger on the network, and gives the path of the mailed page once its link is kept. */
  async function mailed(on = bridges[asked % 2]!): Promise<string> {
    asked += 1
    const keeping = new Promise<void>((resolve) => (kept = resolve))
    await fetch(new URL('/lost-link', on.listensAt), {
      method: 'POST',
      headers: { Origin: on.url, 'X-Forwarded-For': `198.18.${asked >> 8}.${asked & 255}` },
      body: new URLSearchParams({ email: address }),
    })
    await clock.advance(pauseMs)
    await keeping
    const text = readMail(server.mails.at(-1)?.raw ?? '').parts[0]?.text ?? ''
    return /\/feeds\/cfb_[\w-]{43}/.exec(text)?.[0] ?? ''
  }

  const get = (
    page: string,
    {
      on = bridges[0],
      form = 'ics',
      ...sent
    }: RequestInit & { on?: TestBridge; form?: string } = {},
  ): Promise<Response> => fetch(new URL(`${page}/work.${form}`, on.listensAt), sent)

  /** Of polls, one after another. */
  async function statuses(pages: readonly string[]): Promise<readonly number[]> {
    const given: number[] = []
    for (const page of pages) given.push((await get(page)).status)
    return given
  }

  /** Whether it goes on, without asking for its calendar. */
  async function goesOn(page: string): Promise<boolean> {
    return (await fetch(new URL(page, bridges[0].listensAt))).status === 200
  }

  async function openLinks(): Promise<readonly LinkAnswer[]> {
    const answer = await bridges[0].api('GET', `/api/feeds/${feedId}`)
    const { links } = (await answer.json()) as { links: readonly LinkAnswer[] }
    return links.filter(({ endsAt }) => endsAt === null || Date.parse(endsAt) > clock.now())
  }

  async function actionsOfBridge(): Promise<readonly string[]> {
    const answer = await bridges[0].api('GET', `/api/audit?feedId=${feedId}&limit=1000`)
    const { data } = (await answer.json()) as { data: { actor: string; action: string }[] }
    return data.filter(({ actor }) => actor === 'bridge').map(({ action }) => action)
  }

  it('Stays open while a program polls it, even if strangers request three links a day for weeks', async () => {
    const used = await mailed()
    for (let day = 0; day < days; day += 1) {
      expect((await get(used, { on: bridges[day % 2]! })).status).toBe(200)
      await clock.advance(dayMs)
      for (let count = 0; count < 3; count += 1) await mailed()
      // The link of the feed, the one in use, and three that wait in a mailbox.
      expect((await openLinks()).length).toBeLessThanOrEqual(5)
    }
    const answer = await get(used)
    expect(answer.status).toBe(200)
    expect(await answer.text()).not.toContain('SUMMARY:This link ends')
    // All but those three.
    const actions = await actionsOfBridge()
    expect(actions.filter((action) => action === 'link_ended')).toHaveLength(3 * days - 3)
  })

  it.each([
    { method: 'GET', form: 'ics' },
    { method: 'HEAD', form: 'ics' },
    { method: 'GET', form: 'json' },
  ])('Ends when a program polls the next link by $method .$form on any node', async (how) => {
    const first = await mailed()
    expect((await get(first)).status).toBe(200)
    const second = await mailed()
    expect((await get(first)).status).toBe(200)
    expect((await get(second, { ...how, on: bridges[1] })).status).toBe(200)
    expect(await statuses([first, second])).toEqual([410, 200])
    expect((await openLinks()).map(({ label }) => label)).toEqual(['default', 'mail'])
    expect((await actionsOfBridge()).toSorted()).toEqual([
      'link_created',
      'link_ended',
      'link_rotated',
      'mail_sent',
      'mail_sent',
    ])
  })

  it.each([
    `${chrome.replace('Chrome/140.0', 'Gecko/20100101')} Thunderbird/140.0`,
    'A scanner of mails',
  ])('Stays open when the page of the next link is opened in %j', async (program) => {
    const first = await mailed()
    expect((await get(first)).status).toBe(200)
    const second = await mailed()
    const headers = { ...preview, 'User-Agent': program }
    expect((await get(second, { headers, form: 'json' })).status).toBe(200)
    expect(await statuses([first, second, first])).toEqual([200, 200, 410])
  })

  it('Ends at the first poll of the next link, even if its page has already loaded the calendar', async () => {
    const first = await mailed()
    expect((await get(first)).status).toBe(200)
    const second = await mailed()
    for (let count = 0; count < 3; count += 1) {
      expect((await get(second, { headers: preview })).status).toBe(200)
    }
    expect((await get(first)).status).toBe(200)
    expect((await get(second)).status).toBe(200)
    expect((await get(first)).status).toBe(410)
  })

  it('Stays open while the next link cannot be served', async () => {
    const first = await mailed()
    expect((await get(first)).status).toBe(200)
    const second = await mailed()
    company.faults.set('/', 503)
    await clock.advance(8 * dayMs)
    expect(await statuses([second])).toEqual([503])
    company.faults.clear()
    await clock.advance(dayMs)
    expect(await statuses([first, second, first])).toEqual([200, 200, 410])
  })

  it('Ends seven days after another link was mailed unless a program polls it by then', async () => {
    const [first, second, third] = [await mailed(), await mailed(), await mailed()]
    const ends = (await openLinks()).map(({ endsAt }) => endsAt !== null)
    expect(ends).toEqual([false, true, true, false])
    await clock.advance(6 * dayMs)
    const calendar = await (await get(second)).text()
    expect(calendar).not.toContain('SUMMARY:This link ends')
    expect(await statuses([first, second])).toEqual([410, 200])
    await clock.advance(2 * dayMs)
    expect(await statuses([second])).toEqual([200])
    expect(await goesOn(third)).toBe(true)
    const fourth = await mailed()
    await clock.advance(8 * dayMs)
    expect([await goesOn(third), await goesOn(fourth)]).toEqual([false, true])
    expect((await get(second)).status).toBe(200)
  })

  it('Stays open for a program that identifies as a browser, however often strangers ask', async () => {
    const used = await mailed()
    for (let day = 0; day < days; day += 1) {
      const headers = { 'User-Agent': chrome }
      expect((await get(used, { headers, on: bridges[day % 2]! })).status).toBe(200)
      await clock.advance(dayMs)
      for (let count = 0; count < 3; count += 1) await mailed()
    }
    expect((await openLinks()).length).toBeLessThanOrEqual(5)
    expect((await get(used)).status).toBe(200)
  })

  it('Ends after the grace days of an HR rotation, polled or not; its successor ends earlier links', async () => {
    const first = await mailed()
    expect((await get(first)).status).toBe(200)
    const second = await mailed()
    const rotation = { label: 'mail', graceDays: 3 }
    const made = await bridges[0].api('POST', `/api/feeds/${feedId}/rotations`, rotation)
    const { page } = (await made.json()) as { page: string }
    expect(await statuses([first, second])).toEqual([200, 200])
    expect(await statuses([new URL(page).pathname])).toEqual([200])
    expect((await get(first)).status).toBe(410)
    await clock.advance(4 * dayMs)
    expect((await get(second)).status).toBe(410)
  })

  it('Stays open if HR or the previous release made it, until the next link is polled', async () => {
    const made = await bridges[0].api('POST', `/api/feeds/${feedId}/links`, { label: 'mail' })
    const old = new URL(((await made.json()) as { page: string }).page).pathname
    const next = await mailed()
    await clock.advance(30 * dayMs)
    expect((await get(old)).status).toBe(200)
    expect(await statuses([next, old])).toEqual([200, 410])
  })
})
