import { expect } from 'vitest'

import { it } from '../support/adversary/adversary-fixture.ts'
import { newLeave } from '../support/adversary/eight-people.ts'
import { exchanged } from '../support/adversary/lies-about-people.ts'
import { foreignLeaves } from '../support/adversary/shown.ts'

it('two exchanges a day apart move no leave returned for its owner all day in between', async ({
  regulars,
  company,
  clock,
}) => {
  const { leaves } = company.records
  for (const id of ['usr_1', 'usr_A']) leaves[id] = leaves[id]!.slice(0, 1)
  await regulars.pollFor(30, 1)
  // A closing that is one leave for many more people than there are calendars here.
  const node = await regulars.nodes[0]!.node()
  const [{ id: connectionId }] = [...node.connections.values()] as unknown as [{ id: string }]
  for (let person = 0; person < 201; person += 1) {
    await node.store.proofs.noteReading(connectionId, {
      companyId: 'main',
      userId: `usr_many${person}`,
      present: ['lv_0_closing'],
      absent: [],
      now: clock.now(),
      mayOwn: true,
      isGone: false,
      onlyInFeed: false,
    })
  }
  leaves['usr_1']!.push(newLeave('lv_n1', 1))
  company.tell(exchanged('usr_1', 'usr_A'))
  expect(foreignLeaves(company, await regulars.pollFor(1))).toEqual([])
  company.tellTheTruth()
  for (let hours = 0; hours < 26; hours += 2) {
    expect(foreignLeaves(company, await regulars.pollFor(120, 120))).toEqual([])
  }
  company.tell(exchanged('usr_1', 'usr_A'))
  for (let turn = 0; turn < 3; turn += 1) {
    expect(foreignLeaves(company, await regulars.pollFor(1))).toEqual([])
  }
})
