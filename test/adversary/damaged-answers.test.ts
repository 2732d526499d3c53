/* Records and answers that cannot be read take nothing out of a calendar. */
import { describe, expect } from 'vitest'

import { it } from '../support/adversary/adversary-fixture.ts'
import { type Operation, operations } from '../support/adversary/lie.ts'
import { cutJson } from '../support/adversary/lies-about-bytes.ts'
import { type Damage, damagedAll, damages } from '../support/adversary/lies-about-fields.ts'
import {
  expectNothingGone,
  expectWhole,
  person,
  pollOnce,
  wholeFeed,
  wholeInput,
} from '../support/adversary/whole-feed.ts'
import { allOr } from '../support/bridge/thorough.ts'

describe('one field with a useless value removes no event', () => {
  wholeFeed(
    'createdAt of tasks, notes of entries, leaveType.category: the calendar is the same',
    async ({ whole, crowd, company }) => {
      for (const name of [
        'tasks.createdAt = ""',
        'timesheets.entries.notes = 3',
        'leaves.leaveType.category = 3',
      ]) {
        company.tellTheTruth()
        company.tell(damagedAll(damageOf(name)))
        const polled = await pollOnce(crowd)
        expect([name, polled.text]).toEqual([name, whole.text])
        expect(polled.stale).toBeNull()
      }
    },
  )

  wholeFeed('isActive: "true" on a schedule', async ({ whole, served: crowd, company }) => {
    const [day, ...others] = company.records.schedules
    company.records.schedules = [{ ...day!, isActive: 'true' }, ...others]
    expectNothingGone(await pollOnce(crowd), whole)
    await crowd.pass(12 * 60_000)
    expectNothingGone(await pollOnce(crowd), whole)
  })

  wholeFeed.for(operations.flatMap(damagesInParts))(
    'each field of %s by itself, and some in all records: %s',
    async ([operation, , some], { whole, served: crowd, company }) => {
      const gone: string[] = []
      // Users are asked for twice a day.
      const minutes = operation === 'user' ? 12 * 60 : 1
      for (const damage of some) {
        company.tellTheTruth()
        company.tell(damage.name.endsWith('3') ? damagedAll(damage) : damage)
        const { status: code, uids } = await pollOnce(crowd, minutes)
        const missing = [...whole.uids].filter((uid) => !uids.has(uid)).length
        if (missing > 0) gone.push(`${damage.name}: ${code}, ${missing} events gone`)
      }
      expect(gone).toEqual([])
      company.tellTheTruth()
      await crowd.pollFor(16, 8)
      expectWhole(crowd, await pollOnce(crowd))
    },
  )
})

/** Those that are tried, few enough at once that no month ends over them, which would take events away. */
function damagesInParts(operation: Operation): readonly [Operation, string, readonly Damage[]][] {
  const all = damages.filter((one) => one.operation === operation)
  const some = allOr(all, ({ name }) => /3$|isActive/.test(name))
  const parts = Math.ceil(some.length / 40)
  return Array.from({ length: parts }, (_, part) => [
    operation,
    `part ${part + 1} of ${parts}`,
    some.slice(part * 40, (part + 1) * 40),
  ])
}

function damageOf(name: string): Damage {
  const found = damages.find((one) => one.name === name)
  if (!found) throw new Error(`There is no damage ${name}.`)
  return found
}

describe('cut JSON with a true ETag', () => {
  wholeFeed.for(allOr(operations, (operation) => operation === 'leaves' || operation === 'user'))(
    'of %s: is requested again',
    async (operation, { whole, served: crowd, company }) => {
      company.records.leaves[person]?.pop()
      company.records.tasks['prj_web']?.pop()
      company.records.timesheets.splice(1, 1)
      for (const one of [
        ...company.records.users,
        ...company.records.schedules,
        ...company.records.invoices,
      ])
        Object.assign(one, { name: 'Another', lastName: 'Another', currency: 'USD' })
      company.tell(cutJson, { of: [operation] })
      expect((await pollOnce(crowd, 13 * 60)).status).toBe(200)
      company.tellTheTruth()
      const polled = await pollOnce(crowd, 13 * 60)
      expectWhole(crowd, polled)
      expect(polled.stale).toBeNull()
      expect(polled.text).not.toBe(whole.text)
    },
  )

  it('on a new bridge: the next poll is complete', async ({ served: crowd, company }) => {
    company.tell(cutJson)
    await crowd.subscribe(person, wholeInput)
    await crowd.pollFor(3)
    company.tellTheTruth()
    const [polled] = await crowd.pollFor(16, 8)
    expectWhole(crowd, polled!)
  })
})
