/* Whose leaves an answer holds is believed only with proof: nothing in it shows it. */
import { describe, expect } from 'vitest'

import { calendarUrl, startBridge } from '../support/bridge/bridge.ts'
import { it } from '../support/bridge/fixtures.ts'
import { leave } from '../support/company/people.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

function leavesOf({ titles }: { titles: readonly string[] }): readonly string[] {
  return titles.filter((title) => title.startsWith('Leave '))
}

describe('a filter that is honoured', () => {
  it('Shows each person their own leaves, timesheets and tasks', async ({ feedOf, poll }) => {
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

  it('Is proven by three readings, each with an unknown id, a shortened id and another person', async ({
    company,
    feedOf,
    poll,
  }) => {
    await poll(await feedOf('usr_ada'))
    const asked = company.requests.flatMap(
      (address) => /leaves\?userId=(.*)/.exec(address)?.[1] ?? [],
    )
    expect(asked[0]).toBe('usr_ada')
    expect(asked.filter((id) => id === 'usr_ada')).toHaveLength(3)
    expect(asked.filter((id) => /^usr_[0-9a-f]{32}$/.test(id))).toHaveLength(3)
    expect(asked.filter((id) => id === 'usr_ad')).toHaveLength(3)
    expect(asked.filter((id) => id === 'usr_bob').length).toBeGreaterThanOrEqual(3)
  })

  it('Is tested with ids that only resemble a person’s before any leave is shown', async ({
    company,
    feedOf,
    poll,
  }) => {
    await poll(await feedOf('usr_ada'))
    const asked = `${company.requests.join('\n')}\n`
    for (const id of ['sr_ada', 'usr_ad%25', 'usr_ad_', 'usr_ad*', 'USR_ADA']) {
      expect(asked).toContain(`userId=${id}\n`)
    }
  })

  it('Needs no further proof while a person’s leaves stay the same', async ({
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

  it.for([400, 403, 404, 410, 422])(
    'Accepts %i for the canary as no leaves',
    async (status, { company, feedOf, poll }) => {
      company.unknownEmployee = status
      expect(leavesOf(await poll(await feedOf('usr_ada')))).toHaveLength(2)
    },
  )
})

describe('a filter that is ignored', () => {
  it('Shows no leaves, and the page says why', async ({ company, feedOf, poll }) => {
    company.ignores = 'employee of leaves'
    const url = await feedOf('usr_ada')
    const { status, titles } = await poll(url)
    expect(status).toBe(200)
    expect(titles).toContain('Task tsk_ada')
    expect(leavesOf({ titles })).toEqual([])
    const page = await fetch(url.slice(0, url.lastIndexOf('/')))
    expect(await page.text()).toMatch(/leave/i)
  })

  it('Leaves out timesheets and tasks of others even if every filter is ignored', async ({
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

  it('Keeps only the leaves proven before, and ends after the stale days', async ({
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

  it('stays disproved while two people get the same leaves, even once one of them has left', async ({
    company,
    clock,
    feedOf,
    poll,
  }) => {
    const [ada, bob] = [await feedOf('usr_ada'), await feedOf('usr_bob')]
    await poll(ada)
    const proven = leavesOf(await poll(bob))
    company.ignores = 'all filters'
    const { leaves, users } = company.records
    leaves['usr_ada'] = [leave('lv_ada8', '2026-01-14')]
    await clock.advance(10 * minuteMs)
    expect(leavesOf(await poll(bob))).toEqual(proven)
    company.unknownEmployee = 404
    await clock.advance(20 * minuteMs)
    expect(leavesOf(await poll(bob))).toEqual(proven)
    company.records.users = users.map((user) =>
      user['id'] === 'usr_ada' ? { ...user, isActive: false } : user,
    )
    await clock.advance(dayMs)
    await expect.poll(async () => (await poll(ada)).status).toBe(410)
    for (const id of ['lv_ada9', 'lv_ada10']) {
      leaves['usr_ada'].push(leave(id, '2026-01-15'))
      await clock.advance(dayMs)
      expect(leavesOf(await poll(bob))).toEqual(proven)
    }
  })

  it('Is believed again ten minutes later if it is honoured again', async ({
    company,
    clock,
    feedOf,
    poll,
  }) => {
    const url = await feedOf('usr_ada')
    await poll(url)
    company.ignores = 'employee of leaves'
    company.records.leaves['usr_ada'] = [leave('lv_ada9', '2026-01-14')]
    await poll(url)
    company.ignores = 'nothing'
    expect(leavesOf(await poll(url))).toEqual(['Leave lv_ada1', 'Leave lv_ada2'])
    await clock.advance(10 * minuteMs)
    await poll(url)
    await expect.poll(async () => leavesOf(await poll(url))).toEqual(['Leave lv_ada9'])
  })
})

describe('an unanswered canary', () => {
  it.for([401, 429, 500, 503])(
    'Proves nothing with status %i: no new leave is kept',
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

describe('a leave returned for two employees', () => {
  const closing = leave('lv_closing', '2026-01-26')

  it('Is shown to the first employee, and the feed of the other continues without it', async ({
    company,
    feedOf,
    poll,
  }) => {
    const { leaves } = company.records
    leaves['usr_ada']?.push(closing)
    const [adas, bobs] = [await feedOf('usr_ada'), await feedOf('usr_bob')]
    await poll(adas)
    await poll(bobs)
    leaves['usr_bob']?.push(closing)
    expect(leavesOf(await poll(bobs))).toEqual(['Leave lv_bob1'])
    expect(leavesOf(await poll(adas))).toContain('Leave lv_closing')
  })

  it('Is shown to neither if it is returned for both at once', async ({
    company,
    feedOf,
    poll,
  }) => {
    for (const leaves of Object.values(company.records.leaves)) leaves.push(closing)
    expect(leavesOf(await poll(await feedOf('usr_ada')))).toEqual([
      'Leave lv_ada1',
      'Leave lv_ada2',
    ])
    expect(leavesOf(await poll(await feedOf('usr_bob')))).toEqual(['Leave lv_bob1'])
  })

  it('Moves after it has been returned for no other employee for a day', async ({
    company,
    clock,
    node,
    feedOf,
    poll,
  }) => {
    const { leaves } = company.records
    leaves['usr_ada']?.push(closing)
    const [adas, bobs] = [await feedOf('usr_ada'), await feedOf('usr_bob')]
    await poll(adas)
    await poll(bobs)
    leaves['usr_ada']?.pop()
    leaves['usr_bob']?.push(closing)
    const { signal } = new AbortController()
    for (let hour = 0; hour < 24; hour += 1) {
      expect(leavesOf(await poll(bobs))).toEqual(['Leave lv_bob1'])
      await node.sources.get('main')?.keepProof(signal)
      await clock.advance(60 * minuteMs)
    }
    await poll(adas)
    expect(leavesOf(await poll(bobs))).toEqual(['Leave lv_bob1', 'Leave lv_closing'])
    expect(leavesOf(await poll(adas))).toEqual(['Leave lv_ada1', 'Leave lv_ada2'])
  })
})

describe('another connection', () => {
  const other = { WORKFORCE_PARAMS: '{"leaves":{"status":null}}' }

  it('Starts without proof, and a feed that showed leaves answers 503 until there is proof', async ({
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
    const after = await startBridge({ clock, environment: { ...environment, ...other } })
    expect((await poll(after.url + shown)).status).toBe(503)
    expect(leavesOf(await poll(after.url + never))).toEqual([])
    company.ignores = 'nothing'
    await clock.advance(10 * minuteMs)
    await poll(after.url + shown)
    expect(leavesOf(await poll(after.url + shown))).toEqual(['Leave lv_ada1', 'Leave lv_ada2'])
    await after.close()
  })

  it('A new credential is not another connection: copies are kept, and new leaves need new proof', async ({
    company,
    clock,
    environment,
    poll,
  }) => {
    const before = await startBridge({ clock, environment })
    const shown = new URL(calendarUrl(await before.createFeed({ userIds: ['usr_ada'] }))).pathname
    const { text } = await poll(before.url + shown)
    await before.close()

    company.faults.set('/', 500)
    const after = await startBridge({
      clock,
      environment: { ...environment, WORKFORCE_AUTH: 'bearer:another' },
    })
    expect(await poll(after.url + shown)).toMatchObject({ status: 200, text })
    company.faults.clear()
    company.records.leaves['usr_ada']?.push(leave('lv_new', '2026-01-14'))
    company.ignores = 'employee of leaves'
    expect(leavesOf(await poll(after.url + shown))).not.toContain('Leave lv_new')
    company.ignores = 'nothing'
    await clock.advance(10 * minuteMs)
    await poll(after.url + shown)
    expect(leavesOf(await poll(after.url + shown))).toContain('Leave lv_new')
    await after.close()
  })
})
