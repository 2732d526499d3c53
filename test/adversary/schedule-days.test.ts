import { expect } from 'vitest'

import type { Lie } from '../support/adversary/lie.ts'
import { expectNothingGone, pollOnce, wholeFeed } from '../support/adversary/whole-feed.ts'

const days: readonly unknown[] = [
  null,
  3,
  '',
  {},
  [],
  { start: '', end: '17:00' },
  { start: '09:00' },
  { start: 9, end: 17 },
]

wholeFeed.for(days)(
  'a schedule day with the value %j removes no shift',
  async (monday, { whole, served: crowd, company }) => {
    const damaged: Lie = {
      name: 'a day that cannot be read',
      of: ['schedules'],
      alter: (records) => records.map((it) => ({ ...it, pattern: { monday } })),
    }
    company.tell(damaged)
    expectNothingGone(await pollOnce(crowd), whole)
    expectNothingGone(await pollOnce(crowd, 2), whole)
    expect(whole.status).toBe(200)
  },
)
