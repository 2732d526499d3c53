import { expect, inject, it } from 'vitest'

import { checkRoundTrips } from '../support/calendar/round-trip.ts'

it('any company’s feeds are read by other people’s parsers at the times that Temporal computes', async () => {
  const events = await checkRoundTrips(inject('isThorough') ? 150 : 40)
  process.stdout.write(`${events} events compared in three time zones and two parsers\n`)
  expect(events).toBeGreaterThan(300)
})
