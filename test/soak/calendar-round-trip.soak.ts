import { expect, it } from 'vitest'

import { checkRoundTrips } from '../support/calendar/round-trip.ts'

it('5,000 feeds are read by independent parsers at the times that Temporal computes', async () => {
  const events = await checkRoundTrips(5000)
  process.stdout.write(`${events} events compared in three time zones and two parsers\n`)
  expect(events).toBeGreaterThan(30_000)
})
