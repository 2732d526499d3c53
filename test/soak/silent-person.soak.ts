import { describe, expect } from 'vitest'

import { it } from '../support/adversary/adversary-fixture.ts'
import { newLeave } from '../support/adversary/eight-people.ts'
import { status } from '../support/adversary/lies-about-bytes.ts'
import { unfiltered } from '../support/adversary/lies-about-people.ts'
import { shown } from '../support/adversary/shown.ts'

describe('a person for whom the API always answers 500', () => {
  it('does not hold back new leaves of others for days', async ({ regulars, company }) => {
    company.tell(status(500), { of: ['leaves'], when: ({ subject }) => subject === 'usr_ab' })
    for (let turn = 0; turn < 6; turn += 1) {
      company.records.leaves['usr_A']?.push(newLeave(`lv_new${turn}`, turn))
      await regulars.pollFor(60, 20)
    }
    const polled = await regulars.pollFor(3 * 1440, 120)
    const one = polled.find(({ person }) => person === 'usr_A')!
    expect([one.status, shown(one, 'leave').length]).toEqual([200, 10])
  })

  it('does not keep a filter disproved that works again', async ({ regulars, company }) => {
    const silent = new Set(['usr_ab', '01'])
    const isSilent = ({ subject }: { subject: string }): boolean => silent.has(subject)
    company.tell(status(500), { of: ['leaves'], when: isSilent })
    company.tell(unfiltered)
    for (const id of ['usr_A', 'usr_1']) company.records.leaves[id]?.push(newLeave(`lv_${id}`, 1))
    await regulars.pollFor(2)
    company.tellTheTruth()
    company.tell(status(500), { of: ['leaves'], when: isSilent })
    await regulars.pollFor(120, 11)
    await regulars.pollFor(8 * 1440, 240)
    const polled = await regulars.pollFor(1)
    const others = polled.filter(({ person }) => !silent.has(person))
    expect(others.map((one) => [one.person, one.status])).toEqual(
      others.map(({ person }) => [person, 200]),
    )
    const one = polled.find(({ person }) => person === 'usr_A')!
    expect(shown(one, 'leave')).toHaveLength(5)
  })
})
