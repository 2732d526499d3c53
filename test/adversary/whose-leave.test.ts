/* A leave belongs to whom it first came for: nobody else's calendar suffers from a dispute. */
import { describe, expect } from 'vitest'

import { it } from '../support/adversary/adversary-fixture.ts'
import { alikeIds, companyOf, newLeave } from '../support/adversary/eight-people.ts'
import { refusedPerson, unfiltered } from '../support/adversary/lies-about-people.ts'
import { shown } from '../support/adversary/shown.ts'
import { options } from '../support/adversary/subscribers.ts'
import { expectWhole, watch } from '../support/adversary/watch.ts'
import { calendarUrl } from '../support/bridge/bridge.ts'

describe('one unfiltered answer', () => {
  it('removes no event, and no other feed answers 503', async ({ regulars, company }) => {
    company.tell(unfiltered, { times: 1, when: ({ subject }) => subject === 'usr_a' })
    for (let minute = 0; minute < 16; minute += 4) {
      for (const one of await watch(regulars, 4, 4)) expectWhole(regulars, one)
    }
  })
})

describe('a company holiday booked as one leave for two people', () => {
  it('belongs to its first owner; the other feed continues without it, all others complete', async ({
    regulars,
    company,
  }) => {
    const closing = newLeave('lv_closing', 1)
    const { leaves } = company.records
    leaves['usr_1']?.push(closing)
    await watch(regulars, 1)
    leaves['usr_ab']?.push(closing)
    const polled = await watch(regulars, 12, 6)
    const showing = polled.filter((one) => shown(one, 'leave').includes('lv_closing'))
    expect(showing.map(({ person }) => person)).toEqual(['usr_1'])
    expect(polled.map((one) => shown(one, 'leave').length)).toEqual([5, 4, 4, 4, 4, 4, 4, 4])
  })

  it('and for everybody: new leaves of others are still shown', async ({ regulars, company }) => {
    const closing = newLeave('lv_closing', 1)
    for (const id of alikeIds) company.records.leaves[id]?.push(closing)
    await watch(regulars, 12, 6)
    company.records.leaves['usr_A']?.push(newLeave('lv_new', 2))
    const polled = await watch(regulars, 3)
    expect(shown(polled[4]!, 'leave')).toContain('lv_new')
  })
})

it('two leaves booked for two people, one without a calendar, belong to the other', async ({
  crowd,
  company,
}) => {
  const people = Array.from({ length: 21 }, (_, index) => `emp-${index}-x`)
  company.records = companyOf([...people, 'zed-1', 'zed-1b'])
  const { leaves } = company.records
  const both = [newLeave('lv_one', 1), newLeave('lv_two', 2)]
  leaves['emp-20-x'] = both
  leaves['zed-1b']!.push(...both)
  await crowd.addNode()
  await company.quiet()
  const known = await crowd.nodes[0]!.createFeed({ userIds: people.slice(0, 20), options })
  await crowd.whileTimePasses(fetch(calendarUrl(known)))
  await crowd.subscribeAll(['zed-1', 'emp-20-x'])
  await watch(crowd, 2)
  leaves['zed-1']!.push(newLeave('lv_new', 3))
  for (const one of await watch(crowd, 4, 2)) expectWhole(crowd, one)
})

describe('an owner deleted at the API', () => {
  it('answered with 404, 410, 403, 400 or 422: the leave moves to the next owner after a day, and no feed suffers', async ({
    served: crowd,
    company,
  }) => {
    const codes = { usr_1: 404, usr_10: 410, usr_100: 403, usr_a: 400, usr_A: 422 }
    await crowd.subscribeAll([...Object.keys(codes), 'usr_ab', '01'])
    await watch(crowd, 1)
    for (const [id, code] of Object.entries(codes)) {
      const { leaves } = company.records
      const [moved, ...kept] = leaves[id] ?? []
      leaves[id] = kept
      leaves['usr_ab']?.push(moved!)
      company.tell(refusedPerson(id, code), { when: ({ subject }) => subject === id })
    }
    for (let hours = 0; hours < 24; hours += 8) {
      const [heir, other] = (await crowd.pollFor(480, 480)).slice(-2)
      expect([heir!.status, shown(heir!, 'leave').length]).toEqual([200, 4])
      expectWhole(crowd, other!)
    }
    const [heir] = (await crowd.pollFor(720, 240)).slice(-2)
    expectWhole(crowd, heir!)
  })
})

it('a truncated list is doubted even if it contains a leave returned for another person', async ({
  regulars,
  company,
}) => {
  const { leaves } = company.records
  leaves['usr_1']?.push(leaves['usr_ab']!.pop()!)
  await regulars.pollFor(2)
  leaves['usr_ab']?.splice(1)
  const pollHers = async (): Promise<readonly string[]> => {
    await regulars.pass(61_000)
    return shown(await regulars.poll(regulars.subscriptions[5]!), 'leave')
  }
  expect(await pollHers()).toEqual(['lv_5a', 'lv_5b', 'lv_5c', 'lv_5d'])
  expect(await pollHers()).toEqual(['lv_5a', 'lv_5d'])
})
