/* People who leave, calendars that end, clocks that run ahead. */
import { describe, expect, inject } from 'vitest'

import { it } from '../support/adversary/adversary-fixture.ts'
import { alikeIds, newLeave } from '../support/adversary/eight-people.ts'
import { empty, status } from '../support/adversary/lies-about-bytes.ts'
import { exchanged } from '../support/adversary/lies-about-people.ts'
import { exactly, shown, uidsOf } from '../support/adversary/shown.ts'
import type { Subscribers, Subscription } from '../support/adversary/subscribers.ts'
import { aheadOf } from '../support/bridge/fake-clock.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** What is shown without a company that lies, too. */
const inTime = it.runIf(inject('isThorough'))

function leaveTheCompany({ company }: Subscribers, ids: readonly string[], isActive = false): void {
  const { records } = company
  records.users = records.users.map((one) => (ids.includes(one.id) ? { ...one, isActive } : one))
}

/** Days on each of which these poll once; what they answer once it is decided who has left. */
async function pollDaily(
  crowd: Subscribers,
  days: number,
  subscriptions: readonly Subscription[] = crowd.subscriptions,
): Promise<readonly number[]> {
  for (let day = 0; day < days; day += 1) {
    await crowd.pass(dayMs + hourMs, 12.5 * hourMs)
    for (const one of subscriptions) await crowd.poll(one)
    await crowd.company.quiet()
  }
  await crowd.whileTimePasses(Promise.all(crowd.nodes.map((node) => node.settled())))
  const statuses: number[] = []
  for (const one of subscriptions) statuses.push((await crowd.poll(one)).status)
  return statuses
}

async function findings({ nodes }: Subscribers): Promise<string> {
  const answer = await nodes[0]!.api('GET', '/api/companies/main/examination')
  return answer.text()
}

inTime('a single wrong "inactive" answer ends no calendar', async ({ regulars, company }) => {
  company.tell(
    {
      name: 'inactive',
      of: ['user'],
      alter: (records) => records.map((one) => ({ ...one, isActive: false })),
    },
    { times: 1, when: ({ subject }) => subject === 'usr_10' },
  )
  for (let hour = 0; hour < 24; hour += 8) {
    await regulars.pass(8 * hourMs, 2 * hourMs)
    const polled = await regulars.pollAll()
    expect(polled.map((one) => one.status)).toEqual(alikeIds.map(() => 200))
  }
  expect(company.lied.get('inactive')).toBe(1)
})

describe('people who left', () => {
  const half = alikeIds.slice(0, 4)

  it('when half the company leaves and only one calendar is polled, all departures are held back and reported', async ({
    regulars,
  }) => {
    leaveTheCompany(regulars, half)
    const [polled] = regulars.subscriptions
    expect(await pollDaily(regulars, 2, [polled!])).toEqual([200])
    const told = (JSON.parse(await findings(regulars)) as { findings: { ok: boolean }[] }).findings
    const departures = told.filter((one) =>
      /\bleft\b|leaving|departure|held back/i.test(JSON.stringify(one)),
    )
    expect(departures.some(({ ok }) => !ok)).toBe(true)
  })

  inTime(
    'held-back departures are believed after seven days of confirmation',
    async ({ regulars }) => {
      leaveTheCompany(regulars, half)
      expect(await pollDaily(regulars, 5)).toEqual(alikeIds.map(() => 200))
      const after = alikeIds.map((id) => (half.includes(id) ? 410 : 200))
      expect(await pollDaily(regulars, 3)).toEqual(after)
    },
  )

  inTime(
    'the calendar of one of eight people ends, and reopens when the person is back',
    async ({ regulars }) => {
      leaveTheCompany(regulars, ['usr_a'])
      const ended = regulars.subscriptions.find(({ person }) => person === 'usr_a')
      expect(await pollDaily(regulars, 1)).toContain(410)
      leaveTheCompany(regulars, ['usr_a'], true)
      expect(await pollDaily(regulars, 2, [ended!])).toEqual([200])
    },
  )

  inTime(
    'a 404 counts while schedules fail but other operations respond',
    async ({ regulars, company }) => {
      company.tell(status(404), { of: ['user'], when: ({ subject }) => subject === 'usr_a' })
      company.tell(status(500), { of: ['schedules'] })
      const statuses = await pollDaily(regulars, 3)
      expect(statuses).toEqual(alikeIds.map((id) => (id === 'usr_a' ? 410 : 200)))
    },
  )

  inTime('404 for every operation says nothing about any person', async ({ regulars, company }) => {
    company.tell(status(404))
    expect(await pollDaily(regulars, 3)).toEqual(alikeIds.map(() => 200))
  })
})

describe('revoke --purge on a feed that the bridge closed', () => {
  it('serves for a month a calendar that says it has ended', async ({ regulars, clock }) => {
    leaveTheCompany(regulars, ['usr_a'])
    const ended = regulars.subscriptions.find(({ person }) => person === 'usr_a')
    expect(await pollDaily(regulars, 1, [ended!])).toEqual([410])
    await regulars.pass(hourMs, hourMs)
    const answer = await regulars.nodes[0]!.api('DELETE', `/api/feeds/${ended!.feed.id}?purge`)
    expect(answer.status).toBe(204)
    const farewell = await regulars.poll(ended!)
    expect([farewell.status, farewell.uids.size]).toEqual([200, 1])
    await regulars.pause(() => clock.advance(31 * dayMs))
    expect((await regulars.poll(ended!)).status).toBe(410)
  })
})

describe('a ledger', () => {
  it.runIf(inject('isThorough'))(
    'is kept while its feed stays closed for over a month',
    async ({ served: crowd, company, clock }) => {
      const subscription = await crowd.subscribe('usr_a')
      for (let edit = 0; edit < 4; edit += 1) {
        const tasks = company.records.tasks['prj_web'] ?? []
        company.records.tasks['prj_web'] = tasks.map((one) => ({ ...one, title: `Edit ${edit}` }))
        await crowd.pollFor(1)
      }
      const uid = 'task-tsk_all@main.calendar-feed-bridge'
      const before = (await crowd.poll(subscription)).events.get(uid)!
      expect(before.sequence).toBe(3)
      leaveTheCompany(crowd, ['usr_a'])
      expect(await pollDaily(crowd, 1)).toEqual([410])
      await crowd.pause(() => clock.advance(40 * dayMs))
      leaveTheCompany(crowd, ['usr_a'], true)
      // The window has gone on, and the task is still within it.
      expect(await pollDaily(crowd, 2)).toEqual([200])
      const after = (await crowd.poll(subscription)).events.get(uid)!
      expect(after.sequence).toBeGreaterThanOrEqual(before.sequence)
    },
  )
})

describe('a node whose clock is three days ahead', () => {
  it('neither freezes nor overrides another node', async ({ regulars, company, clock }) => {
    const fast = await regulars.addNode({}, { clock: aheadOf(clock, 3 * dayMs) })
    await regulars.pollFor(2, 1, fast)
    await regulars.nodes[fast]?.close()
    regulars.nodes.length = fast
    company.records.leaves['usr_1']?.push(newLeave('lv_new', 1))
    company.records.tasks['prj_web']?.pop()
    for (const one of await regulars.pollFor(3)) {
      expect([one.person, one.status, uidsOf(one)]).toEqual([
        one.person,
        200,
        exactly(company.records, one.person),
      ])
      expect(one.stale).toBeNull()
    }
  })

  inTime('removes no event while both run', async ({ regulars, company, clock }) => {
    const fast = await regulars.addNode({}, { clock: aheadOf(clock, 3 * dayMs) })
    for (let turn = 0; turn < 4; turn += 1) {
      company.records.leaves['usr_1']?.push(newLeave(`lv_new${turn}`, turn))
      for (const node of [fast, 0]) {
        const polled = await regulars.pollFor(1, 1, node)
        expect(polled.map((one) => one.status)).toEqual(alikeIds.map(() => 200))
        expect(shown(polled[0]!, 'leave')).toContain(`lv_new${turn}`)
      }
    }
  })

  it('while both run, four minutes of {"data": []} take nothing from anybody', async ({
    regulars,
    company,
    clock,
  }) => {
    await regulars.addNode({}, { clock: aheadOf(clock, 3 * dayMs), common: clock })
    const before = await regulars.pollFor(2, 1, 1)
    company.tell(empty)
    for (let minute = 0; minute < 4; minute += 1) {
      const polled = await regulars.pollFor(1, 1, minute % 2)
      expect(polled.map(({ uids }) => uids)).toEqual(before.map(({ uids }) => uids))
    }
  })

  it('moves no leave because of a swapped answer while both run', async ({
    regulars,
    company,
    clock,
  }) => {
    const { leaves } = company.records
    for (const ofOne of Object.values(leaves)) ofOne.length = 1
    await regulars.pollFor(15, 5)
    await regulars.addNode({}, { clock: aheadOf(clock, 3 * dayMs), common: clock })
    await regulars.pollFor(1, 1, 1)
    await regulars.pollFor(1, 1, 0)
    company.tell(exchanged('usr_1', 'usr_a'))
    for (let turn = 0; turn < 6; turn += 1) {
      const [first] = await regulars.pollFor(1, 1, (turn + 1) % 2)
      expect(shown(first!, 'leave')).toEqual(leaves['usr_1']?.map(({ id }) => id))
    }
  })
})
