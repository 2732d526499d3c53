/* Many lists that become empty, or others, together. */
import { expect } from 'vitest'

import { it } from '../support/adversary/adversary-fixture.ts'
import { companyOf } from '../support/adversary/eight-people.ts'
import { empty } from '../support/adversary/lies-about-bytes.ts'
import { shown } from '../support/adversary/shown.ts'

const people = Array.from({ length: 12 }, (_, index) => `usr_p${String.fromCharCode(97 + index)}x`)

it('an hour of empty leave lists for everybody removes no event from the calendar that is polled', async ({
  crowd,
  company,
}) => {
  company.records = companyOf(people)
  await crowd.addNode()
  await company.quiet()
  await crowd.subscribeAll(people)
  const before = await crowd.pollFor(1)
  expect(before.map((one) => shown(one, 'leave').length)).toEqual(people.map(() => 4))
  company.tell(empty, { of: ['leaves'] })
  const [first] = crowd.subscriptions
  const seen: number[] = []
  for (let minute = 0; minute < 20; minute += 2) {
    await crowd.pass(121_000)
    const polled = await crowd.poll(first!)
    seen.push(polled.status === 200 ? shown(polled, 'leave').length : polled.status)
  }
  expect(seen).toEqual(seen.map(() => 4))
})

it('new ids for all leaves are believed within a quarter of an hour', async ({
  regulars,
  company,
}) => {
  const { leaves } = company.records
  for (const id of Object.keys(leaves)) {
    leaves[id] = leaves[id]!.map((leave) => ({ ...leave, id: `${leave.id}_new` }))
  }
  for (const one of await regulars.pollFor(16, 2)) {
    expect([one.status, shown(one, 'leave')]).toEqual([
      200,
      leaves[one.person]!.map(({ id }) => id),
    ])
  }
})
