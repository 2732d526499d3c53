/* One answer that went astray: it shows nobody another's leave, and the leave's own person has it all the same. */
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'

import { describe, expect } from 'vitest'

import { it as base } from '../support/adversary/adversary-fixture.ts'
import { companyOf, newLeave } from '../support/adversary/eight-people.ts'
import type { Asked } from '../support/adversary/lie.ts'
import { exchanged, mixed } from '../support/adversary/lies-about-people.ts'
import { shown } from '../support/adversary/shown.ts'
import { options, type Subscribers } from '../support/adversary/subscribers.ts'
import { expectExact, expectWhole, watch } from '../support/adversary/watch.ts'
import { calendarUrl } from '../support/bridge/bridge.ts'
import { allOr } from '../support/bridge/thorough.ts'
import type { Json } from '../support/company/company-server.ts'

const people = Array.from({ length: 22 }, (_, index) => `emp-${index}-x`)
const [ada = '', bob = ''] = people
/** Has leaves and a user record; nothing names them until they have a feed. */
const newcomer = 'emp-new-x'

/** With twenty people's leaves kept and two calendars, so that one comparison is enough. */
const it = base.extend('established', async ({ crowd, company }) => {
  company.records = companyOf(people)
  await crowd.addNode()
  await company.quiet()
  const known = await crowd.nodes[0]!.createFeed({ userIds: people.slice(2), options })
  await crowd.whileTimePasses(fetch(calendarUrl(known)))
  await crowd.subscribeAll([ada, bob])
  await watch(crowd, 2)
  const { users, leaves } = companyOf([newcomer])
  company.records.users.push(...users)
  company.records.leaves[newcomer] = (leaves[newcomer] ?? []).map((leave, index) => ({
    ...leave,
    id: `lv_newcomer${index}`,
  }))
  return crowd
})

/** Tells the lie at one of the next answers for that person, counted from 0. */
function mixOnce({ company }: Subscribers, person: string, at: number, count: number): void {
  let answers = 0
  const when = ({ subject }: Asked): boolean => subject === person && answers++ === at
  company.tell(mixed({ person, other: newcomer, count }), { when })
}

/** The newcomer's own calendar, at the first poll. */
async function expectNewcomerWhole(crowd: Subscribers): Promise<void> {
  const subscription = await crowd.subscribe(newcomer)
  expectWhole(crowd, await crowd.poll(subscription))
}

describe('one answer with leaves of a person who was never read', () => {
  it.for(allOr([1, 2, 3], (count) => count === 1))(
    '%i leaves: shown to no other person, and to their owner at the first poll',
    async (count, { established: crowd }) => {
      mixOnce(crowd, ada, 0, count)
      await watch(crowd, 3)
      await expectNewcomerWhole(crowd)
      await expectExact(crowd)
    },
  )

  it.for(allOr([1, 2, 3], (at) => at === 1))(
    'at reading %i after a changed answer: only the change is shown',
    async (at, { established: crowd, company }) => {
      company.records.leaves[ada]?.push(newLeave('lv_change', 1))
      mixOnce(crowd, ada, at, 2)
      const [changed] = await watch(crowd, 1)
      expect(shown(changed!, 'leave')).toContain('lv_change')
      await expectNewcomerWhole(crowd)
      await expectExact(crowd)
    },
  )

  it('among another person’s leaves, compared with a changed answer: its owner still gets it', async ({
    established: crowd,
    company,
  }) => {
    company.records.leaves[ada]?.push(newLeave('lv_change', 1))
    const when = ({ subject }: Asked): boolean => subject !== ada && people.includes(subject)
    company.tell(mixed({ person: null, other: newcomer, count: 3 }), { when, times: 1 })
    await watch(crowd, 2)
    await expectNewcomerWhole(crowd)
    await expectExact(crowd)
  })

  it('at the first reading of a new person: not shown', async ({ established: crowd }) => {
    const { company } = crowd
    const { users, leaves } = companyOf(['emp-late-x'])
    company.records.users.push(...users)
    company.records.leaves['emp-late-x'] = [{ ...leaves['emp-late-x']![0]!, id: 'lv_late' }]
    mixOnce(crowd, 'emp-late-x', 0, 3)
    await crowd.subscribe('emp-late-x')
    await watch(crowd, 2)
    await expectNewcomerWhole(crowd)
    await expectExact(crowd)
  })

  it('again a quarter of an hour later: not shown', async ({ established: crowd }) => {
    mixOnce(crowd, ada, 0, 2)
    await watch(crowd, 15, 5)
    crowd.company.tellTheTruth()
    mixOnce(crowd, ada, 0, 2)
    await watch(crowd, 15, 5)
    await expectNewcomerWhole(crowd)
  })
})

it('a leave seen in one of two readings is shown when it is returned again', async ({
  established: crowd,
  company,
}) => {
  const { leaves } = company.records
  const change = newLeave('lv_change', 1)
  leaves[ada]?.push(change)
  let answers = 0
  const when = ({ subject }: Asked): boolean => subject === ada && answers++ === 1
  const alter = (records: readonly { id: string }[]) => records.filter(({ id }) => id !== change.id)
  company.tell({ name: 'an answer that lacks the change', of: ['leaves'], alter }, { when })
  const [first] = await watch(crowd, 1)
  expect(shown(first!, 'leave')).not.toContain('lv_change')
  const [second] = await watch(crowd, 1)
  expectWhole(crowd, second!)
})

it('a poll without new records costs no extra call, one with a change costs one', async ({
  established: crowd,
  company,
}) => {
  const callsOf = async (): Promise<number> => {
    await crowd.pass(61_000)
    company.takeCounts()
    await crowd.poll(crowd.subscriptions[0]!)
    await company.quiet()
    return company.takeCounts().leaves
  }
  expect(await callsOf()).toBe(1)
  company.records.leaves[ada]?.push(newLeave('lv_change', 1))
  // The answer, its second reading, nobody’s, and the one of the id cut off.
  expect(await callsOf()).toBe(4)
  expect(await callsOf()).toBe(1)
})

base(
  'a person without leaves who is confused with another for hours sees none of theirs, not even new ones',
  async ({ crowd, company }) => {
    company.records = companyOf(people)
    company.records.leaves[ada] = []
    await crowd.addNode()
    await company.quiet()
    const known = await crowd.nodes[0]!.createFeed({ userIds: people.slice(2), options })
    await crowd.whileTimePasses(fetch(calendarUrl(known)))
    await crowd.subscribeAll([ada, bob])
    await watch(crowd, 2)
    company.tell(exchanged(ada, bob))
    await watch(crowd, 2)
    company.records.leaves[bob]?.push(newLeave('lv_change', 1))
    await watch(crowd, 60, 10)
  },
)

base('leaves with new ids in every answer do not fill the store', async ({ crowd, company }) => {
  company.records = companyOf(people)
  await crowd.addNode()
  await company.quiet()
  await crowd.subscribeAll([ada])
  let answers = 0
  const pick = (): readonly Json[] => {
    answers += 1
    return Array.from({ length: 150 }, (_, index) => newLeave(`lv_${answers}_${index}`, index))
  }
  company.tell(
    { name: 'new ids', of: ['leaves'], pick },
    { when: ({ subject }) => subject === ada },
  )
  await crowd.pollFor(120, 10)
  expect(answers).toBeGreaterThan(10)
  using database = new DatabaseSync(fileURLToPath(crowd.databaseUrl))
  const noted = database.prepare('select count(*) as count from leave_owners where user_id = ?')
  expect(noted.get(ada)).toEqual({ count: 900 })
})
