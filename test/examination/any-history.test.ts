/*
 * Whatever was set before, however lists are paged and whichever records are damaged: what doctor says agrees with what the
 * calendars show, and nobody who does what it says loses anything.
 */
import fc from 'fast-check'
import { inject, it } from 'vitest'

import { checkHistory } from '../support/company/examine-history.ts'
import { examinedHistories } from '../support/company/examined-history.ts'

const runs = inject('isThorough') ? { numRuns: 300 } : { numRuns: 2, seed: 20_260_105 }

it('the examination agrees with the calendars, and its advice loses nothing', async () => {
  await fc.assert(fc.asyncProperty(examinedHistories, checkHistory), {
    ...runs,
    endOnFailure: true,
  })
})
