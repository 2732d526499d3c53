/* A filter that is ignored for one id alone, when hardly anybody's leaves are known yet. */
import { expect } from 'vitest'

import { it } from '../support/adversary/adversary-fixture.ts'
import { companyOf, newLeave } from '../support/adversary/eight-people.ts'
import type { Asked, Lie } from '../support/adversary/lie.ts'
import { status } from '../support/adversary/lies-about-bytes.ts'
import { mixed } from '../support/adversary/lies-about-people.ts'
import { shown } from '../support/adversary/shown.ts'
import { watch } from '../support/adversary/watch.ts'

const unfilteredFor = (id: string): Lie => ({
  name: `the filter ignored for ${id}`,
  of: ['leaves'],
  pick: ({ subject }, { records: { leaves } }) =>
    subject === id ? Object.values(leaves).flat() : (leaves[subject] ?? []),
})

it('is detected beside people without copies when only a single leave is stored', async ({
  crowd,
  company,
}) => {
  Object.assign(company.records, companyOf(['usr_ada', 'usr_bob', 'usr_cleo', 'usr_dan']))
  company.records.leaves['usr_ada']?.splice(1)
  await crowd.addNode()
  await company.quiet()
  await crowd.subscribe('usr_ada')
  const before = await watch(crowd, 2)
  expect(before.flatMap((one) => shown(one, 'leave'))).not.toEqual([])
  company.tell(unfilteredFor('usr_dan'))
  await crowd.subscribe('usr_dan')
  const polled = await watch(crowd, 2)
  const ofDan = polled.filter(({ person }) => person === 'usr_dan')
  expect(ofDan.flatMap((one) => shown(one, 'leave'))).toEqual([])
})

it('does not keep new leaves from anybody once the filter works, even if the owner never gets an answer again', async ({
  regulars,
  company,
}) => {
  const of = ['leaves'] as const
  company.tell(status(500), { of, when: ({ subject }: Asked) => subject === '01' })
  const when = ({ subject }: Asked): boolean => subject === 'usr_A'
  company.tell(mixed({ person: 'usr_A', other: '01', count: 4 }), { when, times: 1 })
  company.records.leaves['usr_A']?.push(newLeave('lv_new', 1))
  const polled = await watch(regulars, 4)
  const last = polled.findLast(({ person }) => person === 'usr_A')
  expect(shown(last!, 'leave')).toContain('lv_new')
})
