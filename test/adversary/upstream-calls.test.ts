/* What a poll costs the upstream: never more for a fault than when all is well. */
import { describe, expect, inject } from 'vitest'

import { impatient, it as base } from '../support/adversary/adversary-fixture.ts'
import { companyOf, newLeave } from '../support/adversary/eight-people.ts'
import type { Asked, Lie } from '../support/adversary/lie.ts'
import {
  cutJson,
  empty,
  redirects,
  reset,
  stalled,
  status,
  torn,
  truncated,
  wrongBodies,
} from '../support/adversary/lies-about-bytes.ts'
import { damagedAll, damages } from '../support/adversary/lies-about-fields.ts'
import {
  carelessFilters,
  unfiltered,
  unfilteredButRefusing,
} from '../support/adversary/lies-about-people.ts'
import type { Subscribers } from '../support/adversary/subscribers.ts'
import { allOr } from '../support/bridge/thorough.ts'

const people = Array.from({ length: 50 }, (_, index) => `usr_${String(index).padStart(3, '0')}`)
const statuses = [400, 401, 403, 404, 408, 409, 410, 418, 422, 429, 451, 500, 501, 502, 503, 504]

/** After which nothing new is learned. */
const failures: readonly Lie[] = [
  ...statuses.map((code) => status(code)),
  ...wrongBodies,
  ...redirects,
  status(429, '60'),
  status(503, '60'),
  status(503, '7200'),
  reset,
  torn,
  cutJson,
]

/** After which there is something to compare, as after honest changes. */
const changes: readonly Lie[] = [
  empty,
  truncated,
  unfiltered,
  unfilteredButRefusing(404),
  carelessFilters.prefix,
  carelessFilters.substring,
  ...damages
    .filter(({ name }) => ['leaves.id = 3', 'leaves.status = {}'].includes(name))
    .map(damagedAll),
]

/** Those that once cost a poll of many people most. */
const dearest = new Set(['status 403', 'status 404', 'status 429', 'status 500', 'status 503'])

/** Any of them where there is time. */
const otherwise = /torn|reset|cut JSON|redirect 308|empty body|status 503 /
const tried = allOr(failures, ({ name }) => dearest.has(name) || otherwise.test(name))

const triedOfMany = allOr(
  failures.filter(({ name }) => dearest.has(name)),
  ({ name }) => /403|429/.test(name),
)
const changedOfMany = allOr(changes.slice(0, 3), ({ name }) => name === empty.name)

const it = base.extend('settings', { FEED_FRESH_SECONDS: '300' })

/** Only polls have it ask: the calls of an examination or of a search for people would be counted as theirs. */
async function addQuietNode(crowd: Subscribers): Promise<void> {
  await crowd.addNode({}, { rounds: false })
}

/** The calls of an hourly poll of that many people's one calendar. */
async function callsOfPoll(crowd: Subscribers): Promise<number> {
  await crowd.pass(3_599_000, 3_600_000)
  crowd.company.takeCounts()
  await crowd.poll(crowd.subscriptions[0]!)
  await crowd.company.quiet()
  return crowd.company.takeCounts().all
}

function giveEachNewLeave({ company }: Subscribers, number: number): void {
  const { leaves } = company.records
  for (const [id, own] of Object.entries(leaves)) {
    leaves[id] = [...own.slice(0, 4), newLeave(`lv_${id}_${number}`, number)]
  }
}

const sizes = [
  ['one person', 1],
  ['50 people', 50],
] as const

describe.for(allOr(sizes, ([, size]) => size === 1))(
  'an hourly poll of a feed of %s',
  ([, size]) => {
    it('costs no more under any fault, after the first, than without one', async ({
      crowd,
      company,
    }) => {
      company.records = companyOf(people.slice(0, Math.max(size, 8)))
      await addQuietNode(crowd)
      await crowd.subscribe(people[0]!, {
        userIds: people.slice(0, size),
        ...(size > 1 ? { options: {} } : {}),
      })
      await crowd.pollFor(3)
      const quietly = await callsOfPoll(crowd)
      giveEachNewLeave(crowd, 1)
      const changed = await callsOfPoll(crowd)
      const table: Record<string, string> = { 'all is well': `${quietly}` }
      table['all is well, and everybody’s leaves change'] = `${changed}`
      const dearer: string[] = []
      for (const [lies, allowed] of [
        [size === 1 ? tried : triedOfMany, quietly],
        [size === 1 ? changes : changedOfMany, Math.max(quietly, changed)],
      ] as const) {
        for (const lie of lies) {
          company.tell(lie)
          const calls = [await callsOfPoll(crowd), await callsOfPoll(crowd)]
          company.tellTheTruth()
          await crowd.pollFor(65, 65)
          table[lie.name] = calls.join(', ')
          if (calls[1]! > allowed) dearer.push(`${lie.name}: ${calls[1]} calls, not ${allowed}`)
        }
      }
      console.table(table)
      expect(dearer).toEqual([])
    })
  },
)

const impatiently = base.extend('settings', impatient)

impatiently('costs no more without any answer than without a fault', async ({ crowd, company }) => {
  await addQuietNode(crowd)
  await crowd.subscribe('usr_1')
  await crowd.pollFor(3)
  const quietly = await callsOfPoll(crowd)
  company.tell(stalled)
  await callsOfPoll(crowd)
  expect(await callsOfPoll(crowd)).toBeLessThanOrEqual(quietly)
})

base.runIf(inject('isThorough'))(
  'an account that is gone, with empty lists, is requested less and less often',
  async ({ served: crowd, company }) => {
    const isTheirUser = ({ operation, subject }: Asked): boolean =>
      operation === 'user' && subject === 'usr_1'
    await crowd.subscribeAll(Object.keys(company.records.leaves))
    await crowd.pollFor(1)
    company.records.timesheets = company.records.timesheets.filter(
      ({ userId }) => userId !== 'usr_1',
    )
    company.tell(status(404), { when: isTheirUser })
    await crowd.pollFor(1)
    await crowd.pass(3_600_000)
    company.told.length = 0
    await crowd.pass(3_600_000)
    const asked = company.told.filter(({ subject }) => subject === 'usr_1')
    expect(asked.length).toBeLessThanOrEqual(4)
  },
)

it('20 people with one change an hour cost at most 2.6 calls per hourly poll', async ({
  crowd,
  company,
}) => {
  const some = people.slice(0, 20)
  company.records = companyOf(some)
  await addQuietNode(crowd)
  await crowd.subscribeAll(some)
  await crowd.pollFor(3)
  const hours = inject('isThorough') ? 5 : 2
  let calls = 0
  for (let hour = 0; hour < hours; hour += 1) {
    await crowd.pass(3_601_000, 3_601_000)
    company.records.leaves[some[hour]!]?.push(newLeave(`lv_new${hour}`, hour))
    company.takeCounts()
    await crowd.pollAll()
    calls += company.takeCounts().all
  }
  const polls = hours * some.length
  console.log(`${calls / polls} calls an hourly poll`)
  expect(calls / polls).toBeLessThanOrEqual(2.6)
  expect(calls).toBeGreaterThanOrEqual(2 * polls)
})
