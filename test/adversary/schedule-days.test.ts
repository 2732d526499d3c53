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

wholeFeed(
  'a schedule day without readable times removes no shift',
  async ({ whole, served: crowd, company }) => {
    for (const monday of days) {
      const damaged: Lie = {
        name: `monday = ${JSON.stringify(monday)}`,
        of: ['schedules'],
        alter: (records) => records.map((it) => ({ ...it, pattern: { monday } })),
      }
      company.tell(damaged)
      expectNothingGone(await pollOnce(crowd), whole)
      expectNothingGone(await pollOnce(crowd, 2), whole)
      company.tellTheTruth()
      expect((await pollOnce(crowd)).text).toBe(whole.text)
    }
    expect(whole.status).toBe(200)
  },
)
