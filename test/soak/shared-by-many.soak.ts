import { describe, expect } from 'vitest'

import { it } from '../support/adversary/adversary-fixture.ts'
import { alikeIds, newLeave } from '../support/adversary/eight-people.ts'
import { sharedLeave } from '../support/adversary/lies-about-people.ts'
import { shown } from '../support/adversary/shown.ts'
import { watch } from '../support/adversary/watch.ts'

describe('a new leave that is returned for everybody for a while', () => {
  it('belongs to its own person two days after that has ended', async ({ regulars, company }) => {
    company.records.leaves['usr_1']?.unshift(newLeave('lv_new', 1))
    company.tell(sharedLeave('usr_1'))
    await watch(regulars, 4)
    company.tellTheTruth()
    await regulars.pollFor(2 * 1440, 120)
    const polled = await watch(regulars, 2)
    const showing = polled.filter((one) => shown(one, 'leave').includes('lv_new'))
    expect(showing.map(({ person }) => person)).toEqual(['usr_1'])
    expect(alikeIds).toHaveLength(8)
  })
})
