/* People who leave lose their calendar; a Read API that breaks takes nobody's. */
import { describe, expect, inject } from 'vitest'

import { calendarUrl, type FeedAnswer, type TestBridge } from '../support/bridge/bridge.ts'
import type { FakeClock } from '../support/bridge/fake-clock.ts'
import { it as base, pollNow } from '../support/bridge/fixtures.ts'
import { openNode, readDirectory, type TestNode } from '../support/bridge/node.ts'
import { allOr } from '../support/bridge/thorough.ts'
import type { CompanyServer } from '../support/company/company-server.ts'
import { leave, timesheet } from '../support/company/people.ts'

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
    const ids = Array.from(
      { length: count },
      (_, number) => `usr_${String(number).padStart(3, '0')}`,
    )
    for (const [number, id] of ids.entries()) {
      company.records.users.push({ id, firstName: `Person ${number}`, isActive: true })
      company.records.leaves[id] = [leave(`lv_${number}`, '2026-01-12')]
    }
    const inputs = ids.map((id) => ({ userIds: [id] }))
    const made = await bridge.api('POST', '/api/feeds', inputs)
    const { data } = (await made.json()) as { readonly data: readonly FeedAnswer[] }
    for (const [index, id] of ids.entries()) {
      const feed = data[index]!
      this.#people.push({ id, feed, url: calendarUrl(feed) })
    }
    return this.#people
  }

  /** What the Read API says of that person from now on. */
  change(id: string, changes: object): void {
    const { records } = this.#of.company
    records.users = records.users.map((user) => (user.id === id ? { ...user, ...changes } : user))
  }

  /** Everybody polls, and again once it is decided who has left: the statuses of the second answers. */
  async poll(people: readonly Person[] = this.#people): Promise<readonly number[]> {
    await this.pollOnce(people)
    await this.#of.bridge.settled()
    return this.pollOnce(people)
  }

  async pollOnce(people: readonly Person[] = this.#people): Promise<readonly number[]> {
    const statuses: number[] = []
    for (const { url } of people) statuses.push((await fetch(url)).status)
    return statuses
  }

  /** Everybody polls twice a day, as often as people are read, and at the end. */
  async pass(hours: number, people?: readonly Person[]): Promise<void> {
    for (let left = hours; left > 0; left -= 12) {
      await this.#of.clock.advance(Math.min(left, 12) * hourMs)
      await this.poll(people)
    }
  }

  /** So long that people are asked for again. */
  async passHalfADay(): Promise<void> {
    await this.#of.clock.advance(13 * hourMs)
  }

  async closedBecause({ feed }: Person): Promise<unknown> {
    const response = await this.#of.bridge.api('GET', `/api/feeds/${feed.id}`)
    return ((await response.json()) as FeedAnswer)['closedBecause']
  }

  /** What is done once a day. */
  readAgain(): Promise<void> {
    return this.#of.node.departures.readAgain(new AbortController().signal)
  }

  /** Days on which nobody polls. */
  async passQuietly(days: number): Promise<void> {
    for (let passed = 0; passed < days; passed += 1) {
      await this.#of.clock.advance(24 * hourMs)
      await this.readAgain()
    }
  }

  /** Sees and reads everyone whom the company's timesheets name; gives how many are here. */
  async look(): Promise<number> {
    const { node } = this.#of
    await readDirectory(node)
    return node.directory.countPeople('main')
  }

  /** People without a calendar, whom only timesheets name. */
  employ(count: number, changes: object = {}): readonly string[] {
    const { users, timesheets } = this.#of.company.records
    return Array.from({ length: count }, () => {
      const id = `usr_t${users.length}`
      users.push({ id, isActive: true, ...changes })
      timesheets.push(timesheet(`clq${id}`, id, '2026-01-01', '2026-01-15'))
      return id
    })
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

/** What those who leave at once show as well. */
const inTime = it.runIf(inject('isThorough'))

describe('a person who is no longer active', () => {
  it('is the only one to lose the calendar at the next reading, and the API says why', async ({
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

  it('feeds that the bridge closes and opens by itself are recorded in the audit log', async ({
    clock,
    node,
    staff,
  }) => {
    const [person] = await staff.hire(2)
    const { id, feed } = person!
    const noted = async (): Promise<unknown[]> => {
      const entries = await node.store.audit.listEntries({ feedId: feed.id, limit: 9 })
      return entries.map(({ actor, action, userIds }) => [actor, action, userIds])
    }
    const created = await noted()
    staff.change(id, { isActive: false })
    await clock.advance(13 * hourMs)
    await staff.poll()
    const closed = ['bridge', 'feed_closed', [id]]
    expect(await noted()).toEqual([closed, ...created])
    staff.change(id, { isActive: true })
    await staff.passQuietly(2)
    expect(await noted()).toEqual([['bridge', 'feed_opened', [id]], closed, ...created])
  })

  it('gets the same calendar back one day after being active again', async ({ clock, staff }) => {
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

  it('gets no other calendar, not even one created while the Read API did not answer', async ({
    company,
    bridge,
    feedOf,
    staff,
  }) => {
    await staff.hire(3)
    staff.change('usr_001', { isActive: false })
    await staff.passHalfADay()
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

  it('gets a calendar created after the return at once', async ({ feedOf, staff }) => {
    await staff.hire(3)
    staff.change('usr_001', { isActive: false })
    await staff.passHalfADay()
    expect(await staff.poll()).toEqual([200, 410, 200])
    staff.change('usr_001', { isActive: true })
    const second = await feedOf('usr_001', { name: 'Two' })
    expect((await fetch(second)).status).toBe(200)
    expect(await staff.poll()).toEqual([200, 200, 200])
  })

  it('is asked for once a day, by one node', async ({ company, clock, staff }) => {
    await staff.hire(3)
    staff.change('usr_001', { isActive: false })
    await staff.passHalfADay()
    await staff.poll()
    await clock.advance(25 * hourMs)
    company.requests.length = 0
    await Promise.all([staff.readAgain(), staff.readAgain()])
    await staff.readAgain()
    expect(company.requests).toEqual(['/api/public/v1/users/usr_001'])
  })

  it('disappears from calendars about several people and returns there later', async ({
    clock,
    bridge,
    staff,
  }) => {
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

describe('people who count as active', () => {
  it.for([
    ['users without isActive, or whose isActive is null', [undefined, null], []],
    ['users that the credential does not open, or the Read API fails to give', [], [403, 500]],
  ] as const)('%s', async ([_, values, faults], { company, staff }) => {
    await staff.hire(4)
    await staff.poll()
    for (const [index, isActive] of values.entries()) staff.change(`usr_00${index}`, { isActive })
    for (const [index, fault] of faults.entries()) {
      company.faults.set(`/users/usr_00${index}`, fault)
    }
    await staff.pass(60)
    expect(await staff.poll()).toEqual([200, 200, 200, 200])
  })
})

describe('a person whom the Read API no longer knows', () => {
  it('keeps the calendar for one day and then loses it', async ({ company, staff }) => {
    const people = await staff.hire(3)
    await staff.poll()
    company.faults.set('/users/usr_001', 404)
    await staff.pass(34)
    expect(await staff.poll()).toEqual([200, 200, 200])
    await staff.pass(6)
    expect(await staff.poll()).toEqual([200, 410, 200])
    expect(await staff.closedBecause(people[1]!)).toBe('user_missing')
  })

  it('keeps the calendar if found again in between, however often', async ({ company, staff }) => {
    await staff.hire(3)
    const turns = inject('isThorough') ? 4 : 2
    for (let turn = 0; turn < turns; turn += 1) {
      company.faults.set('/users/usr_001', 404)
      await staff.pass(20)
      company.faults.clear()
      await staff.pass(14)
    }
    expect(await staff.poll()).toEqual([200, 200, 200])
  })

  const answered = [
    ['tasks', ['/schedules', '/timesheets']],
    ['timesheets', ['/schedules', '/tasks']],
    ['schedules', ['/timesheets', '/tasks']],
  ] as const

  it.for(allOr(answered, ([kind]) => kind === 'tasks'))(
    'loses the calendar if only %s are answered meanwhile',
    async ([_, failing], { company, staff }) => {
      await staff.hire(3)
      await staff.poll()
      company.faults.set('/users/usr_001', 404)
      for (const path of [...failing, '/leaves']) company.faults.set(path, 403)
      await staff.pass(40)
      expect(await staff.poll()).toEqual([200, 410, 200])
    },
  )

  it('keeps the calendar while nothing else is answered either', async ({
    company,
    clock,
    staff,
  }) => {
    await staff.hire(3)
    await staff.poll()
    company.faults.set('/users/usr_001', 404)
    await clock.advance(13 * hourMs)
    await staff.poll()
    for (const path of ['/schedules', '/tasks', '/timesheets', '/leaves']) {
      company.faults.set(path, 404)
    }
    await staff.pass(72)
    expect(await staff.poll()).toEqual([200, 200, 200])
  })
})

describe('people with unpolled calendars', () => {
  it('are recorded as leaving, and closed, when a colleague who also leaves is polled', async ({
    staff,
  }) => {
    const people = await staff.hire(9)
    const [polled, second, third] = people
    for (const { id } of [polled!, second!]) staff.change(id, { isActive: false })
    await staff.passHalfADay()
    expect(await staff.poll([polled!])).toEqual([410])
    expect(await staff.closedBecause(second!)).toBe('user_inactive')
    expect(await staff.closedBecause(third!)).toBeNull()
  })

  it('are recorded as missing in the same way, and closed a day later', async ({
    company,
    node,
    staff,
  }) => {
    const people = await staff.hire(9)
    for (const id of ['usr_000', 'usr_001']) company.faults.set(`/users/${id}`, 404)
    await staff.passHalfADay()
    await staff.poll(people.slice(0, 1))
    const departure = await node.store.departures.findDeparture('main', 'usr_001')
    expect(departure).toMatchObject({ because: 'user_missing', leftAt: null })
    await staff.passQuietly(1)
    expect(await staff.closedBecause(people[1]!)).toBe('user_missing')
  })

  it('are closed when the directory reads that they have left', async ({ clock, staff }) => {
    const people = await staff.hire(9)
    expect(await staff.look()).toBe(9)
    staff.change('usr_007', { isActive: false })
    await clock.advance(25 * hourMs)
    expect(await staff.look()).toBe(8)
    expect(await staff.closedBecause(people[7]!)).toBe('user_inactive')
    expect(await staff.closedBecause(people[8]!)).toBeNull()
  })
})

describe('a departure stored by a node with a clock ahead', () => {
  const ahead = 3 * 24 * hourMs

  it('counts from now: it is read again and believed a day later', async ({
    company,
    clock,
    node,
    staff,
  }) => {
    await staff.hire(3)
    await staff.poll()
    company.faults.set('/users/usr_001', 404)
    const future = clock.now() + ahead
    await node.store.departures.keepDeparture({
      companyId: 'main',
      userId: 'usr_001',
      because: 'user_missing',
      since: future,
      readAt: future,
      leftAt: null,
      wasHere: true,
      isHeldBack: false,
      isCleared: false,
    })
    await staff.readAgain()
    expect(await node.store.departures.findDeparture('main', 'usr_001')).toMatchObject({
      since: clock.now(),
      readAt: clock.now(),
    })
    await staff.passQuietly(1)
    expect(await staff.poll()).toEqual([200, 410, 200])
  })

  it('ends as soon as the person is read as active', async ({ clock, node, staff }) => {
    await staff.hire(3)
    staff.change('usr_001', { isActive: false })
    await clock.advance(ahead)
    expect(await staff.poll()).toEqual([200, 410, 200])
    const { departures } = node.store
    const kept = await departures.findDeparture('main', 'usr_001')
    await departures.keepDeparture({
      ...kept!,
      since: kept!.since + ahead,
      readAt: kept!.readAt + ahead,
    })
    await departures.believeDeparture(kept!, kept!.readAt + ahead)
    expect(await staff.poll()).toEqual([200, 410, 200])
    staff.change('usr_001', { isActive: true })
    await staff.readAgain()
    expect(await staff.poll()).toEqual([200, 200, 200])
  })
})

describe('too many departures at once', () => {
  it('a Read API that knows no users for days closes no feed, and this is reported', async ({
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

  inTime(
    'a Read API that knows no users closes no feed if only one of its feeds is polled',
    async ({ company, staff }) => {
      const [polled] = await staff.hire(6)
      await staff.poll([polled!])
      company.faults.set('/users/', 404)
      await staff.pass(72, [polled!])
      expect(await staff.poll([polled!])).toEqual([200])
    },
  )

  inTime(
    'a Read API that reports all people as inactive closes no feed',
    async ({ clock, staff }) => {
      const people = await staff.hire(6)
      await staff.poll()
      for (const { id } of people) staff.change(id, { isActive: false })
      await clock.advance(13 * hourMs)
      expect(await staff.poll()).toEqual([200, 200, 200, 200, 200, 200])
    },
  )

  it('the events of missing people stay in calendars about several people', async ({
    company,
    clock,
    bridge,
    staff,
  }) => {
    const people = await staff.hire(4)
    const team = calendarUrl(await bridge.createFeed({ userIds: people.map(({ id }) => id) }))
    const before = (await pollNow(team)).text
    company.faults.set('/users/', 404)
    for (let hours = 0; hours < 72; hours += 6) {
      await clock.advance(6 * hourMs)
      await fetch(team)
    }
    expect((await pollNow(team)).text).toBe(before)
  })

  it('the departure that makes too many in a day is held back; earlier ones stay closed', async ({
    clock,
    node,
    staff,
  }) => {
    const people = await staff.hire(20)
    await staff.pollOnce()
    for (const id of ['usr_000', 'usr_006', 'usr_012']) staff.change(id, { isActive: false })
    await clock.advance(13 * hourMs)
    expect((await staff.poll()).filter((status) => status === 410)).toHaveLength(3)
    staff.change('usr_018', { isActive: false })
    await clock.advance(13 * hourMs)
    await staff.poll([people[18]!])
    expect((await staff.poll()).filter((status) => status === 410)).toHaveLength(3)
    expect(await staff.closedBecause(people[18]!)).toBeNull()
    expect(await node.departures.heldBack('main')).toEqual({ people: 17, leaving: 1 })
  })

  it('are believed after seven days of confirmation, also by another node', async ({
    company,
    clock,
    bridge,
    environment,
    onTestFinished,
    staff,
  }) => {
    const people = await staff.hire(6)
    for (const { id } of people) staff.change(id, { isActive: false })
    await staff.passHalfADay()
    await staff.poll()
    await staff.passQuietly(6)
    expect(new Set(await staff.poll())).toEqual(new Set([200]))
    const other = await openNode(environment, clock)
    onTestFinished(() => other.close())
    await clock.advance(24 * hourMs)
    company.requests.length = 0
    await other.departures.readAgain(new AbortController().signal)
    expect(company.requests).toHaveLength(6)
    expect(new Set(await staff.poll())).toEqual(new Set([410]))
    expect(await other.departures.heldBack('main')).toBeNull()
    expect((await bridge.api('GET', '/api/companies/main/examination')).status).toBe(200)
  })

  it('are held back for seven days even if most people return, and open when they are back', async ({
    company,
    node,
    staff,
  }) => {
    await staff.hire(6)
    company.faults.set('/users/', 404)
    await staff.passHalfADay()
    await staff.poll()
    await staff.passQuietly(5)
    company.faults.clear()
    company.faults.set('/users/usr_000', 404)
    await staff.passQuietly(1)
    expect(await node.departures.heldBack('main')).toEqual({ people: 6, leaving: 1 })
    expect(new Set(await staff.poll())).toEqual(new Set([200]))
    await staff.passQuietly(1)
    expect(await staff.poll()).toEqual([410, 200, 200, 200, 200, 200])
  })

  inTime(
    'at most fifty other people are asked for, and not again for each departure',
    async ({ company, clock, bridge, node, staff }) => {
      const people = await staff.hire(40)
      const others = Array.from({ length: 300 }, (_, index) => ({ id: `usr_x${index}` }))
      await node.store.people.seePeople('main', others, clock.now())
      const ids = people.slice(0, 30).map(({ id }) => id)
      const team = calendarUrl(await bridge.createFeed({ userIds: ids }))
      await pollNow(team)
      for (const { id } of people) staff.change(id, { isActive: false })
      await clock.advance(13 * hourMs)
      company.requests.length = 0
      await pollNow(team)
      await bridge.settled()
      const asked = company.requests.filter((address) => address.includes('/users/'))
      expect(asked.length).toBeLessThanOrEqual(80)
      expect(new Set(await staff.poll(people.slice(25)))).toEqual(new Set([200]))
    },
  )

  it('are measured against all people of the directory, with or without a calendar', async ({
    clock,
    node,
    staff,
  }) => {
    const [only] = await staff.hire(1)
    const others = staff.employ(30)
    expect(await staff.look()).toBe(31)
    for (const id of others) staff.change(id, { isActive: false })
    await clock.advance(25 * hourMs)
    // The first three who are read may be believed before it is known how many there are.
    expect(await staff.look()).toBeGreaterThanOrEqual(28)
    staff.change(only!.id, { isActive: false })
    await clock.advance(13 * hourMs)
    expect(await staff.poll()).toEqual([200])
    expect((await node.departures.heldBack('main'))?.leaving).toBeGreaterThanOrEqual(28)
  })

  it('do not include people who were gone when first seen', async ({ clock, node, staff }) => {
    await staff.hire(2)
    staff.employ(20)
    staff.employ(8, { isActive: false })
    expect(await staff.look()).toBe(22)
    expect(await node.departures.heldBack('main')).toBeNull()
    staff.change('usr_001', { isActive: false })
    await clock.advance(13 * hourMs)
    expect(await staff.poll()).toEqual([200, 410])
    expect(await staff.look()).toBe(21)
  })

  it('a revoked feed is not reopened when its person returns', async ({ clock, bridge, staff }) => {
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
