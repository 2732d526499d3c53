import { expect, inject, it } from 'vitest'

import { checkRoundTrips } from '../support/calendar/round-trip.ts'

it('Third-party parsers read any company’s feeds at the times that Temporal computes', async () => {
  const events = await checkRoundTrips(inject('isThorough') ? 150 : 40)
  process.stdout.write(`${events} events compared in three time zones and two parsers\n`)
  expect(events).toBeGreaterThan(300)
})
