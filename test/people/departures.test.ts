/* People who leave lose their calendar; a Read API that breaks takes nobody's. */
import { describe, expect } from 'vitest'

import { calendarUrl, type FeedAnswer } from '../support/bridge.ts'
import { it as base, pollNow } from '../support/fixtures.ts'
import { leave } from '../support/people.ts'

const hourMs = 3_600_000

interface Person {
  readonly id: string
  readonly feed: FeedAnswer
  readonly url: string
}

const it = base
  .extend('records', ({ records }) => ({
    ...records,
    users: [],
    leaves: {},
    timesheets: [],
    tasks: { prj_web: [] },
  }))
  /** People of the company, each with a leave and a feed of their own. */
  .extend('hire', ({ company, bridge }) => async (count: number): Promise<Person[]> => {
    const people: Person[] = []
    for (let number = 0; number < count; number += 1) {
      const id = `usr_${String(number).padStart(3, '0')}`
      company.records.users.push({ id, firstName: `Person ${number}`, isActive: true })
      company.records.leaves[id] = [leave(`lv_${number}`, '2026-01-12')]
      const feed = await bridge.createFeed({ userIds: [id] })
      people.push({ id, feed, url: calendarUrl(feed) })
    }
    return people
  })
  .extend('change', ({ company: { records } }) => (id: string, changes: object): void => {
    records.users = records.users.map((user) => (user.id === id ? { ...user, ...changes } : user))
  })
  .extend('closedBecause', ({ bridge }) => async ({ feed }: Person): Promise<unknown> => {
    const response = await bridge.api('GET', `/api/feeds/${feed.id}`)
    return ((await response.json()) as FeedAnswer)['closedBecause']
  })
  /** Everybody polls every other hour. */
  .extend('pass', ({ clock }) => async (hours: number, people: readonly Person[]) => {
    for (let passed = 0; passed < hours; passed += 2) {
      await clock.advance(2 * hourMs)
      await statuses(people)
    }
  })
  .extend('readAgain', ({ node }) => (): Promise<void> => {
    return node.departures.readAgain(new AbortController().signal)
  })

async function statuses(people: readonly Pick<Person, 'url'>[]): Promise<number[]> {
  const found: number[] = []
  for (const { url } of people) found.push((await fetch(url)).status)
  return found
}

describe('one person who is no longer active', () => {
  it('loses the calendar at the next reading, nobody else does, and the API says why', async ({
    clock,
    hire,
    change,
    closedBecause,
  }) => {
    const people = await hire(3)
    expect(await statuses(people)).toEqual([200, 200, 200])
    change('usr_001', { isActive: false })
    await clock.advance(13 * hourMs)
    expect(await statuses(people)).toEqual([200, 410, 200])
    expect(await closedBecause(people[1]!)).toBe('user_inactive')
    expect(await statuses(people)).toEqual([200, 410, 200])
  })

  it('has the same calendar again a day after being active again', async ({
    clock,
    hire,
    change,
    closedBecause,
    readAgain,
  }) => {
    const people = await hire(3)
    const before = (await pollNow(people[1]!.url)).text
    change('usr_001', { isActive: false })
    await clock.advance(13 * hourMs)
    await statuses(people)
    change('usr_001', { isActive: true })
    await clock.advance(12 * hourMs)
    await readAgain()
    expect((await fetch(people[1]!.url)).status).toBe(410)
    await clock.advance(12 * hourMs)
    await readAgain()
    expect(await pollNow(people[1]!.url)).toMatchObject({ status: 200, text: before })
    expect(await closedBecause(people[1]!)).toBeNull()
  })

  it('gets no other calendar, and is served none that was made while the Read API said nothing', async ({
    company,
    bridge,
    feedOf,
    hire,
    change,
  }) => {
    const people = await hire(3)
    change('usr_001', { isActive: false })
    expect(await statuses(people)).toEqual([200, 410, 200])
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

  it('has a calendar made after the return at once', async ({ feedOf, hire, change }) => {
    const people = await hire(3)
    change('usr_001', { isActive: false })
    expect(await statuses(people)).toEqual([200, 410, 200])
    change('usr_001', { isActive: true })
    const second = await feedOf('usr_001', { name: 'Two' })
    expect((await fetch(second)).status).toBe(200)
    expect(await statuses(people)).toEqual([200, 200, 200])
  })

  it('is asked for once a day, by one node', async ({
    company,
    clock,
    hire,
    change,
    readAgain,
  }) => {
    const people = await hire(3)
    change('usr_001', { isActive: false })
    await statuses(people)
    await clock.advance(25 * hourMs)
    company.requests.length = 0
    await Promise.all([readAgain(), readAgain()])
    await readAgain()
    expect(company.requests).toEqual(['/api/public/v1/users/usr_001'])
  })

  it('ends in calendars about others, and comes back there', async ({
    clock,
    bridge,
    hire,
    change,
    readAgain,
  }) => {
    await hire(3)
    const team = calendarUrl(await bridge.createFeed({ userIds: ['usr_000', 'usr_001'] }))
    const titles = async (): Promise<readonly string[]> => (await pollNow(team)).titles
    const both = await titles()
    expect(both).toHaveLength(2)
    change('usr_001', { isActive: false })
    await clock.advance(13 * hourMs)
    await fetch(team)
    expect(await titles()).toEqual([both[0]])
    change('usr_001', { isActive: true })
    await clock.advance(25 * hourMs)
    await readAgain()
    expect(await titles()).toEqual(both)
  })
})

describe('who counts as active', () => {
  it.for([
    ['a user without isActive', { isActive: undefined }, undefined],
    ['a user whose isActive is null', { isActive: null }, undefined],
    ['a user that the credential does not open', {}, 403],
    ['a user that the Read API fails to give', {}, 500],
  ] as const)('%s', async ([_, changes, fault], { company, hire, change, pass }) => {
    const people = await hire(3)
    await statuses(people)
    change('usr_001', changes)
    if (fault !== undefined) company.faults.set('/users/usr_001', fault)
    await pass(60, people)
    expect(await statuses(people)).toEqual([200, 200, 200])
  })
})

describe('one person whom the Read API does not know any more', () => {
  it('keeps the calendar for a day and loses it then', async ({
    company,
    hire,
    closedBecause,
    pass,
  }) => {
    const people = await hire(3)
    await statuses(people)
    company.faults.set('/users/usr_001', 404)
    await pass(34, people)
    expect(await statuses(people)).toEqual([200, 200, 200])
    await pass(6, people)
    expect(await statuses(people)).toEqual([200, 410, 200])
    expect(await closedBecause(people[1]!)).toBe('user_missing')
  })

  it('keeps it when found again in between, however often that happens', async ({
    company,
    hire,
    pass,
  }) => {
    const people = await hire(3)
    for (let turn = 0; turn < 4; turn += 1) {
      company.faults.set('/users/usr_001', 404)
      await pass(20, people)
      company.faults.clear()
      await pass(14, people)
    }
    expect(await statuses(people)).toEqual([200, 200, 200])
  })

  it('keeps it while nothing else is answered either', async ({ company, hire, pass }) => {
    const people = await hire(3)
    await statuses(people)
    company.faults.set('/users/usr_001', 404)
    company.faults.set('/schedules', 403)
    await pass(72, people)
    expect(await statuses(people)).toEqual([200, 200, 200])
  })
})

describe('too many at once', () => {
  it('a Read API that knows none of the users for days closes no feed, and says so', async ({
    company,
    bridge,
    node,
    hire,
    pass,
    readAgain,
  }) => {
    const people = await hire(6)
    await statuses(people)
    company.faults.set('/users/', 404)
    await pass(72, people)
    expect(await statuses(people)).toEqual([200, 200, 200, 200, 200, 200])
    expect(await node.departures.heldBack('main')).toEqual({ people: 6, leaving: 6 })
    const examination = await (await bridge.api('GET', '/api/companies/main/examination')).text()
    expect(examination).toContain('"check":"departures"')
    company.faults.clear()
    await pass(24, people)
    await readAgain()
    expect(await node.departures.heldBack('main')).toBeNull()
  })

  it('nor where only one of its feeds is ever asked for', async ({ company, hire, pass }) => {
    const [polled] = await hire(6)
    await statuses([polled!])
    company.faults.set('/users/', 404)
    await pass(72, [polled!])
    expect(await statuses([polled!])).toEqual([200])
  })

  it('one that says of all that they are inactive closes none either', async ({
    clock,
    hire,
    change,
  }) => {
    const people = await hire(6)
    await statuses(people)
    for (const { id } of people) change(id, { isActive: false })
    await clock.advance(13 * hourMs)
    expect(await statuses(people)).toEqual([200, 200, 200, 200, 200, 200])
  })

  it('nor are events of others ended', async ({ company, clock, bridge, hire }) => {
    const people = await hire(4)
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
    hire,
    change,
  }) => {
    const people = await hire(20)
    await statuses(people)
    for (const id of ['usr_000', 'usr_006', 'usr_012']) change(id, { isActive: false })
    await clock.advance(13 * hourMs)
    expect((await statuses(people)).filter((status) => status === 410)).toHaveLength(3)
    change('usr_018', { isActive: false })
    await clock.advance(13 * hourMs)
    await statuses(people)
    expect(new Set(await statuses(people))).toEqual(new Set([200]))
  })

  it('a revoked feed is not opened by anybody’s return', async ({
    clock,
    bridge,
    hire,
    change,
    readAgain,
  }) => {
    const people = await hire(3)
    change('usr_001', { isActive: false })
    await statuses(people)
    await bridge.api('DELETE', `/api/feeds/${people[1]!.feed.id}`)
    change('usr_001', { isActive: true })
    await clock.advance(25 * hourMs)
    await readAgain()
    expect(await statuses(people)).toEqual([200, 410, 200])
  })
})
