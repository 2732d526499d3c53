/* People who leave lose their calendar; a Read API that breaks takes nobody's. */
import { describe, expect } from 'vitest'

import { calendarUrl, type FeedAnswer, type TestBridge } from '../support/bridge.ts'
import type { CompanyServer } from '../support/company-server.ts'
import type { FakeClock } from '../support/fake-clock.ts'
import { it as base, pollNow } from '../support/fixtures.ts'
import type { TestNode } from '../support/node.ts'
import { leave } from '../support/people.ts'

const hourMs = 3_600_000

interface Person {
  readonly id: string
  readonly feed: FeedAnswer
  readonly url: string
}

interface Surroundings {
  readonly company: CompanyServer
  readonly clock: FakeClock
  readonly bridge: TestBridge
  readonly node: TestNode
}

/** The people of the company, each with a leave and a feed of their own. */
class Staff {
  readonly #people: Person[] = []
  readonly #of: Surroundings

  constructor(surroundings: Surroundings) {
    this.#of = surroundings
  }

  async hire(count: number): Promise<readonly Person[]> {
    const { company, bridge } = this.#of
    for (let number = 0; number < count; number += 1) {
      const id = `usr_${String(number).padStart(3, '0')}`
      company.records.users.push({ id, firstName: `Person ${number}`, isActive: true })
      company.records.leaves[id] = [leave(`lv_${number}`, '2026-01-12')]
      const feed = await bridge.createFeed({ userIds: [id] })
      this.#people.push({ id, feed, url: calendarUrl(feed) })
    }
    return this.#people
  }

  /** What the Read API says of that person from now on. */
  change(id: string, changes: object): void {
    const { records } = this.#of.company
    records.users = records.users.map((user) => (user.id === id ? { ...user, ...changes } : user))
  }

  /** Everybody polls: the statuses of the answers. */
  async poll(people: readonly Person[] = this.#people): Promise<readonly number[]> {
    const statuses: number[] = []
    for (const { url } of people) statuses.push((await fetch(url)).status)
    return statuses
  }

  /** Everybody polls every other hour. */
  async pass(hours: number, people?: readonly Person[]): Promise<void> {
    for (let passed = 0; passed < hours; passed += 2) {
      await this.#of.clock.advance(2 * hourMs)
      await this.poll(people)
    }
  }

  async closedBecause({ feed }: Person): Promise<unknown> {
    const response = await this.#of.bridge.api('GET', `/api/feeds/${feed.id}`)
    return ((await response.json()) as FeedAnswer)['closedBecause']
  }

  /** What is done once a day. */
  readAgain(): Promise<void> {
    return this.#of.node.departures.readAgain(new AbortController().signal)
  }
}

const it = base
  .extend('records', ({ records }) => ({
    ...records,
    users: [],
    leaves: {},
    timesheets: [],
    tasks: { prj_web: [] },
  }))
  .extend('staff', ({ company, clock, bridge, node }) => {
    return new Staff({ company, clock, bridge, node })
  })

describe('one person who is no longer active', () => {
  it('loses the calendar at the next reading, nobody else does, and the API says why', async ({
    clock,
    staff,
  }) => {
    const people = await staff.hire(3)
    expect(await staff.poll()).toEqual([200, 200, 200])
    staff.change('usr_001', { isActive: false })
    await clock.advance(13 * hourMs)
    expect(await staff.poll()).toEqual([200, 410, 200])
    expect(await staff.closedBecause(people[1]!)).toBe('user_inactive')
    expect(await staff.poll()).toEqual([200, 410, 200])
  })

  it('has the same calendar again a day after being active again', async ({ clock, staff }) => {
    const people = await staff.hire(3)
    const before = (await pollNow(people[1]!.url)).text
    staff.change('usr_001', { isActive: false })
    await clock.advance(13 * hourMs)
    await staff.poll()
    staff.change('usr_001', { isActive: true })
    await clock.advance(12 * hourMs)
    await staff.readAgain()
    expect((await fetch(people[1]!.url)).status).toBe(410)
    await clock.advance(12 * hourMs)
    await staff.readAgain()
    expect(await pollNow(people[1]!.url)).toMatchObject({ status: 200, text: before })
    expect(await staff.closedBecause(people[1]!)).toBeNull()
  })

  it('gets no other calendar, and is served none that was made while the Read API said nothing', async ({
    company,
    bridge,
    feedOf,
    staff,
  }) => {
    await staff.hire(3)
    staff.change('usr_001', { isActive: false })
    expect(await staff.poll()).toEqual([200, 410, 200])
    const refused = await bridge.api('POST', '/api/feeds', { userIds: ['usr_001'], name: 'Two' })
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringMatching(/"\/userIds\/0".*has left/),
    ])
    company.faults.set('/users/usr_001', 500)
    const second = await feedOf('usr_001', { name: 'Two' })
    company.faults.clear()
    expect((await fetch(second)).status).toBe(410)
  })

  it('has a calendar made after the return at once', async ({ feedOf, staff }) => {
    await staff.hire(3)
    staff.change('usr_001', { isActive: false })
    expect(await staff.poll()).toEqual([200, 410, 200])
    staff.change('usr_001', { isActive: true })
    const second = await feedOf('usr_001', { name: 'Two' })
    expect((await fetch(second)).status).toBe(200)
    expect(await staff.poll()).toEqual([200, 200, 200])
  })

  it('is asked for once a day, by one node', async ({ company, clock, staff }) => {
    await staff.hire(3)
    staff.change('usr_001', { isActive: false })
    await staff.poll()
    await clock.advance(25 * hourMs)
    company.requests.length = 0
    await Promise.all([staff.readAgain(), staff.readAgain()])
    await staff.readAgain()
    expect(company.requests).toEqual(['/api/public/v1/users/usr_001'])
  })

  it('ends in calendars about others, and comes back there', async ({ clock, bridge, staff }) => {
    await staff.hire(3)
    const team = calendarUrl(await bridge.createFeed({ userIds: ['usr_000', 'usr_001'] }))
    const titles = async (): Promise<readonly string[]> => (await pollNow(team)).titles
    const both = await titles()
    expect(both).toHaveLength(2)
    staff.change('usr_001', { isActive: false })
    await clock.advance(13 * hourMs)
    await fetch(team)
    expect(await titles()).toEqual([both[0]])
    staff.change('usr_001', { isActive: true })
    await clock.advance(25 * hourMs)
    await staff.readAgain()
    expect(await titles()).toEqual(both)
  })
})

describe('who counts as active', () => {
  it.for([
    ['a user without isActive', { isActive: undefined }, undefined],
    ['a user whose isActive is null', { isActive: null }, undefined],
    ['a user that the credential does not open', {}, 403],
    ['a user that the Read API fails to give', {}, 500],
  ] as const)('%s', async ([_, changes, fault], { company, staff }) => {
    await staff.hire(3)
    await staff.poll()
    staff.change('usr_001', changes)
    if (fault !== undefined) company.faults.set('/users/usr_001', fault)
    await staff.pass(60)
    expect(await staff.poll()).toEqual([200, 200, 200])
  })
})

describe('one person whom the Read API does not know any more', () => {
  it('keeps the calendar for a day and loses it then', async ({ company, staff }) => {
    const people = await staff.hire(3)
    await staff.poll()
    company.faults.set('/users/usr_001', 404)
    await staff.pass(34)
    expect(await staff.poll()).toEqual([200, 200, 200])
    await staff.pass(6)
    expect(await staff.poll()).toEqual([200, 410, 200])
    expect(await staff.closedBecause(people[1]!)).toBe('user_missing')
  })

  it('keeps it when found again in between, however often that happens', async ({
    company,
    staff,
  }) => {
    await staff.hire(3)
    for (let turn = 0; turn < 4; turn += 1) {
      company.faults.set('/users/usr_001', 404)
      await staff.pass(20)
      company.faults.clear()
      await staff.pass(14)
    }
    expect(await staff.poll()).toEqual([200, 200, 200])
  })

  it('keeps it while nothing else is answered either', async ({ company, staff }) => {
    await staff.hire(3)
    await staff.poll()
    company.faults.set('/users/usr_001', 404)
    company.faults.set('/schedules', 403)
    await staff.pass(72)
    expect(await staff.poll()).toEqual([200, 200, 200])
  })
})

describe('too many at once', () => {
  it('a Read API that knows none of the users for days closes no feed, and says so', async ({
    company,
    bridge,
    node,
    staff,
  }) => {
    await staff.hire(6)
    await staff.poll()
    company.faults.set('/users/', 404)
    await staff.pass(72)
    expect(await staff.poll()).toEqual([200, 200, 200, 200, 200, 200])
    expect(await node.departures.heldBack('main')).toEqual({ people: 6, leaving: 6 })
    const examination = await (await bridge.api('GET', '/api/companies/main/examination')).text()
    expect(examination).toContain('"check":"departures"')
    company.faults.clear()
    await staff.pass(24)
    await staff.readAgain()
    expect(await node.departures.heldBack('main')).toBeNull()
  })

  it('nor where only one of its feeds is ever asked for', async ({ company, staff }) => {
    const [polled] = await staff.hire(6)
    await staff.poll([polled!])
    company.faults.set('/users/', 404)
    await staff.pass(72, [polled!])
    expect(await staff.poll([polled!])).toEqual([200])
  })

  it('one that says of all that they are inactive closes none either', async ({ clock, staff }) => {
    const people = await staff.hire(6)
    await staff.poll()
    for (const { id } of people) staff.change(id, { isActive: false })
    await clock.advance(13 * hourMs)
    expect(await staff.poll()).toEqual([200, 200, 200, 200, 200, 200])
  })

  it('nor are events of others ended', async ({ company, clock, bridge, staff }) => {
    const people = await staff.hire(4)
    const team = calendarUrl(await bridge.createFeed({ userIds: people.map(({ id }) => id) }))
    const before = (await pollNow(team)).text
    company.faults.set('/users/', 404)
    for (let hours = 0; hours < 72; hours += 2) {
      await clock.advance(2 * hourMs)
      await fetch(team)
    }
    expect((await pollNow(team)).text).toBe(before)
  })

  it('those already closed that day are opened again when the next makes it too many', async ({
    clock,
    staff,
  }) => {
    await staff.hire(20)
    await staff.poll()
    for (const id of ['usr_000', 'usr_006', 'usr_012']) staff.change(id, { isActive: false })
    await clock.advance(13 * hourMs)
    expect((await staff.poll()).filter((status) => status === 410)).toHaveLength(3)
    staff.change('usr_018', { isActive: false })
    await clock.advance(13 * hourMs)
    await staff.poll()
    expect(new Set(await staff.poll())).toEqual(new Set([200]))
  })

  it('a revoked feed is not opened by anybody’s return', async ({ clock, bridge, staff }) => {
    const people = await staff.hire(3)
    staff.change('usr_001', { isActive: false })
    await staff.poll()
    await bridge.api('DELETE', `/api/feeds/${people[1]!.feed.id}`)
    staff.change('usr_001', { isActive: true })
    await clock.advance(25 * hourMs)
    await staff.readAgain()
    expect(await staff.poll()).toEqual([200, 410, 200])
  })
})
