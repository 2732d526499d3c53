/* Whose a leave is: whatever the upstream does with its filter, nobody sees another's. */
import { describe, expect, inject } from 'vitest'

import { it } from '../support/adversary/adversary-fixture.ts'
import { alikeIds, companyOf, newLeave } from '../support/adversary/eight-people.ts'
import type { Asked } from '../support/adversary/lie.ts'
import {
  carelessFilters,
  exchanged,
  unfiltered,
  unfilteredAfterPageOne,
  unfilteredButRefusing,
} from '../support/adversary/lies-about-people.ts'
import { shown } from '../support/adversary/shown.ts'
import { options, type Subscribers } from '../support/adversary/subscribers.ts'
import { expectExact, expectWhole, watch } from '../support/adversary/watch.ts'
import { calendarUrl } from '../support/bridge/bridge.ts'
import { allOr } from '../support/bridge/thorough.ts'
import type { Json } from '../support/company/company-server.ts'
import { jsonOf } from '../support/web/api-answer.ts'

const filters = ['prefix', 'suffix', 'substring', 'reversed', 'case', 'wildcard', 'number'] as const

/** What others show as well. */
const inTime = it.runIf(inject('isThorough'))

/** Starts a bridge that has never seen the company tell the truth, and gives these their feeds. */
async function begin(crowd: Subscribers, people: readonly string[]): Promise<void> {
  await crowd.addNode()
  await crowd.company.quiet()
  await crowd.subscribeAll(people)
}

function giveNewLeaves({ company }: Subscribers): void {
  for (const id of alikeIds) company.records.leaves[id]?.push(newLeave(`lv_new_${id}`, 1))
}

describe('unknown employees refused, known ones not filtered', () => {
  it.for(allOr([400, 404, 422], (code) => code === 404))(
    'with %i: no feed shows leaves, and the examination agrees',
    async (code, { crowd, company, clock }) => {
      company.tell(unfilteredButRefusing(code))
      await begin(crowd, alikeIds)
      const polled = await watch(crowd, 2)
      expect(polled.flatMap((one) => shown(one, 'leave'))).toEqual([])
      await clock.advance(6 * 3_600_000)
      await expect.poll(() => leavesFinding(crowd)).toMatchObject({ ok: false })
    },
  )

  it.runIf(inject('isThorough'))(
    'after a good start: proven leaves stay, and no others appear',
    async ({ regulars, company }) => {
      company.tell(unfilteredButRefusing(404))
      giveNewLeaves(regulars)
      for (const one of await watch(regulars, 3)) expect(shown(one, 'leave')).toHaveLength(4)
      company.tellTheTruth()
      await expectExact(regulars)
    },
  )
})

async function leavesFinding({ nodes }: Subscribers): Promise<{ ok: boolean } | undefined> {
  const answer = await nodes[0]!.api('GET', '/api/companies/main/examination')
  const { findings } = (await jsonOf(answer)) as unknown as {
    findings: readonly { check: string; ok: boolean }[]
  }
  return findings.find(({ check }) => check === 'leaves-employee')
}

describe('a filter by prefix, substring, wildcard, case or number', () => {
  it.for(allOr(filters, (name) => name === 'prefix'))(
    '%s: shows no leave to another person',
    async (name, { crowd, company }) => {
      // With a letter that `_` may stand for.
      const people = [...alikeIds, 'usr-1']
      company.records = companyOf(people)
      company.tell(carelessFilters[name])
      await begin(crowd, people)
      await watch(crowd, 12, 6)
      company.tellTheTruth()
      await expectExact(crowd)
    },
  )

  it.for(allOr(filters, (name) => name === 'prefix'))(
    '%s after a good start: a new leave is shown only to its owner',
    async (name, { regulars, company }) => {
      company.tell(carelessFilters[name])
      giveNewLeaves(regulars)
      await watch(regulars, 12, 6)
      company.tellTheTruth()
      await expectExact(regulars)
    },
  )
})

describe('a filter that confuses two ids that no control question covers', () => {
  const others = Array.from({ length: 10 }, (_, index) => `1${index}r`)

  const confused = [
    ['accents', 'müller', 'muller'],
    ['digits', '90000000000000001', '90000000000000000'],
  ] as const

  it.for(allOr(confused, ([name]) => name === 'accents'))(
    '%s: known people with such an id are requested as controls',
    async ([name, one, other], { crowd, company }) => {
      company.records = companyOf([...others, one, other])
      company.tell(carelessFilters[name])
      await begin(crowd, [one])
      await watch(crowd, 12, 6)
      company.tellTheTruth()
      await expectExact(crowd)
    },
  )
})

describe('answers of two people swapped', () => {
  function exchangeOnce({ company }: Subscribers): void {
    for (const subject of ['usr_1', 'usr_a']) {
      const when = (asked: Asked): boolean => asked.subject === subject
      company.tell(exchanged('usr_1', 'usr_a'), { times: 1, when })
    }
  }

  it('once, at the first reading: neither sees the other’s leaves, and both get their own afterwards', async ({
    served,
  }) => {
    await served.subscribeAll(['usr_1', 'usr_a'])
    exchangeOnce(served)
    await watch(served, 1)
    await expectExact(served)
  })

  inTime(
    'once, at the first reading of a new person among twenty known: no leave is shown to others or lost',
    async ({ crowd, company }) => {
      const people = Array.from({ length: 22 }, (_, index) => `emp-${index}-x`)
      company.records = companyOf(people)
      await begin(crowd, [])
      const known = await crowd.nodes[0]!.createFeed({ userIds: people.slice(0, 20), options })
      await crowd.whileTimePasses(fetch(calendarUrl(known)))
      const [late = '', later = ''] = people.slice(20)
      const when = ({ subject }: Asked): boolean => subject === late
      company.tell(exchanged(late, later), { times: 1, when })
      await crowd.subscribe(late)
      await watch(crowd, 1)
      const next = await crowd.subscribe(later)
      expectWhole(crowd, await crowd.poll(next))
      await expectExact(crowd)
    },
  )

  inTime(
    'once, later: both keep their own leaves, and the next change appears',
    async ({ regulars }) => {
      exchangeOnce(regulars)
      for (const one of await watch(regulars, 1)) expectWhole(regulars, one)
      giveNewLeaves(regulars)
      await expectExact(regulars)
    },
  )

  it('once, in one direction only: the next change of either person appears', async ({
    regulars,
    company,
  }) => {
    company.records.leaves['usr_10']?.push(newLeave('lv_new', 1))
    const { leaves } = company.records
    const pick = (): readonly Json[] => leaves['usr_10'] ?? []
    const when = ({ subject }: Asked): boolean => subject === 'usr_1'
    company.tell({ name: 'the answer of one for another', pick }, { of: ['leaves'], when })
    await regulars.pass(61_000)
    await regulars.poll(regulars.subscriptions[1]!)
    company.tellTheTruth()
    leaves['usr_ab']?.push(newLeave('lv_later', 2))
    await expectExact(regulars)
  })

  it('once between the readings of a new person, then permanently: the other is not shown them', async ({
    served,
    company,
  }) => {
    await served.subscribeAll(alikeIds)
    for (const known of [0, 1]) await served.poll(served.subscriptions[known]!)
    let readings = 0
    const when = ({ operation, subject }: Asked): boolean =>
      operation === 'leaves' && subject === 'usr_100' && readings++ === 1
    company.tell(exchanged('usr_100', '01'), { when })
    expect(shown(await served.poll(served.subscriptions[2]!), 'leave')).toEqual([])
    company.tell(exchanged('usr_100', '01'))
    for (let reading = 0; reading < 3; reading += 1) {
      await served.pass(61_000)
      expect(shown(await served.poll(served.subscriptions[7]!), 'leave')).toEqual([])
    }
  })

  inTime(
    'before one of them is polled: neither sees the other’s leaves',
    async ({ served, company }) => {
      await served.subscribeAll(alikeIds)
      await served.poll(served.subscriptions[1]!)
      company.tell(exchanged('usr_10', 'usr_100'))
      await watch(served, 60, 12)
      company.tellTheTruth()
      await expectExact(served)
    },
  )

  it('with a leave that both have: neither sees the other’s leaves', async ({
    served,
    company,
  }) => {
    const { leaves } = company.records
    const both = newLeave('lv_both', 1)
    leaves['usr_10']!.push(both)
    await served.subscribeAll(alikeIds)
    await served.poll(served.subscriptions[1]!)
    leaves['usr_100']!.push(both)
    company.tell(exchanged('usr_10', 'usr_100'))
    await watch(served, 60, 12)
  })

  inTime(
    'for a day, then right again: neither sees the other’s leaves',
    async ({ regulars, company }) => {
      company.tell(exchanged('usr_1', 'usr_a'))
      await watch(regulars, 23 * 60, 230)
      company.tellTheTruth()
      await expectExact(regulars)
    },
  )

  it('at all readings until both are shown: corrected a day later', async ({ served, company }) => {
    company.tell(exchanged('usr_1', 'usr_a'))
    await served.subscribeAll(['usr_1', 'usr_a', 'usr_A'])
    await served.pollFor(1)
    company.tellTheTruth()
    for (const one of await served.pollFor(28 * 60, 60)) expectWhole(served, one)
  })

  it('for an hour: both keep their own leaves throughout', async ({ regulars, company }) => {
    company.tell(exchanged('usr_1', 'usr_a'))
    for (const one of await watch(regulars, 60, 12)) expectWhole(regulars, one)
    company.tellTheTruth()
    await expectExact(regulars)
  })
})

describe('one of two nodes behind a balancer ignores the filter', () => {
  const bads = [
    ['the first', 0],
    ['the second', 1],
  ] as const

  it.for(allOr(bads, ([, bad]) => bad === 0))(
    '%s: shows no leave to another person',
    async ([, bad], { crowd, company }) => {
      company.tell(unfiltered, { when: ({ number }) => number % 2 === bad })
      await begin(crowd, alikeIds)
      await watch(crowd, 12, 6)
      company.tellTheTruth()
      await expectExact(crowd)
    },
  )

  it('after a good start: new leaves are shown only to their owners', async ({
    regulars,
    company,
  }) => {
    company.tell(unfiltered, { when: ({ number }) => number % 2 === 0 })
    giveNewLeaves(regulars)
    await watch(regulars, 12, 6)
    company.tellTheTruth()
    await expectExact(regulars)
  })
})

describe('only page 1 is filtered', () => {
  const settingOf = {
    page: 'page:page,limit,3',
    offset: 'offset:offset,limit,3',
    link: 'link',
  } as const
  const paged = it
    .extend('style', 'page' as keyof typeof settingOf)
    .extend('settings', ({ style }) => ({ WORKFORCE_PAGINATION: settingOf[style] }))

  describe.for(allOr(['page', 'offset', 'link'] as const, (style) => style === 'link'))(
    'by %s',
    (style) => {
      paged.override('style', style)

      paged('shows no leave to another person', async ({ crowd, company }) => {
        company.paging = { style, most: 3, of: ['leaves', 'timesheets', 'tasks', 'schedules'] }
        company.tell(unfilteredAfterPageOne)
        await begin(crowd, alikeIds)
        await watch(crowd, 12, 6)
        company.tellTheTruth()
        await expectExact(crowd)
      })
    },
  )
})
