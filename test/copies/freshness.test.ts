/* How a feed stays fresh, and what it shows while the Read API does not answer as it should. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { calendarUrl, readsFrom, startBridge, type TestBridge } from '../support/bridge.ts'
import { type CompanyServer, startCompanyServer } from '../support/company-server.ts'
import { createSqliteDatabase } from '../support/databases.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { leave, task, twoPeople } from '../support/people.ts'
import { readCalendar, titlesOf } from '../support/read-calendar.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

let company: CompanyServer
let clock: FakeClock
let bridge: TestBridge

beforeEach(async () => {
  clock = createFakeClock()
  company = await startCompanyServer()
  Object.assign(company.records, twoPeople())
  const environment = {
    ...readsFrom(company.url),
    WORKFORCE_PROJECTS: 'prj_web',
    FEED_POLLS_PER_MINUTE: '100000',
  }
  bridge = await startBridge({ clock, environment })
})

afterEach(async () => {
  company.release()
  await bridge.close()
  await company.close()
})

async function feedOf(userId: string): Promise<string> {
  return calendarUrl(await bridge.createFeed({ userIds: [userId] }))
}

function asked(part: string): number {
  return company.requests.filter((it) => it.includes(part)).length
}

/** Resolves as soon as the company has been asked that often for something of that name. */
async function untilAsked(part: string, times: number): Promise<void> {
  await expect.poll(() => asked(part), { interval: 5 }).toBe(times)
}

describe('one call for all who wait', () => {
  test('a hundred simultaneous polls of one stale feed make one call per collection', async () => {
    const url = await feedOf('usr_ada')
    const before = await (await fetch(url)).text()
    await clock.advance(10 * minuteMs)
    company.requests.length = 0
    company.hold()
    const polls = Array.from({ length: 100 }, () => fetch(url))
    await untilAsked('/tasks', 1)
    company.release()
    const bodies = await Promise.all(polls.map(async (it) => (await it).text()))
    expect(new Set(bodies)).toEqual(new Set([before]))
    expect(company.requests.map((it) => it.split('?')[0]?.split('/').at(-1)).toSorted()).toEqual([
      'leaves',
      'schedules',
      'tasks',
      'timesheets',
    ])
  })

  test('of a hundred feeds of one company the shared collections are called once', async () => {
    company.records.users = Array.from({ length: 100 }, (_, index) => ({ id: `usr_${index}` }))
    const urls = await Promise.all(company.records.users.map(({ id }) => feedOf(id)))
    company.requests.length = 0
    const answers = await Promise.all(urls.map((url) => fetch(url)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(asked('/schedules')).toBe(1)
    expect(asked('/tasks')).toBe(1)
    expect(asked('/timesheets')).toBe(100)
  })

  test('a poll within the freshness period asks nothing', async () => {
    const url = await feedOf('usr_ada')
    await fetch(url)
    company.requests.length = 0
    await clock.advance(299_000)
    await fetch(url)
    expect(company.requests).toEqual([])
  })
})

describe('the Read API is down', () => {
  test('before the first poll: 503 with Retry-After and plain text, never an empty calendar', async () => {
    company.faults.set('/', 500)
    const made = await bridge.api('POST', '/api/feeds', { userIds: ['usr_ada'] })
    const { links, warnings } = (await made.json()) as { links: { url: string }[]; warnings: [] }
    expect(warnings).not.toHaveLength(0)
    const response = await fetch(links[0]!.url)
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    expect(await response.text()).not.toContain('BEGIN:VCALENDAR')
  })

  test('H8: seven days of the last good calendar, then 503; back up: fresh at the next poll', async () => {
    const url = await feedOf('usr_ada')
    const good = await fetch(url)
    expect(good.headers.get('X-Feed-Stale-Seconds')).toBeNull()
    const body = await good.text()
    company.faults.set('/', 500)
    for (let day = 1; day <= 7; day += 1) {
      await clock.advance(dayMs)
      const stale = await fetch(url)
      expect([stale.status, await stale.text()]).toEqual([200, body])
      expect(stale.headers.get('X-Feed-Stale-Seconds')).toBe(String(day * 86_400))
      const revalidated = await fetch(url, {
        headers: { 'If-None-Match': good.headers.get('ETag') ?? '' },
      })
      expect(revalidated.status).toBe(304)
      expect(revalidated.headers.get('X-Feed-Stale-Seconds')).toBe(String(day * 86_400))
    }
    await clock.advance(dayMs)
    expect((await fetch(url)).status).toBe(503)
    company.faults.clear()
    company.records.tasks['prj_web']?.push(task('tsk_new', '2026-01-26', [{ id: 'usr_ada' }]))
    await clock.advance(10 * minuteMs)
    const fresh = await fetch(url)
    expect(fresh.headers.get('X-Feed-Stale-Seconds')).toBeNull()
    expect(titlesOf(await fresh.text())).toContain('Task tsk_new')
  })

  test('H9: one failed collection does not hold back the others', async () => {
    const url = await feedOf('usr_ada')
    await fetch(url)
    await clock.advance(10 * minuteMs)
    company.faults.set('/timesheets', 500)
    company.records.timesheets = []
    company.records.tasks['prj_web']?.push(task('tsk_new', '2026-01-26', [{ id: 'usr_ada' }]))
    const response = await fetch(url)
    expect(response.headers.get('X-Feed-Stale-Seconds')).toBe('600')
    expect(titlesOf(await response.text())).toEqual(
      expect.arrayContaining(['Task tsk_new', 'Timesheet 1–15 Jan (draft)']),
    )
  })
})

describe('the Read API is slow', () => {
  test('H9, H14: a poll is answered within the budget from the last copy, and the next has the fresh data', async () => {
    const url = await feedOf('usr_ada')
    const before = await (await fetch(url)).text()
    await clock.advance(10 * minuteMs)
    company.records.leaves['usr_ada'] = [leave('lv_new', '2026-01-14')]
    company.requests.length = 0
    company.hold()
    const slow = fetch(url)
    await untilAsked('/tasks', 1)
    await clock.advance(8000)
    const answered = await slow
    expect([answered.status, await answered.text()]).toEqual([200, before])
    company.release()
    await expect
      .poll(async () => titlesOf(await (await fetch(url)).text()), { interval: 20 })
      .toContain('Leave lv_new')
    expect(asked('/timesheets')).toBe(1)
  })
})

describe('event data that suddenly shrinks', () => {
  function manyTasks(count: number): void {
    company.records.tasks['prj_web'] = Array.from({ length: count }, (_, index) =>
      task(`tsk_${index}`, '2026-01-20', [{ id: 'usr_ada' }]),
    )
  }

  async function taskCount(url: string): Promise<number> {
    await clock.advance(6 * minuteMs)
    const events = readCalendar(await (await fetch(url)).text())
    return [...events.keys()].filter((uid) => uid.startsWith('task-')).length
  }

  test.each([
    { before: 10, after: 4, is: 'more than half of ten' },
    { before: 3, after: 0, is: 'all of three' },
  ])('$is: believed only when a second reading a minute later gives the same', async (it) => {
    manyTasks(it.before)
    const url = await feedOf('usr_ada')
    expect(await taskCount(url)).toBe(it.before)
    manyTasks(it.after)
    expect(await taskCount(url)).toBe(it.before)
    company.requests.length = 0
    await clock.advance(minuteMs)
    await untilAsked('/tasks', 1)
    await expect.poll(() => taskCount(url)).toBe(it.after)
  })

  test('another answer starts over', async () => {
    manyTasks(10)
    const url = await feedOf('usr_ada')
    await taskCount(url)
    manyTasks(4)
    await taskCount(url)
    manyTasks(3)
    company.requests.length = 0
    await clock.advance(minuteMs)
    await untilAsked('/tasks', 1)
    expect(readCalendar(await (await fetch(url)).text()).size).toBeGreaterThanOrEqual(10)
  })

  test.each([
    { before: 10, after: 5 },
    { before: 9, after: 1 },
    { before: 2, after: 0 },
  ])('from $before to $after is believed at once', async (it) => {
    manyTasks(it.before)
    const url = await feedOf('usr_ada')
    await taskCount(url)
    manyTasks(it.after)
    expect(await taskCount(url)).toBe(it.after)
  })
})

describe('answers that cannot be believed', () => {
  test('E9, H8: records of which none fits any longer are no empty list, however often they come', async () => {
    const url = await feedOf('usr_ada')
    const before = await (await fetch(url)).text()
    company.records.leaves['usr_ada'] = [leave('lv_ada1', '2026-01-12', { startDate: 12 })]
    for (let reading = 0; reading < 3; reading += 1) {
      await clock.advance(10 * minuteMs)
      const response = await fetch(url)
      expect([response.status, await response.text()]).toEqual([200, before])
      expect(response.headers.get('X-Feed-Stale-Seconds')).not.toBeNull()
    }
  })

  test('E9: one record that does not fit takes no other with it', async () => {
    company.records.leaves['usr_ada']?.push(leave('lv_bad', '2026-01-14', { endDate: null }))
    const titles = titlesOf(await (await fetch(await feedOf('usr_ada'))).text())
    expect(titles).toEqual(expect.arrayContaining(['Leave lv_ada1', 'Leave lv_ada2']))
    expect(titles).not.toContain('Leave lv_bad')
  })

  test('event-rules 8: a project that was never there is empty, and does not make the feed stale', async () => {
    company.records.tasks = {}
    const url = await feedOf('usr_ada')
    for (let poll = 0; poll < 3; poll += 1) {
      const response = await fetch(url)
      expect(response.status).toBe(200)
      expect(response.headers.get('X-Feed-Stale-Seconds')).toBeNull()
      await clock.advance(6 * minuteMs)
    }
  })

  test('event-rules 8: a project that vanishes is believed a day later', async () => {
    const url = await feedOf('usr_ada')
    const before = await (await fetch(url)).text()
    company.records.tasks = {}
    await clock.advance(6 * minuteMs)
    expect(await (await fetch(url)).text()).toBe(before)
    await clock.advance(dayMs)
    expect(titlesOf(await (await fetch(url)).text())).not.toContain('Task tsk_ada')
  })
})

describe('two nodes on one database', () => {
  test('a node does not report a staleness that another has ended', async () => {
    const DATABASE_URL = createSqliteDatabase()
    const environment = { ...readsFrom(company.url), DATABASE_URL }
    const [one, other] = [
      await startBridge({ clock, environment }),
      await startBridge({ clock, environment }),
    ]
    const path = new URL(calendarUrl(await one.createFeed({ userIds: ['usr_ada'] }))).pathname
    await fetch(one.url + path)
    await clock.advance(6 * minuteMs)
    company.faults.set('/timesheets', 500)
    expect((await fetch(one.url + path)).headers.get('X-Feed-Stale-Seconds')).toBe('360')
    company.faults.clear()
    await clock.advance(1000)
    expect((await fetch(other.url + path)).headers.get('X-Feed-Stale-Seconds')).toBeNull()
    expect((await fetch(one.url + path)).headers.get('X-Feed-Stale-Seconds')).toBeNull()
    await one.close()
    await other.close()
  })
})
