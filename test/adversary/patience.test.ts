/* One operation that fails, one list without pages, one question nobody's calendar needs: the others go on. */
import { describe, expect } from 'vitest'

import { it } from '../support/adversary/adversary-fixture.ts'
import { newLeave } from '../support/adversary/eight-people.ts'
import type { Asked } from '../support/adversary/lie.ts'
import { status } from '../support/adversary/lies-about-bytes.ts'
import { exactly, shown, uidsOf } from '../support/adversary/shown.ts'
import { options, type Polled, type Subscribers } from '../support/adversary/subscribers.ts'

const person = 'usr_1'

/** Everybody's leaves at once: no calendar is made of that. */
function isForExaminationOnly({ operation, subject }: Asked): boolean {
  return operation === 'leaves' && subject === ''
}

const oneFeed = it.extend('first', async ({ served: crowd }) => {
  await crowd.subscribe(person)
  const [polled] = await crowd.pollFor(1)
  expectWhole(crowd, polled!)
  return polled!
})

function expectWhole({ company: { records } }: Subscribers, polled: Polled): void {
  expect([polled.status, uidsOf(polled)]).toEqual([200, exactly(records, person)])
}

/** Something new of each kind but timesheets. */
function change({ company: { records } }: Subscribers): void {
  records.leaves[person]?.push(newLeave('lv_new', 1))
  records.tasks['prj_web'] = records.tasks['prj_web']!.map((task) => ({
    ...task,
    title: `${String(task['title'])} again`,
  }))
  records.schedules = records.schedules.map((one) => ({ ...one, name: 'Another name' }))
}

function titles({ events }: Polled): string {
  return [...events.values()].map(({ summary }) => summary).join('\n')
}

function expectChanged(polled: Polled): void {
  expect(polled.status).toBe(200)
  expect(titles(polled)).toContain('Leave lv_new')
  expect(titles(polled)).toContain('Task tsk_0 again')
  expect(titles(polled)).toContain('Another name')
}

describe('Retry-After', () => {
  oneFeed(
    'after 503 for timesheets does not pause leaves, tasks and schedules',
    async ({ first, served: crowd, company }) => {
      company.tell(status(503, '3600'), { of: ['timesheets'] })
      expect((await crowd.pollFor(1))[0]?.text).toBe(first.text)
      change(crowd)
      const [polled] = await crowd.pollFor(1)
      expectChanged(polled!)
      expect(shown(polled!, 'timesheet')).toHaveLength(2)
    },
  )

  oneFeed.for([429, 503])(
    'after %i for a request of the examination freezes no feed',
    async (code, { first, served: crowd, company }) => {
      expect(first.status).toBe(200)
      company.tell(status(code, '7200'), { when: isForExaminationOnly })
      await crowd.pass(6 * 3_600_000 + 60_000, 3_600_000)
      change(crowd)
      const [polled] = await crowd.pollFor(1)
      expectChanged(polled!)
    },
  )
})

describe('paging set for leaves', () => {
  const paged = oneFeed.extend('settings', { WORKFORCE_PAGINATION: 'page:page,limit,100' })

  paged(
    'tasks, schedules and timesheets without paging are complete',
    async ({ first, served: crowd, company }) => {
      // All lists but leaves know no pages, and answer every page with everything.
      expectWhole(crowd, first)
      company.paging = { style: 'page', most: 100, of: ['leaves'] }
      change(crowd)
      const [polled] = await crowd.pollFor(1)
      expectChanged(polled!)
      expect(polled!.stale).toBeNull()
    },
  )
})

describe('a feed created while schedules fail', () => {
  it('gets its shifts as soon as schedules respond', async ({ served: crowd, company }) => {
    const { window } = options
    company.records.schedules = company.records.schedules.slice(0, 1)
    company.tell(status(500), { of: ['schedules'] })
    await crowd.subscribe(person, { options: { window, shifts: { duringLeave: 'show' } } })
    const [before] = await crowd.pollFor(2)
    expect(before!.status).toBe(503)
    company.tellTheTruth()
    const [polled] = await crowd.pollFor(4, 2)
    expectWhole(crowd, polled!)
    expect(titles(polled!)).toContain('Day shift')
  })
})
