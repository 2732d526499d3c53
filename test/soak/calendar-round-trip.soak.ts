import { expect, it } from 'vitest'

import { checkRoundTrips } from '../support/round-trip.ts'

it('E5 and event-rules 1–7: 5,000 companies’ feeds are read at the times that Temporal computes', async () => {
  const events = await checkRoundTrips(5000)
  process.stdout.write(`${events} events compared in three time zones and two parsers\n`)
  expect(events).toBeGreaterThan(30_000)
})
