/* How a feed stays fresh, and what it shows while the Read API does not answer as it should. */
import { describe, expect } from 'vitest'

import { calendarUrl, startBridge } from '../support/bridge/bridge.ts'
import type { FakeClock } from '../support/bridge/fake-clock.ts'
import { it as base, type PollAnswer, pollNow } from '../support/bridge/fixtures.ts'
import { readCalendar } from '../support/calendar/read-calendar.ts'
import type { CompanyServer } from '../support/company/company-server.ts'
import { leave, task } from '../support/company/people.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

const it = base
  .extend('settings', { FEED_FRESH_SECONDS: '300' })
  /** How often the company has been asked for something of that name. */
  .extend('asked', ({ company }) => (part: string): number => {
    return company.requests.filter((address) => address.includes(part)).length
  })
  /** Resolves as soon as it has been asked for that so often. */
  .extend('untilAsked', ({ asked }) => async (part: string, times: number): Promise<void> => {
    await expect.poll(() => asked(part), { interval: 5 }).toBe(times)
  })

/** The age of the oldest copy that could not be refreshed; null while none failed. */
function staleSeconds({ headers }: Pick<PollAnswer, 'headers'>): string | null {
  return headers.get('X-Feed-Stale-Seconds')
}

describe('one call for all waiting polls', () => {
  it('A hundred simultaneous polls of one stale feed make one call per collection', async ({
    company,
    clock,
    feedOf,
    untilAsked,
  }) => {
    const url = await feedOf('usr_ada')
    const { text } = await pollNow(url)
    await clock.advance(10 * minuteMs)
    company.requests.length = 0
    company.hold()
    const polls = Array.from({ length: 100 }, () => pollNow(url))
    await untilAsked('/tasks', 1)
    company.release()
    const answers = await Promise.all(polls)
    expect(new Set(answers.map((answer) => answer.text))).toEqual(new Set([text]))
    const asked = company.requests.map((address) => address.split('?')[0]?.split('/').at(-1))
    expect(asked.toSorted()).toEqual(['leaves', 'schedules', 'tasks', 'timesheets'])
  })

  it('After a renewal, no request is answered by a call already under way', async ({
    company,
    clock,
    node,
    asked,
    untilAsked,
  }) => {
    const source = node.sources.get('main')
    const request = {
      collection: { kind: 'schedules', subject: '' },
      scope: { reach: null, reasons: false },
    } as const
    company.hold()
    const before = source?.current([request])
    await untilAsked('/schedules', 1)
    source?.renew()
    await clock.advance(1)
    const after = source?.current([request])
    await untilAsked('/schedules', 2)
    company.release()
    await Promise.all([before, after])
    await source?.current([request])
    expect(asked('/schedules')).toBe(2)
  })

  it('Twenty feeds of one company call the shared collections once', async ({
    company,
    feedOf,
    asked,
  }) => {
    company.records.users = Array.from({ length: 20 }, (_, index) => ({ id: `usr_${index}` }))
    const urls = await Promise.all(company.records.users.map(({ id }) => feedOf(id)))
    company.requests.length = 0
    const answers = await Promise.all(urls.map((url) => pollNow(url)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(asked('/schedules')).toBe(1)
    expect(asked('/tasks')).toBe(1)
    expect(asked('/timesheets')).toBe(20)
  })

  it('Feeds with different windows polled at once leave a copy that is enough for both', async ({
    company,
    clock,
    feedOf,
    asked,
    untilAsked,
  }) => {
    company.faults.set('/', 500)
    const past = await feedOf('usr_ada', { options: { window: { pastDays: 60, futureDays: 30 } } })
    const future = await feedOf('usr_ada', {
      options: { window: { pastDays: 7, futureDays: 365 } },
    })
    company.faults.clear()
    await clock.advance(10 * minuteMs)
    company.requests.length = 0
    company.hold()
    const first = pollNow(past)
    await untilAsked('/timesheets', 1)
    // Of two answers to questions of one instant either may be kept.
    await clock.advance(1000)
    const second = pollNow(future)
    await untilAsked('/timesheets', 2)
    company.release()
    const answers = await Promise.all([first, second])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    company.requests.length = 0
    const again = [await pollNow(past), await pollNow(future)]
    expect(again.map(({ text }) => text)).toEqual(answers.map(({ text }) => text))
    expect(asked('/timesheets')).toBe(0)
  })

  it('Users read when a feed is made are not requested again', async ({
    company,
    bridge,
    asked,
  }) => {
    company.faults.set('/users/usr_bob', 500)
    const feed = await bridge.createFeed({ userIds: ['usr_ada', 'usr_bob'] })
    company.faults.clear()
    company.requests.length = 0
    expect((await pollNow(calendarUrl(feed))).status).toBe(200)
    // Who is read for the first time is read twice.
    expect([asked('/users/usr_ada'), asked('/users/usr_bob')]).toEqual([0, 2])
  })

  it('A poll within the freshness period makes no calls', async ({ company, clock, feedOf }) => {
    const url = await feedOf('usr_ada')
    await pollNow(url)
    company.requests.length = 0
    await clock.advance(299_000)
    await pollNow(url)
    expect(company.requests).toEqual([])
  })
})

describe('a Read API that is down', () => {
  it('The first poll answers 503 with Retry-After and plain text, never an empty calendar', async ({
    company,
    bridge,
  }) => {
    company.faults.set('/', 500)
    const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
    expect(feed['warnings']).not.toHaveLength(0)
    const { status, headers, text } = await pollNow(calendarUrl(feed))
    expect(status).toBe(503)
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    expect(text).not.toContain('BEGIN:VCALENDAR')
  })

  it('The last good calendar lasts seven days, then 503; the first poll after recovery is fresh', async ({
    company,
    clock,
    feedOf,
  }) => {
    const url = await feedOf('usr_ada')
    const good = await pollNow(url)
    expect(staleSeconds(good)).toBeNull()
    company.faults.set('/', 500)
    for (let day = 1; day <= 7; day += 1) {
      await clock.advance(dayMs)
      const stale = await pollNow(url)
      expect([stale.status, stale.text]).toEqual([200, good.text])
      expect(staleSeconds(stale)).toBe(String(day * 86_400))
      const validator = { 'If-None-Match': good.headers.get('ETag') ?? '' }
      const revalidated = await pollNow(url, validator)
      expect(revalidated.status).toBe(304)
      expect(staleSeconds(revalidated)).toBe(String(day * 86_400))
    }
    await clock.advance(dayMs)
    expect((await pollNow(url)).status).toBe(503)
    company.faults.clear()
    company.records.tasks['prj_web']?.push(task('tsk_new', '2026-01-26', [{ id: 'usr_ada' }]))
    await clock.advance(10 * minuteMs)
    const fresh = await pollNow(url)
    expect(staleSeconds(fresh)).toBeNull()
    expect(fresh.titles).toContain('Task tsk_new')
  })

  it('One failed collection does not hold back the others', async ({ company, clock, feedOf }) => {
    const url = await feedOf('usr_ada')
    await pollNow(url)
    await clock.advance(10 * minuteMs)
    company.faults.set('/timesheets', 500)
    company.records.timesheets = []
    company.records.tasks['prj_web']?.push(task('tsk_new', '2026-01-26', [{ id: 'usr_ada' }]))
    const answer = await pollNow(url)
    expect(staleSeconds(answer)).toBe('600')
    expect(answer.titles).toEqual(
      expect.arrayContaining(['Task tsk_new', 'Timesheet 1–15 Jan (draft)']),
    )
  })
})

describe('a slow Read API', () => {
  it('A poll gets the last copy and its age within the budget, and the next poll gets fresh data', async ({
    company,
    clock,
    feedOf,
    asked,
    untilAsked,
  }) => {
    const url = await feedOf('usr_ada')
    const before = await pollNow(url)
    await clock.advance(10 * minuteMs)
    company.records.leaves['usr_ada'] = [leave('lv_new', '2026-01-14')]
    company.requests.length = 0
    company.hold()
    const slow = pollNow(url)
    await untilAsked('/tasks', 1)
    await clock.advance(8000)
    const late = await slow
    expect(late).toMatchObject({ status: 200, text: before.text })
    expect(staleSeconds(late)).toBe('608')
    company.release()
    await expect
      .poll(async () => (await pollNow(url)).titles, { interval: 20 })
      .toContain('Leave lv_new')
    expect(asked('/timesheets')).toBe(1)
  })
})

describe('event data that suddenly shrinks', () => {
  async function countTasks(clock: FakeClock, url: string): Promise<number> {
    await clock.advance(6 * minuteMs)
    const events = readCalendar((await pollNow(url)).text)
    return [...events.keys()].filter((uid) => uid.startsWith('task-')).length
  }

  function setTasks({ records }: CompanyServer, count: number): void {
    records.tasks['prj_web'] = Array.from({ length: count }, (_, index) =>
      task(`tsk_${index}`, '2026-01-20', [{ id: 'usr_ada' }]),
    )
  }

  it.for([
    { before: 10, after: 4, is: 'more than half of ten' },
    { before: 3, after: 1, is: 'two of three' },
  ])(
    'The loss of $is is believed only if a second reading a minute later agrees',
    async ({ before, after }, { company, clock, feedOf, untilAsked }) => {
      setTasks(company, before)
      const url = await feedOf('usr_ada')
      expect(await countTasks(clock, url)).toBe(before)
      setTasks(company, after)
      expect(await countTasks(clock, url)).toBe(before)
      company.requests.length = 0
      await clock.advance(minuteMs)
      await untilAsked('/tasks', 1)
      await expect.poll(() => countTasks(clock, url)).toBe(after)
    },
  )

  it.for([1, 3, 12])(
    'The loss of all %i is believed only if a third reading ten minutes after the second agrees',
    async (before, { company, clock, feedOf, untilAsked }) => {
      setTasks(company, before)
      const url = await feedOf('usr_ada')
      expect(await countTasks(clock, url)).toBe(before)
      setTasks(company, 0)
      await clock.advance(5 * minuteMs)
      company.requests.length = 0
      expect(await countTasks(clock, url)).toBe(before)
      await untilAsked('/tasks', 1)
      await clock.advance(minuteMs)
      await untilAsked('/tasks', 2)
      expect(await countTasks(clock, url)).toBe(before)
      await clock.advance(10 * minuteMs)
      await expect.poll(() => countTasks(clock, url)).toBe(0)
    },
  )

  it('A smaller loss is believed at once, whatever is being doubted', async ({
    company,
    clock,
    feedOf,
  }) => {
    setTasks(company, 10)
    const url = await feedOf('usr_ada')
    await countTasks(clock, url)
    setTasks(company, 0)
    expect(await countTasks(clock, url)).toBe(10)
    setTasks(company, 9)
    await clock.advance(10_000)
    const events = readCalendar((await pollNow(url)).text)
    expect([...events.keys()].filter((uid) => uid.startsWith('task-'))).toHaveLength(9)
  })

  it('A different answer restarts the check', async ({ company, clock, feedOf, untilAsked }) => {
    setTasks(company, 10)
    const url = await feedOf('usr_ada')
    await countTasks(clock, url)
    setTasks(company, 4)
    await countTasks(clock, url)
    setTasks(company, 3)
    company.requests.length = 0
    await clock.advance(minuteMs)
    await untilAsked('/tasks', 1)
    expect(readCalendar((await pollNow(url)).text).size).toBeGreaterThanOrEqual(10)
  })

  it.for([
    { before: 10, after: 5 },
    { before: 3, after: 2 },
    { before: 2, after: 1 },
  ])(
    'A change from $before to $after is believed at once',
    async ({ before, after }, { company, clock, feedOf }) => {
      setTasks(company, before)
      const url = await feedOf('usr_ada')
      await countTasks(clock, url)
      setTasks(company, after)
      expect(await countTasks(clock, url)).toBe(after)
    },
  )
})

describe('answers that cannot be believed', () => {
  it('A list of only invalid records is not an empty list, however often it is returned', async ({
    company,
    clock,
    feedOf,
  }) => {
    const url = await feedOf('usr_ada')
    const before = await pollNow(url)
    company.records.leaves['usr_ada'] = [leave('lv_ada1', '2026-01-12', { startDate: 12 })]
    for (let reading = 0; reading < 3; reading += 1) {
      await clock.advance(10 * minuteMs)
      const answer = await pollNow(url)
      expect([answer.status, answer.text]).toEqual([200, before.text])
      expect(staleSeconds(answer)).not.toBeNull()
    }
  })

  it('An invalid record affects no other record', async ({ company, feedOf }) => {
    company.records.leaves['usr_ada']?.push(leave('lv_bad', '2026-01-14', { endDate: null }))
    const { titles } = await pollNow(await feedOf('usr_ada'))
    expect(titles).toEqual(expect.arrayContaining(['Leave lv_ada1', 'Leave lv_ada2']))
    expect(titles).not.toContain('Leave lv_bad')
  })

  it('A project that never existed is empty and does not make the feed stale', async ({
    company,
    clock,
    feedOf,
  }) => {
    company.records.tasks = {}
    const url = await feedOf('usr_ada')
    for (let poll = 0; poll < 3; poll += 1) {
      const answer = await pollNow(url)
      expect([answer.status, staleSeconds(answer)]).toEqual([200, null])
      await clock.advance(6 * minuteMs)
    }
  })

  it('A vanished project is believed to be gone a day later', async ({
    company,
    clock,
    feedOf,
  }) => {
    const url = await feedOf('usr_ada')
    const before = await pollNow(url)
    company.records.tasks = {}
    await clock.advance(6 * minuteMs)
    expect((await pollNow(url)).text).toBe(before.text)
    await clock.advance(dayMs)
    expect((await pollNow(url)).titles).not.toContain('Task tsk_ada')
  })
})

describe('two nodes on one database', () => {
  it('A node does not report a staleness that another node has ended', async ({
    company,
    clock,
    environment,
    feedOf,
  }) => {
    const here = await feedOf('usr_ada')
    const other = await startBridge({ clock, environment })
    const there = other.url + new URL(here).pathname
    await pollNow(here)
    await clock.advance(6 * minuteMs)
    company.faults.set('/timesheets', 500)
    expect(staleSeconds(await pollNow(here))).toBe('360')
    company.faults.clear()
    await clock.advance(1000)
    expect(staleSeconds(await pollNow(there))).toBeNull()
    expect(staleSeconds(await pollNow(here))).toBeNull()
    await other.close()
  })
})
