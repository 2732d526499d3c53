import { expect } from 'vitest'

import { it } from '../support/adversary/adversary-fixture.ts'
import { companyOf, newLeave } from '../support/adversary/eight-people.ts'
import { unfiltered } from '../support/adversary/lies-about-people.ts'
import { exactly, uidsOf } from '../support/adversary/shown.ts'

it('a calendar drops leaves that really ended while its filter was ignored for a minute', async ({
  crowd,
  company,
}) => {
  company.records = companyOf(['usr_one', 'usr_two'])
  await crowd.addNode()
  await company.quiet()
  await crowd.subscribe('usr_one')
  const [before] = await crowd.pollFor(1)
  expect(uidsOf(before!)).toEqual(exactly(company.records, 'usr_one'))
  company.records.leaves['usr_one']?.push(newLeave('lv_new', 1))
  company.tell(unfiltered)
  await crowd.pollFor(2)
  company.tellTheTruth()
  company.records.leaves['usr_one'] = []
  const soon = (await crowd.pollFor(120, 5))[0]!
  const later = (await crowd.pollFor(9 * 1440, 240))[0]!
  expect([soon.status, later.status]).toEqual([200, 200])
  expect(uidsOf(soon)).toEqual(exactly(company.records, 'usr_one'))
})
