/* Whose leaves an answer holds is believed only with proof: nothing in it shows it. */
import { describe, expect } from 'vitest'

import { calendarUrl, startBridge } from '../support/bridge.ts'
import { it } from '../support/fixtures.ts'
import { leave } from '../support/people.ts'

const dayMs = 86_400_000

function leavesOf({ titles }: { titles: readonly string[] }): readonly string[] {
  return titles.filter((title) => title.startsWith('Leave '))
}

describe('a filter that is honoured', () => {
  it('shows each person their own leaves, timesheets and tasks', async ({ feedOf, poll }) => {
    expect(await poll(await feedOf('usr_ada'))).toMatchObject({
      status: 200,
      titles: [
        'Day shift',
        'Leave lv_ada1',
        'Leave lv_ada2',
        'Task tsk_ada',
        'Task tsk_both',
        'Timesheet 1–15 Jan (draft)',
      ],
    })
  })

  it('is proven by a request for an employee who cannot exist, sent after the answer', async ({
    company,
    feedOf,
    poll,
  }) => {
    await poll(await feedOf('usr_ada'))
    const asked = company.requests.filter((address) => address.includes('/leaves'))
    expect(asked).toHaveLength(2)
    expect(asked[0]).toContain('userId=usr_ada')
    expect(asked[1]).toMatch(/userId=usr_[0-9a-f]{32}$/)
  })

  it('needs no further proof while a person’s leaves stay as they are', async ({
    company,
    feedOf,
    poll,
  }) => {
    const url = await feedOf('usr_ada')
    await poll(url)
    company.requests.length = 0
    await poll(url)
    expect(company.requests.filter((address) => address.includes('/leaves'))).toHaveLength(1)
  })

  it.for([400, 404, 422])(
    'counts %i for the canary as nobody’s leaves',
    async (status, { company, feedOf, poll }) => {
      company.unknownEmployee = status
      expect(leavesOf(await poll(await feedOf('usr_ada')))).toHaveLength(2)
    },
  )
})

describe('a filter that is ignored', () => {
  it('shows nobody’s leave, and the page says why', async ({ company, feedOf, poll }) => {
    company.ignores = 'employee of leaves'
    const url = await feedOf('usr_ada')
    const { status, titles } = await poll(url)
    expect(status).toBe(200)
    expect(titles).toContain('Task tsk_ada')
    expect(leavesOf({ titles })).toEqual([])
    const page = await fetch(url.slice(0, url.lastIndexOf('/')))
    expect(await page.text()).toMatch(/leave/i)
  })

  it('leaves timesheets and tasks of others out even where every filter is ignored', async ({
    company,
    feedOf,
    poll,
  }) => {
    company.ignores = 'all filters'
    expect(await poll(await feedOf('usr_ada'))).toMatchObject({
      status: 200,
      titles: ['Day shift', 'Task tsk_ada', 'Task tsk_both', 'Timesheet 1–15 Jan (draft)'],
    })
  })

  it('after it was proven, keeps what was proven and nothing new, and ends after the stale days', async ({
    company,
    clock,
    feedOf,
    poll,
  }) => {
    const url = await feedOf('usr_ada')
    await poll(url)
    company.ignores = 'employee of leaves'
    company.records.leaves['usr_ada'] = [leave('lv_ada9', '2026-01-14')]
    expect(leavesOf(await poll(url))).toEqual(['Leave lv_ada1', 'Leave lv_ada2'])
    await clock.advance(7 * dayMs)
    expect((await poll(url)).status).toBe(503)
    const later = await feedOf('usr_bob')
    expect(await poll(later)).toMatchObject({ status: 200 })
    expect(leavesOf(await poll(later))).toEqual([])
  })

  it('is believed again once it is honoured again', async ({ company, feedOf, poll }) => {
    const url = await feedOf('usr_ada')
    await poll(url)
    company.ignores = 'employee of leaves'
    company.records.leaves['usr_ada'] = [leave('lv_ada9', '2026-01-14')]
    await poll(url)
    company.ignores = 'nothing'
    expect(leavesOf(await poll(url))).toEqual(['Leave lv_ada9'])
  })
})

describe('a canary that is not answered', () => {
  it.for([401, 403, 429, 500, 503])(
    'with %i proves nothing: no new leave is kept',
    async (status, { company, clock, feedOf, poll }) => {
      const url = await feedOf('usr_ada')
      company.unknownEmployee = status
      const first = await poll(url)
      expect(first.status).toBe(200)
      expect(leavesOf(first)).toEqual([])
      company.unknownEmployee = null
      await clock.advance(10 * 60_000)
      expect(leavesOf(await poll(url))).toHaveLength(2)
      company.unknownEmployee = status
      company.records.leaves['usr_ada'] = [leave('lv_ada9', '2026-01-14')]
      expect(leavesOf(await poll(url))).toEqual(['Leave lv_ada1', 'Leave lv_ada2'])
    },
  )
})

describe('a leave that comes for two employees', () => {
  it('is shown to neither from then on, and others keep theirs', async ({
    company,
    feedOf,
    poll,
  }) => {
    company.records.users.push({ id: 'usr_cleo', firstName: 'Cleo' })
    company.records.leaves['usr_cleo'] = [leave('lv_cleo', '2026-01-19')]
    const [adas, bobs, cleos] = [
      await feedOf('usr_ada'),
      await feedOf('usr_bob'),
      await feedOf('usr_cleo'),
    ]
    for (const url of [adas, bobs, cleos]) expect((await poll(url)).status).toBe(200)
    company.records.leaves['usr_bob'] = [
      leave('lv_bob1', '2026-01-13'),
      leave('lv_ada1', '2026-01-12'),
    ]
    expect(leavesOf(await poll(bobs))).not.toContain('Leave lv_ada1')
    expect((await poll(adas)).status).toBe(503)
    expect(leavesOf(await poll(cleos))).toEqual(['Leave lv_cleo'])
  })

  it('is believed again once it comes for one only', async ({ company, feedOf, poll }) => {
    const [adas, bobs] = [await feedOf('usr_ada'), await feedOf('usr_bob')]
    await poll(adas)
    await poll(bobs)
    const bobsOwn = company.records.leaves['usr_bob'] ?? []
    company.records.leaves['usr_bob'] = [...bobsOwn, leave('lv_ada1', '2026-01-12')]
    await poll(bobs)
    expect((await poll(adas)).status).toBe(503)
    company.records.leaves['usr_bob'] = bobsOwn
    await poll(bobs)
    expect(leavesOf(await poll(adas))).toEqual(['Leave lv_ada1', 'Leave lv_ada2'])
  })
})

describe('a dispute with somebody whom nobody asks for any more', () => {
  it('ends by asking for them again', async ({ company, node, feedOf, poll }) => {
    const [adas, bobs] = [await feedOf('usr_ada'), await feedOf('usr_bob')]
    await poll(adas)
    const [moved] = company.records.leaves['usr_ada'] ?? []
    company.records.leaves = { usr_bob: [moved!] }
    await poll(bobs)
    expect(leavesOf(await poll(bobs))).toEqual([])
    await node.sources.get('main')?.settleDisputes(new AbortController().signal)
    expect(leavesOf(await poll(bobs))).toEqual(['Leave lv_ada1'])
  })
})

describe('another connection', () => {
  it('starts without proof, and a feed that showed leaves answers 503 until there is one', async ({
    company,
    clock,
    environment,
    poll,
  }) => {
    const before = await startBridge({ clock, environment })
    const shown = new URL(calendarUrl(await before.createFeed({ userIds: ['usr_ada'] }))).pathname
    const never = new URL(calendarUrl(await before.createFeed({ userIds: ['usr_bob'] }))).pathname
    expect((await poll(before.url + shown)).status).toBe(200)
    await before.close()

    company.ignores = 'employee of leaves'
    const after = await startBridge({
      clock,
      environment: { ...environment, WORKFORCE_AUTH: 'bearer:another' },
    })
    expect((await poll(after.url + shown)).status).toBe(503)
    expect(leavesOf(await poll(after.url + never))).toEqual([])
    company.ignores = 'nothing'
    expect(leavesOf(await poll(after.url + shown))).toEqual(['Leave lv_ada1', 'Leave lv_ada2'])
    await after.close()
  })
})
