/* People who leave lose their calendar; a Read API that breaks takes nobody's. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import {
  calendarUrl,
  type FeedAnswer,
  readsFrom,
  startBridge,
  type TestBridge,
} from '../support/bridge.ts'
import { type CompanyServer, startCompanyServer } from '../support/company-server.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { leave } from '../support/people.ts'
import { titlesOf } from '../support/read-calendar.ts'

const hourMs = 3_600_000

let company: CompanyServer
let clock: FakeClock
let bridge: TestBridge

beforeEach(async () => {
  clock = createFakeClock()
  company = await startCompanyServer()
  company.records.schedules = [{ id: 'sch_day', pattern: {} }]
  bridge = await startBridge({ clock, environment: readsFrom(company.url) })
})

afterEach(async () => {
  await bridge.close()
  await company.close()
})

interface Person {
  readonly id: string
  readonly feed: FeedAnswer
  readonly url: string
}

/** People of the company, each with a leave and a feed of their own. */
async function hire(count: number): Promise<Person[]> {
  const people: Person[] = []
  for (let number = 0; number < count; number += 1) {
    const id = `usr_${String(number).padStart(3, '0')}`
    company.records.users.push({ id, firstName: `Person ${number}`, isActive: true })
    company.records.leaves[id] = [leave(`lv_${number}`, '2026-01-12')]
    const feed = await bridge.createFeed({ userIds: [id] })
    people.push({ id, feed, url: calendarUrl(feed) })
  }
  return people
}

function change(id: string, changes: object): void {
  const { users } = company.records
  const index = users.findIndex((user) => user.id === id)
  users[index] = { ...users[index]!, ...changes }
}

async function statuses(people: readonly Person[]): Promise<number[]> {
  const found: number[] = []
  for (const { url } of people) found.push((await fetch(url)).status)
  return found
}

async function closedBecause({ feed }: Person): Promise<unknown> {
  const { closedBecause: because } = (await (
    await bridge.api('GET', `/api/feeds/${feed.id}`)
  ).json()) as { closedBecause: unknown }
  return because
}

/** Everybody polls every other hour. */
async function pass(hours: number, people: readonly Person[]): Promise<void> {
  for (let passed = 0; passed < hours; passed += 2) {
    await clock.advance(2 * hourMs)
    await statuses(people)
  }
}

async function readAgain(): Promise<void> {
  const { departures } = await bridge.node()
  await departures.readAgain(new AbortController().signal)
}

describe('one person who is no longer active', () => {
  test('loses the calendar at the next reading, nobody else does, and the API says why', async () => {
    const people = await hire(3)
    expect(await statuses(people)).toEqual([200, 200, 200])
    change('usr_001', { isActive: false })
    await clock.advance(13 * hourMs)
    expect(await statuses(people)).toEqual([200, 410, 200])
    expect(await closedBecause(people[1]!)).toBe('user_inactive')
    expect(await statuses(people)).toEqual([200, 410, 200])
  })

  test('has the same calendar again a day after being active again', async () => {
    const people = await hire(3)
    const before = await (await fetch(people[1]!.url)).text()
    change('usr_001', { isActive: false })
    await clock.advance(13 * hourMs)
    await statuses(people)
    change('usr_001', { isActive: true })
    await clock.advance(12 * hourMs)
    await readAgain()
    expect((await fetch(people[1]!.url)).status).toBe(410)
    await clock.advance(12 * hourMs)
    await readAgain()
    const again = await fetch(people[1]!.url)
    expect([again.status, await again.text()]).toEqual([200, before])
    expect(await closedBecause(people[1]!)).toBeNull()
  })

  test('gets no other calendar, and is served none that was made while the Read API said nothing', async () => {
    const people = await hire(3)
    change('usr_001', { isActive: false })
    expect(await statuses(people)).toEqual([200, 410, 200])
    const refused = await bridge.api('POST', '/api/feeds', { userIds: ['usr_001'], name: 'Two' })
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringMatching(/"\/userIds\/0".*has left/),
    ])
    company.faults.set('/users/usr_001', 500)
    const second = calendarUrl(await bridge.createFeed({ userIds: ['usr_001'], name: 'Two' }))
    company.faults.clear()
    expect((await fetch(second)).status).toBe(410)
  })

  test('has a calendar made after the return at once', async () => {
    const people = await hire(3)
    change('usr_001', { isActive: false })
    expect(await statuses(people)).toEqual([200, 410, 200])
    change('usr_001', { isActive: true })
    const second = calendarUrl(await bridge.createFeed({ userIds: ['usr_001'], name: 'Two' }))
    expect((await fetch(second)).status).toBe(200)
    expect(await statuses(people)).toEqual([200, 200, 200])
  })

  test('is asked for once a day, by one node', async () => {
    const people = await hire(3)
    change('usr_001', { isActive: false })
    await statuses(people)
    await clock.advance(25 * hourMs)
    company.requests.length = 0
    await Promise.all([readAgain(), readAgain()])
    await readAgain()
    expect(company.requests).toEqual(['/api/public/v1/users/usr_001'])
  })

  test('ends in calendars about others, and comes back there', async () => {
    await hire(3)
    const team = calendarUrl(await bridge.createFeed({ userIds: ['usr_000', 'usr_001'] }))
    const titles = async (): Promise<readonly string[]> =>
      titlesOf(await (await fetch(team)).text())
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
  test.each([
    ['a user without isActive', { isActive: undefined }, undefined],
    ['a user whose isActive is null', { isActive: null }, undefined],
    ['a user that the credential does not open', {}, 403],
    ['a user that the Read API fails to give', {}, 500],
  ])('%s', async (_, changes, fault) => {
    const people = await hire(3)
    await statuses(people)
    change('usr_001', changes)
    if (fault !== undefined) company.faults.set('/users/usr_001', fault)
    await pass(60, people)
    expect(await statuses(people)).toEqual([200, 200, 200])
  })
})

describe('one person whom the Read API does not know any more', () => {
  test('keeps the calendar for a day and loses it then', async () => {
    const people = await hire(3)
    await statuses(people)
    company.faults.set('/users/usr_001', 404)
    await pass(34, people)
    expect(await statuses(people)).toEqual([200, 200, 200])
    await pass(6, people)
    expect(await statuses(people)).toEqual([200, 410, 200])
    expect(await closedBecause(people[1]!)).toBe('user_missing')
  })

  test('keeps it when found again in between, however often that happens', async () => {
    const people = await hire(3)
    for (let turn = 0; turn < 4; turn += 1) {
      company.faults.set('/users/usr_001', 404)
      await pass(20, people)
      company.faults.clear()
      await pass(14, people)
    }
    expect(await statuses(people)).toEqual([200, 200, 200])
  })

  test('keeps it while nothing else is answered either', async () => {
    const people = await hire(3)
    await statuses(people)
    company.faults.set('/users/usr_001', 404)
    company.faults.set('/schedules', 403)
    await pass(72, people)
    expect(await statuses(people)).toEqual([200, 200, 200])
  })
})

describe('too many at once', () => {
  test('a Read API that knows none of the users for days closes no feed, and says so', async () => {
    const people = await hire(6)
    await statuses(people)
    company.faults.set('/users/', 404)
    await pass(72, people)
    expect(await statuses(people)).toEqual([200, 200, 200, 200, 200, 200])
    expect(await (await bridge.node()).departures.heldBack('main')).toEqual({
      people: 6,
      leaving: 6,
    })
    const examination = await (await bridge.api('GET', '/api/companies/main/examination')).text()
    expect(examination).toContain('"check":"departures"')
    company.faults.clear()
    await pass(24, people)
    await readAgain()
    expect(await (await bridge.node()).departures.heldBack('main')).toBeNull()
  })

  test('nor where only one of its feeds is ever asked for', async () => {
    const [polled] = await hire(6)
    await statuses([polled!])
    company.faults.set('/users/', 404)
    await pass(72, [polled!])
    expect(await statuses([polled!])).toEqual([200])
  })

  test('one that says of all that they are inactive closes none either', async () => {
    const people = await hire(6)
    await statuses(people)
    for (const { id } of people) change(id, { isActive: false })
    await clock.advance(13 * hourMs)
    expect(await statuses(people)).toEqual([200, 200, 200, 200, 200, 200])
  })

  test('nor are events of others ended', async () => {
    const people = await hire(4)
    const team = calendarUrl(await bridge.createFeed({ userIds: people.map(({ id }) => id) }))
    const before = await (await fetch(team)).text()
    company.faults.set('/users/', 404)
    for (let hours = 0; hours < 72; hours += 2) {
      await clock.advance(2 * hourMs)
      await fetch(team)
    }
    expect(await (await fetch(team)).text()).toBe(before)
  })

  test('those already closed that day are opened again when the next makes it too many', async () => {
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

  test('a revoked feed is not opened by anybody’s return', async () => {
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
