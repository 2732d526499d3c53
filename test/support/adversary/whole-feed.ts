/* One person's calendar of every kind, before the upstream begins to lie. */
import { expect, inject } from 'vitest'

import { it } from './adversary-fixture.ts'
import { countShifts, exactly, uidsOf } from './shown.ts'
import { options, type Polled, type Subscribers } from './subscribers.ts'

/** Whose it is. */
export const person = 'usr_1'
/** Of a feed that shows all kinds. */
export const wholeInput = {
  options: { ...options, invoices: { show: true, invoiceIds: ['inv_1'] } },
}

/**
 * One person's calendar of every kind, polled once while all was well: of most kinds it shows two. What a bridge asks without
 * polls, it asks where there is time.
 */
export const wholeFeed = it
  .extend('served', async ({ crowd }) => {
    await crowd.addNode({}, { rounds: inject('isThorough') })
    await crowd.company.quiet()
    return crowd
  })
  .extend('whole', async ({ served: crowd, company: { records } }) => {
    records.leaves[person] = records.leaves[person]?.slice(0, 2) ?? []
    records.tasks['prj_web'] = [records.tasks['prj_web']![0]!, records.tasks['prj_web']!.at(-1)!]
    await crowd.subscribe(person, wholeInput)
    const [polled] = await crowd.pollFor(1)
    expectWhole(crowd, polled!)
    return polled!
  })

/** The calendar holds all that it should, and nothing else. */
export function expectWhole({ company: { records } }: Subscribers, polled: Polled): void {
  const uids = [...exactly(records, person), 'invoice-inv_1@main.calendar-feed-bridge'].toSorted()
  expect([polled.status, uidsOf(polled)]).toEqual([200, uids])
  expect(countShifts(polled)).toBeGreaterThan(9)
}

/** A poll after so many minutes. */
export async function pollOnce(crowd: Subscribers, minutes = 1): Promise<Polled> {
  await crowd.clock.advance(minutes * 60_000 + 1000)
  return crowd.poll(crowd.subscriptions[0]!)
}

/** Every event of before is still there. */
export function expectNothingGone(now: Polled, before: Polled): void {
  expect(now.status).toBe(200)
  expect([...before.uids].filter((uid) => !now.uids.has(uid))).toEqual([])
}
