/*
 * What a poll costs the Read API: calls per poll of companies of 3,000 people, each of whom polls once an hour; 5 % of them
 * have a new leave between two polls. It is measured over a day of a company of fewer people, after a day in which it has
 * become known, by a clock that is put on from poll to poll; all that the bridge does beside its answers is included.
 * Schedules and tasks are asked for by company and time, however many people share them: their calls in an hour are spread
 * over 3,000 polls. All others, those that prove whose leaves are whose, look people up and examine the API as well, are
 * taken to grow with the people, so that the figure is none too low. Companies share nothing, so that one stands for 334.
 */
import { expect } from 'vitest'

import { it as base } from '../support/adversary/adversary-fixture.ts'
import { companyOf, newLeave } from '../support/adversary/eight-people.ts'
import type { Subscribers } from '../support/adversary/subscribers.ts'
import { noteRatio } from '../support/bench/measured-ratios.ts'

const people = Array.from({ length: 60 }, (_, number) => `usr_${String(number).padStart(3, '0')}`)
const projects = ['prj_web', 'prj_shop', 'prj_app', 'prj_ops']
/** What a company has that is not scaled down. */
const companySize = 3000
const changedShare = 0.05
const callsMax = 2.6

const it = base.extend('settings', {
  FEED_FRESH_SECONDS: '300',
  WORKFORCE_TIMEOUT_MS: '5000',
  WORKFORCE_PROJECTS: projects.join(),
  WORKFORCE_SCHEDULES: 'sch_day',
})

it('calls per poll', { timeout: 1_200_000 }, async ({ crowd, company }) => {
  company.records = companyOf(people)
  const tasks = company.records.tasks['prj_web'] ?? []
  for (const [place, project] of projects.entries())
    company.records.tasks[project] = tasks.filter((_, index) => index % projects.length === place)
  await crowd.addNode()
  await company.quiet()
  await crowd.subscribeAll(people, { options: {} })
  await pollForDay(crowd, 0)
  company.takeCounts()
  const polls = await pollForDay(crowd, 1)
  const { all, ...counts } = company.takeCounts()
  const shared = counts.schedules + counts.tasks
  const each = (all - shared) / polls
  const ofCompany = shared / 24 / companySize
  console.log(
    `${polls} polls: ${Object.entries(counts)
      .map(([operation, count]) => `${operation} ${(count / polls).toFixed(3)}`)
      .join(', ')} a poll of ${people.length} people; ` +
      `${each.toFixed(2)} by person and ${(shared / 24).toFixed(0)} an hour by company, ${ofCompany.toFixed(2)} a poll of ${companySize} people`,
  )
  noteRatio({
    measure:
      'calls of the Read API, 334 companies of 3,000 people, one poll an hour each, 5 % changed',
    against: 'a poll',
    bound: { most: callsMax },
    measured: each + ofCompany,
    bench: 'calls',
  })
})

/** One poll after the other, each person's once an hour; how many there were. */
async function pollForDay(crowd: Subscribers, day: number): Promise<number> {
  let polls = 0
  for (let hour = 24 * day; hour < 24 * (day + 1); hour += 1) {
    for (const [place, subscription] of crowd.subscriptions.entries()) {
      await crowd.pass(3_600_000 / people.length, 3_600_000 / people.length)
      if ((place + hour) % (1 / changedShare) === 0) giveNewLeave(crowd, subscription.person, hour)
      const { status } = await crowd.poll(subscription)
      expect(status).toBe(200)
      polls += 1
    }
  }
  return polls
}

/** In place of the oldest, so that nobody has more and more. */
function giveNewLeave({ company: { records } }: Subscribers, person: string, number: number): void {
  const [, ...others] = records.leaves[person] ?? []
  records.leaves[person] = [...others, newLeave(`lv_${person}_${number}`, number)]
}
