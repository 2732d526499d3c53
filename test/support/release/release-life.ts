/* What people, staff and calendar programs do with a release, by its own doors, until its database holds what is to last. */
import { adminToken, calendarUrl, type FeedAnswer, type TestBridge } from '../bridge/bridge.ts'
import type { FakeClock } from '../bridge/fake-clock.ts'
import { keyOf, newAddress } from '../bridge/own-page.ts'
import type { CompanyServer } from '../company/company-server.ts'

export const firstInstant = Date.parse('2026-11-16T08:00:00Z')
/** By then every copy is fresh. */
export const lastInstant = Date.parse('2026-11-18T10:06:00Z')

/** By what they stand for; nobody can read their secrets out of the database. */
export type LivedLinks = ReadonlyMap<string, LivedLink>

interface LivedLink {
  readonly url: string
  /** Whether a calendar program has asked for it. */
  readonly asked: boolean
}

interface World {
  readonly bridge: TestBridge
  readonly clock: FakeClock
  readonly company: CompanyServer
}

const window = { pastDays: 2, futureDays: 8 }

/** Three days. */
export async function live(world: World): Promise<LivedLinks> {
  const life = new Life(world)
  const own = (userId: string, scheduleIds: readonly string[], more: object = {}): object => {
    const options = { window, shifts: { scheduleIds } }
    return { companyId: 'main', userIds: [userId], options, ...more }
  }
  const adas = own('usr_ada', ['sch_day', 'sch_night'], { locale: 'de' })
  const ada = await life.feed('own, in German, every part of a day', adas)
  await life.link('own, leaves hidden, with an alarm', ada, 'phone 📱')
  await life.link('own, shifts hidden', ada, 'family')
  await life.link('own, rotated, in its grace', ada, 'Büro')
  await life.link('own, replaced by its holder', ada, 'tablet')
  const bobs = own('usr_bob', ['sch_day', 'sch_flexible'], { locale: 'de' })
  await life.feed('own, in German, English for its holder', bobs)
  const cleos = own('usr_cleo', ['sch_night'], { timezone: 'America/New_York' })
  const cleo = await life.feed('own, nights, New York', cleos)
  await life.link('own, nights, German for its holder', cleo, 'phone')
  await life.feed('own, named by staff, shifts during leave', {
    ...own('usr_dan', []),
    name: 'Dan, Lager „Süd“',
    options: { window, shifts: { duringLeave: 'show' } },
  })
  await life.feed('own, no part of a day', own('usr_jonas', ['sch_day'], { locale: 'de' }))
  await life.feed('own, in English', own('usr_eve', []))
  const mias = own('usr_mia', [], { name: "Mia's Work Calendar" })
  await life.feed('own, named by staff, nearly as by default', mias)
  await life.feed('own, of somebody without a first name', own('usr_nameless', []))
  await life.feed('about others, with shifts', {
    companyId: 'main',
    userIds: ['usr_ada', 'usr_bob'],
    options: { window, shifts: { show: true, scheduleIds: ['sch_day', 'sch_flexible'] } },
  })
  const byKind = { window, leaves: { detail: 'type' } }
  const inFull = { window, leaves: { detail: 'full', statuses: ['APPROVED', 'PENDING'] } }
  const others = { companyId: 'main', userIds: ['usr_ada', 'usr_bob', 'usr_dan'] }
  await life.feed('about others, by kind of leave', { ...others, options: byKind })
  await life.feed('about others, in full', { ...others, locale: 'de', options: inFull })
  await life.feed('about others, as usual', { ...others, locale: 'en', options: { window } })
  const first = life.whats()
  await life.poll(...first)
  await life.link('own, nobody has asked yet', ada, 'late')

  await life.until('2026-11-17T08:00:00Z')
  const { records } = world.company
  records.schedules = records.schedules.map((one) =>
    one.id === 'sch_night' ? { ...one, name: 'Nachtschicht' } : one,
  )
  await life.hold(
    'own, leaves hidden, with an alarm',
    'show=shifts&show=timesheets&reminderMinutes=15',
  )
  await life.hold('own, shifts hidden', 'show=leaves&detail=absent')
  await life.hold('own, rotated, in its grace', 'show=leaves&show=shifts&detail=absent')
  await life.hold('own, replaced by its holder', 'show=leaves&show=shifts&show=tasks')
  await life.hold(
    'own, in German, English for its holder',
    'show=leaves&show=shifts&show=tasks&locale=en',
  )
  await life.hold('own, nights, German for its holder', 'show=leaves&show=shifts&locale=de')
  await life.rotate('own, in its place', ada, 'Büro', 30)
  await life.hold(
    'own, replaced by its holder',
    `action=replace&confirm=yes&key=${keyOf('r')}`,
    'own, put in its place by its holder',
  )
  const later = life.whats().slice(first.length + 1)
  await life.poll(...first, ...later)

  await life.until('2026-11-18T10:05:00Z')
  await life.poll(...first, ...later)
  await life.until(new Date(lastInstant).toISOString())
  return life.links
}

class Life {
  readonly links = new Map<string, LivedLink>()
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

  async feed(what: string, body: object): Promise<FeedAnswer> {
    const feed = await this.#ask<FeedAnswer>('/api/feeds', body)
    this.#keep(what, calendarUrl(feed))
    return feed
  }

  async link(what: string, { id }: FeedAnswer, label: string): Promise<void> {
    const { url } = await this.#ask<{ url: string }>(`/api/feeds/${id}/links`, { label })
    this.#keep(what, url)
  }

  async rotate(what: string, { id }: FeedAnswer, label: string, graceDays: number): Promise<void> {
    const asking = { label, graceDays }
    const { url } = await this.#ask<{ url: string }>(`/api/feeds/${id}/rotations`, asking)
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

  async #ask<T>(address: string, body: object): Promise<T> {
    const headers = { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' }
    const asking = { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await fetch(this.#world.bridge.url + address, asking)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${text}`)
    return JSON.parse(text)
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
