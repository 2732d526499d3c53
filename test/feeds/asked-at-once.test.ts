import { setImmediate as turn } from 'node:timers/promises'

import fc from 'fast-check'
import { expect, it } from 'vitest'

import { AskedAtOnce } from '../../src/feeds/company-lookup.ts'

it('never asks for more than it may, and comes to the end of all that wait in their order', async () => {
  const most = 1000
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 500 }), fc.boolean()), { maxLength: 50 }),
      async (wanted) => {
        const asked = new AskedAtOnce(most)
        let underWay = 0
        const begun: number[] = []
        const all = wanted.map(([count, fails], index) =>
          asked.during(count, async () => {
            begun.push(index)
            underWay += count
            expect(underWay).toBeLessThanOrEqual(most)
            await turn()
            underWay -= count
            if (fails) throw new Error('not answered')
          }),
        )
        await Promise.allSettled(all)
        expect(begun).toEqual(wanted.map((_, index) => index))
      },
    ),
    { numRuns: 50 },
  )
})
