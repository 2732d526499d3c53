/* What the upstream says wrongly for a while takes nothing out of a calendar. */
import { describe, expect } from 'vitest'

import { newLeave } from '../support/adversary/eight-people.ts'
import type { Asked } from '../support/adversary/lie.ts'
import { empty, everyStatus, redirects, status } from '../support/adversary/lies-about-bytes.ts'
import { shown } from '../support/adversary/shown.ts'
import {
  expectNothingGone,
  expectWhole,
  person,
  pollOnce,
  wholeFeed,
} from '../support/adversary/whole-feed.ts'
import { allOr } from '../support/bridge/thorough.ts'
import type { Json } from '../support/company/company-server.ts'

wholeFeed(
  '{"data": []} once for each list, and once for everything: nothing is gone',
  async ({ whole, served: crowd, company }) => {
    for (const operation of ['leaves', 'timesheets', 'tasks', 'schedules'] as const) {
      company.tell(empty, { of: [operation] })
      expectNothingGone(await pollOnce(crowd), whole)
      company.tellTheTruth()
      expectNothingGone(await pollOnce(crowd, 15), whole)
    }
    company.tell(empty)
    expectNothingGone(await pollOnce(crowd), whole)
    company.tellTheTruth()
    expectNothingGone(await pollOnce(crowd), whole)
  },
)

wholeFeed(
  'a list that really became empty is believed after ten minutes',
  async ({ whole, served: crowd, company }) => {
    company.records.leaves[person] = []
    expectNothingGone(await pollOnce(crowd), whole)
    await crowd.pass(12 * 60_000)
    expect(shown(await pollOnce(crowd), 'leave')).toEqual([])
  },
)

wholeFeed(
  'an emptied list is no longer doubted once all its records are back, even with unprovable ones beside them',
  async ({ whole, served: crowd, company }) => {
    company.tell(empty, { of: ['leaves'] })
    for (let turn = 0; turn < 2; turn += 1) expectNothingGone(await pollOnce(crowd), whole)
    company.tellTheTruth()
    company.records.leaves[person]?.push(newLeave('lv_new', 1))
    const isAnothers = ({ subject }: Asked): boolean => subject !== person
    company.tell(status(500), { of: ['leaves'], when: isAnothers })
    expectNothingGone(await pollOnce(crowd), whole)
    company.tellTheTruth()
    company.tell(empty, { of: ['leaves'] })
    expectNothingGone(await pollOnce(crowd, 9), whole)
    expectNothingGone(await pollOnce(crowd), whole)
  },
)

wholeFeed(
  'an emptied list is no longer doubted once all its records are back beside another person’s',
  async ({ whole, served: crowd, company }) => {
    await crowd.subscribe('usr_ab')
    await crowd.pollFor(1)
    company.tell(empty, { of: ['leaves'], when: ({ subject }) => subject === person })
    for (let turn = 0; turn < 2; turn += 1) expectNothingGone(await pollOnce(crowd), whole)
    company.tellTheTruth()
    company.records.leaves['usr_ab']?.push(newLeave('lv_new', 1))
    await crowd.poll(crowd.subscriptions[1]!)
    expect(company.told.findLast(({ subject }) => subject === person)?.ids).toHaveLength(2)
    company.tell(empty, { of: ['leaves'], when: ({ subject }) => subject === person })
    expectNothingGone(await pollOnce(crowd, 9), whole)
    expectNothingGone(await pollOnce(crowd), whole)
  },
)

describe('all records arrive, but the fields that decide whether they are shown are missing or changed', () => {
  const ways = [
    ['leaves', 'status Approved', { status: 'Approved' }],
    ['leaves', 'status empty', { status: '' }],
    ['leaves', 'an end years before the start', { endDate: '1970-01-01T00:00:00.000Z' }],
    ['tasks', 'nobody assigned', { assignees: [] }],
    ['tasks', 'no list of assignees', { assignees: null }],
    ['tasks', 'never due', { dueDate: null }],
    ['schedules', 'type Fixed', { type: 'Fixed' }],
  ] as const

  wholeFeed('nothing is gone', async ({ whole, served: crowd, company }) => {
    for (const [operation, name, change] of ways) {
      const alter = (records: readonly Json[]): readonly Json[] =>
        records.map((it) => ({ ...it, ...change }))
      company.tell({ name, alter }, { of: [operation] })
      expectNothingGone(await pollOnce(crowd), whole)
      company.tellTheTruth()
      expectNothingGone(await pollOnce(crowd), whole)
    }
  })

  wholeFeed(
    'if it lasts, it is believed after ten minutes',
    async ({ whole: _, served, company }) => {
      company.records.tasks['prj_web']?.forEach((task) => Object.assign(task, { assignees: [] }))
      await pollOnce(served)
      await served.pass(12 * 60_000)
      expect(shown(await pollOnce(served), 'task')).toEqual([])
    },
  )
})

wholeFeed(
  'a project redirected to the list of all leaves for an hour keeps its tasks',
  async ({ whole, served: crowd, company }) => {
    company.tell(redirects[0]!, { of: ['tasks'] })
    for (let turn = 0; turn < 4; turn += 1) expectNothingGone(await pollOnce(crowd, 15), whole)
    company.tellTheTruth()
    expectWhole(crowd, await pollOnce(crowd, 16))
  },
)

wholeFeed(
  'a complete replacement of all records is believed after ten minutes',
  async ({ served: crowd, company, whole: _ }) => {
    const { tasks } = company.records
    const [first] = tasks['prj_web']!
    tasks['prj_web']!.push({ ...first!, id: 'tsk_third' })
    const before = await pollOnce(crowd)
    tasks['prj_web'] = tasks['prj_web']!.map((task) => ({ ...task, id: `${task.id}_new` }))
    for (let turn = 0; turn < 3; turn += 1) expectNothingGone(await pollOnce(crowd, 3), before)
    expectWhole(crowd, await pollOnce(crowd, 5))
  },
)

wholeFeed(
  'a complete replacement that differs at each reading is not believed',
  async ({ whole: _, served: crowd, company }) => {
    const { tasks } = company.records
    tasks['prj_web']!.push({ ...tasks['prj_web']![0]!, id: 'tsk_third' })
    const before = await pollOnce(crowd)
    const renamed = (records: readonly Json[], { number }: Asked): readonly Json[] =>
      records.map((it) => ({ ...it, id: `${it.id}_${number}` }))
    company.tell({ name: 'other ids each time', alter: renamed }, { of: ['tasks'] })
    for (let turn = 0; turn < 10; turn += 1) expectNothingGone(await pollOnce(crowd, 3), before)
  },
)

wholeFeed(
  'tasks and invoices stay when every operation returns 404 for a day',
  async ({ whole, served: crowd, company }) => {
    company.tell(status(404), { of: ['leaves', 'timesheets', 'tasks', 'schedules', 'invoice'] })
    company.tell(status(404), { of: ['user'] })
    for (let hours = 0; hours < 26; hours += 6.5) {
      const polled = await pollOnce(crowd, 390)
      expectNothingGone(polled, whole)
    }
    company.tellTheTruth()
    expectWhole(crowd, await pollOnce(crowd, 16))
  },
)

describe('one project answering', () => {
  wholeFeed.for(allOr([403, 400, 401, 404, 410], (code) => code === 404))(
    '%i: feeds served for months keep what they showed for a day',
    async (code, { whole, served: crowd, company }) => {
      company.tell(status(code), { when: ({ subject }) => subject === 'prj_secret' })
      await crowd.replaceNode(0, { WORKFORCE_PROJECTS: 'prj_web,prj_secret' })
      expectNothingGone(await pollOnce(crowd), whole)
      await crowd.subscribe('usr_a')
      const [first, second] = await crowd.pollFor(1)
      expect([first!.status, second!.status]).toEqual([200, 200])
      company.tell(status(code), { of: ['tasks'] })
      expectNothingGone(await pollOnce(crowd, 20 * 60), whole)
    },
  )
})

wholeFeed(
  'statuses from 400 to 599 for every operation: the last good calendar',
  async ({ whole, served: crowd, company }) => {
    for (const lie of everyStatus.filter((_, index) => index % 4 === 0)) {
      company.tellTheTruth()
      company.tell(lie, { of: ['leaves', 'timesheets', 'tasks', 'schedules', 'invoice'] })
      const polled = await pollOnce(crowd, 5)
      expect([lie.name, polled.status, polled.text]).toEqual([lie.name, 200, whole.text])
    }
  },
)

describe('after two doubted answers', () => {
  const eager = wholeFeed.extend('settings', { FEED_FRESH_SECONDS: '10' })

  eager('a small real change is shown at once', async ({ whole, served: crowd, company }) => {
    company.tell(empty, { of: ['leaves'] })
    await crowd.clock.advance(11_000)
    expectNothingGone((await crowd.pollAll())[0]!, whole)
    await crowd.clock.advance(11_000)
    expectNothingGone((await crowd.pollAll())[0]!, whole)
    company.tellTheTruth()
    company.records.leaves[person]?.pop()
    await crowd.clock.advance(11_000)
    expectWhole(crowd, (await crowd.pollAll())[0]!)
  })
})

describe('a new credential while the API is down', () => {
  wholeFeed(
    'the good copies in the database are served',
    async ({ whole, served: crowd, company }) => {
      company.tell(status(500))
      await crowd.replaceNode(0, { WORKFORCE_AUTH: 'bearer:another' })
      const polled = await pollOnce(crowd)
      expectNothingGone(polled, whole)
      company.tellTheTruth()
      expectWhole(crowd, await pollOnce(crowd, 16))
    },
  )

  wholeFeed('another base URL starts without copies', async ({ whole, served: crowd, company }) => {
    expect(whole.status).toBe(200)
    company.tell(status(500))
    await crowd.replaceNode(0, {
      WORKFORCE_BASE_URL: company.url.replace('127.0.0.1', 'localhost'),
    })
    expect((await pollOnce(crowd)).status).toBe(503)
  })
})
