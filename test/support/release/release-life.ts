/* What people, staff and calendar programs do with a release, by its own doors, until there is something of everything in its database. */
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { adminToken, calendarUrl, type FeedAnswer, type TestBridge } from '../bridge/bridge.ts'
import type { FakeClock } from '../bridge/fake-clock.ts'
import { type Fields, keyOf, newAddress, signIn, type Visitor } from '../bridge/own-page.ts'
import type { CompanyServer } from '../company/company-server.ts'
import type { MailServer } from '../web/mail-server.ts'
import { readMail } from '../web/read-mail.ts'
import { contestedLeave, type ReleaseCompanyId } from './release-companies.ts'

export const firstInstant = Date.parse('2026-10-20T08:00:00Z')
/** By then every copy is fresh. */
export const lastInstant = Date.parse('2026-10-23T10:06:00Z')

/** What nobody can read out of the database. */
export interface Secrets {
  /** By what they stand for. */
  readonly links: ReadonlyMap<string, LivedLink>
  readonly apiTokens: Readonly<Record<string, string>>
  /** The cookie of somebody who is signed in. */
  readonly session: string
}

interface LivedLink {
  readonly url: string
  /** Whether a calendar program has asked for it. */
  readonly asked: boolean
}

interface World {
  readonly bridge: TestBridge
  readonly clock: FakeClock
  readonly mail: MailServer
  readonly companies: Readonly<Record<ReleaseCompanyId, CompanyServer>>
}

const window = { pastDays: 3, futureDays: 8 }
const days = { window, shifts: { scheduleIds: ['sch_day', 'sch_night'] } }

/** Four days. */
export async function live(world: World): Promise<Secrets> {
  const life = new Life(world)
  const { main, nz } = world.companies
  const inMain = { companyId: 'main', options: days }
  await life.token({ name: 'desk', role: 'support' })
  await life.token({ name: 'chief', role: 'admin' })
  await life.token({ name: 'west', role: 'reader', companyId: 'us' })
  const invoices = { show: true, invoiceIds: ['inv_1'] }
  const ada = await life.feed('own, the first', {
    companyId: 'main',
    userIds: ['usr_ada'],
    options: { ...days, leaves: { detail: 'full' }, invoices },
  })
  await life.link('own, rotated, in its grace', ada, 'phone 📱')
  await life.link('own, in German, with an alarm, little shown', ada, 'Büro')
  await life.link('own, ended by its holder', ada, 'tablet')
  await life.link('own, replaced by its holder', ada, 'replaced')
  await life.link('own, ended by staff', ada, 'ended')
  const bob = await life.feed('own, the leave of another has come, in German', {
    ...inMain,
    userIds: ['usr_bob'],
    locale: 'de',
    options: { ...days, reminderMinutes: 30 },
  })
  const sakura = await life.feed('own, Tokyo', {
    ...inMain,
    userIds: ['usr_sakura'],
    timezone: 'Asia/Tokyo',
  })
  const dan = await life.feed('own, revoked and purged', { ...inMain, userIds: ['usr_dan'] })
  const cleo = { ...inMain, userIds: ['usr_cleo'] }
  await life.feed('own, of somebody who has left', cleo, 'desk')
  const zoe = await life.feed('own, the only link ended', { ...inMain, userIds: ['usr_zoe'] })
  const team = await life.feed(
    'about others',
    {
      companyId: 'main',
      userIds: ['usr_ada', 'usr_bob', 'usr_cleo', 'usr_sakura'],
      audience: 'others',
      name: 'Team „Süd“',
      locale: 'de',
      options: { window, shifts: { show: true }, leaves: { detail: 'type' }, selfService: true },
    },
    'desk',
  )
  await life.link('about others, with choices', team, 'Küche')
  const ofOne = (companyId: ReleaseCompanyId, userId: string, more: object = {}): object => {
    return { companyId, userIds: [userId], options: { window }, ...more }
  }
  await life.feed('another person of the same id, New York', ofOne('us', 'usr_ada'))
  const full = { locale: 'de', options: { window, leaves: { detail: 'full' } } }
  const kim = await life.feed('New York, in German', ofOne('us', 'usr_kim', full))
  await life.feed('Auckland, leaves not proven, held back', ofOne('nz', 'usr_hemi'))
  await life.feed('Auckland, leaves not proven, back again', ofOne('nz', 'usr_aroha'))
  const first = life.whats()
  await life.poll(...first)
  await life.link('own, nobody has asked yet', ada, 'late')

  await life.until('2026-10-21T08:00:00Z')
  await life.look()
  await life.hold(
    'own, in German, with an alarm, little shown',
    'show=leaves&show=shifts&detail=absent&locale=de&reminderMinutes=15',
  )
  await life.hold('about others, with choices', 'show=leaves&detail=absent&locale=en')
  await life.hold('own, rotated, in its grace', 'show=leaves&show=shifts&detail=type')
  await life.rotate('own, in its place', ada, 'phone 📱', 30)
  await life.hold('own, ended by its holder', 'action=end&confirm=yes')
  await life.hold(
    'own, replaced by its holder',
    `action=replace&confirm=yes&key=${keyOf('r')}`,
    'own, put in its place by its holder',
  )
  await life.ask('DELETE', `/api/feeds/${ada.id}/links/ended`, { by: 'desk' })
  const family = { action: 'link', feed: ada.id, label: 'family', key: keyOf('f'), onlyAway: 'yes' }
  await life.send(await life.signIn('main', 'usr_ada'), family, 'own, only "Away"')
  const end = { action: 'end', feed: zoe.id, label: 'default', confirm: 'yes' }
  await life.send(await life.signIn('main', 'usr_zoe'), end)
  const mias = 'own, made by its person, revoked by staff'
  const make = { action: 'make', key: keyOf('m') }
  await life.send(await life.signIn('main', 'usr_mia'), make, mias)
  await life.lose('own, mailed, another mailed since', bob, 'bob@sample.example')
  const later = life.whats().slice(first.length + 1)
  await life.poll(...first, ...later)

  await life.until('2026-10-22T09:00:00Z')
  main.records.leaves['usr_bob']?.push(contestedLeave)
  setActive(main, 'usr_cleo', false)
  for (const userId of ['usr_aroha', 'usr_hemi']) setActive(nz, userId, false)
  await life.look()
  await life.ask('DELETE', `/api/feeds/${dan.id}?purge`, { by: 'desk' })
  const { data } = await life.ask<{ data: readonly FeedAnswer[] }>(
    'GET',
    '/api/feeds?companyId=main&userId=usr_mia',
  )
  await life.ask('DELETE', `/api/feeds/${data[0]?.id}`)
  const lastMailed = 'own, mailed and asked for'
  await life.lose(lastMailed, bob, 'BOB@sample.example')
  await life.poll(...first, ...later, lastMailed)

  await life.until('2026-10-23T10:00:00Z')
  setActive(nz, 'usr_aroha', true)
  await life.readDepartures()
  await life.look()
  await life.lose('own, mailed, nobody has asked yet', sakura, 'sakura@sample.example')
  await life.lose('New York, mailed, nobody has asked yet', kim, 'kim@west.example')
  const settings = { action: 'settings', feed: ada.id, locale: 'en', reminderMinutes: '45' }
  const adaAgain = await life.signIn('main', 'usr_ada')
  await life.send(adaAgain, settings)
  await life.ask('PATCH', `/api/feeds/${team.id}`, { body: { name: 'Küche' }, by: 'chief' })
  const underKey = {
    companyId: 'main',
    userIds: ['usr_sakura'],
    timezone: 'Asia/Kathmandu',
    name: 'さくら',
    options: { window: { pastDays: 1, futureDays: 7 } },
  }
  await life.feed('made under a key, Kathmandu', underKey, undefined, {
    'Idempotency-Key': 'a key = +1 for the fixture',
  })
  await life.until('2026-10-23T10:05:00Z')
  await life.poll(...first, ...later, lastMailed, 'made under a key, Kathmandu')
  for (const id of ['main', 'us', 'nz']) await life.ask('GET', `/api/companies/${id}/examination`)
  await life.ask('GET', '/api/feeds', { by: 'west' })
  await life.until(new Date(lastInstant).toISOString())
  const { links, apiTokens } = life
  return { links, apiTokens, session: adaAgain.cookie }
}

/** Says of a person from now on that they work there, or not. */
function setActive({ records }: CompanyServer, userId: string, isActive: boolean): void {
  records.users = records.users.map((user) => (user.id === userId ? { ...user, isActive } : user))
}

interface Asking {
  readonly body?: object
  /** The name of the token; the admin token where it is left out. */
  readonly by?: string | undefined
  readonly headers?: Fields
}

class Life {
  readonly links = new Map<string, LivedLink>()
  readonly apiTokens: Record<string, string> = {}
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  whats(): readonly string[] {
    return [...this.links.keys()]
  }

  async until(time: string): Promise<void> {
    const { clock } = this.#world
    await clock.advance(Date.parse(time) - clock.now())
  }

  async ask<T>(method: string, address: string, { body, by, headers }: Asking = {}): Promise<T> {
    const token = by === undefined ? adminToken : this.apiTokens[by]
    const answer = await fetch(this.#world.bridge.url + address, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${text}`)
    return JSON.parse(text || 'null')
  }

  async token(body: {
    readonly name: string
    readonly role: string
    companyId?: string
  }): Promise<void> {
    const { token } = await this.ask<{ token: string }>('POST', '/api/tokens', { body })
    this.apiTokens[body.name] = token
  }

  async feed(what: string, body: object, by?: string, headers: Fields = {}): Promise<FeedAnswer> {
    const feed = await this.ask<FeedAnswer>('POST', '/api/feeds', { body, by, headers })
    this.#keep(what, calendarUrl(feed))
    return feed
  }

  async link(what: string, { id }: FeedAnswer, label: string): Promise<void> {
    const asking = { body: { label } }
    const { url } = await this.ask<{ url: string }>('POST', `/api/feeds/${id}/links`, asking)
    this.#keep(what, url)
  }

  async rotate(what: string, { id }: FeedAnswer, label: string, graceDays: number): Promise<void> {
    const asking = { body: { label, graceDays } }
    const { url } = await this.ask<{ url: string }>('POST', `/api/feeds/${id}/rotations`, asking)
    this.#keep(what, url)
  }

  /** As calendar programs do. */
  async poll(...whats: readonly string[]): Promise<void> {
    for (const what of whats) {
      const { url } = this.#find(what)
      const headers = { 'User-Agent': 'iOS/26.0 (23A341) dataaccessd/1.0' }
      await (await fetch(url, { headers })).arrayBuffer()
      this.links.set(what, { url, asked: true })
    }
  }

  /** Sends a form of a link's page; `makes` is what the new link stands for. */
  async hold(what: string, form: string, makes?: string): Promise<void> {
    const page = this.#find(what).url.replace(/\/[^/]+$/, '')
    const headers = { 'Sec-Fetch-Site': 'same-origin' }
    const body = new URLSearchParams(form)
    const answer = await fetch(page, { method: 'POST', body, headers, redirect: 'manual' })
    const text = await answer.text()
    if (answer.status >= 400) throw new Error(`${what}: ${answer.status} ${text}`)
    if (makes !== undefined)
      this.#keep(makes, newAddress({ status: answer.status, headers: {}, text }))
  }

  async signIn(companyId: ReleaseCompanyId, userId: string): Promise<Visitor> {
    const node = await this.#world.bridge.node()
    return signIn(node, { person: { companyId, userId }, staff: null })
  }

  /** Sends a form of somebody's own page; `makes` is what the new link stands for. */
  async send(visitor: Visitor, fields: Fields, makes?: string): Promise<void> {
    const reply = await visitor.send(this.#world.bridge.url, fields)
    const isLedAway = reply.headers['location']?.includes('/sign-in') ?? false
    if (reply.status >= 400 || isLedAway) {
      throw new Error(`${JSON.stringify(fields)}: ${reply.status}`)
    }
    if (makes !== undefined) this.#keep(makes, newAddress(reply))
  }

  /** Asks for a link as somebody does who has lost theirs, until it has been mailed and kept. */
  async lose(what: string, feed: FeedAnswer, email: string): Promise<void> {
    const { bridge, clock, mail } = this.#world
    const mails = mail.mails.length
    const links = await this.#countLinks(feed)
    const headers = { Origin: bridge.url }
    const body = new URLSearchParams({ email })
    await fetch(`${bridge.url}/lost-link`, { method: 'POST', headers, body })
    await clock.advance(10_000)
    await mail.received(mails + 1)
    while ((await this.#countLinks(feed)) === links) await pause(5)
    const [text = ''] = readMail(mail.mails[mails]?.raw ?? '').parts.map((part) => part.text)
    const [page = ''] = /http:\S+\/feeds\/cfb_[\w-]{43}/.exec(text) ?? []
    this.#keep(what, `${page}/${path.basename(calendarUrl(feed))}`)
  }

  async #countLinks({ id }: FeedAnswer): Promise<number> {
    return (await this.ask<FeedAnswer>('GET', `/api/feeds/${id}`)).links.length
  }

  /** Looks for everybody and reads who is due, as `feed candidates` does. */
  async look(): Promise<void> {
    const { directory, connections } = await this.#world.bridge.node()
    for (const connection of connections.values()) {
      await directory.listRefreshed(connection, () => undefined)
    }
  }

  /** What the server does once a day. */
  async readDepartures(): Promise<void> {
    const { departures } = await this.#world.bridge.node()
    await departures.readAgain(new AbortController().signal)
  }

  #keep(what: string, url: string | undefined): void {
    if (url === undefined) throw new Error(`There is no address: ${what}`)
    this.links.set(what, { url, asked: false })
  }

  #find(what: string): LivedLink {
    const link = this.links.get(what)
    if (!link) throw new Error(`There is no such link: ${what}`)
    return link
  }
}
