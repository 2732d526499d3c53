import fc from 'fast-check'
import { expect } from 'vitest'

import { randomSource } from '../company/random-company.ts'
import { renderSource } from './calendar-source.ts'
import { lintCalendar } from './ics-lint.ts'
import type { ParsedEvent } from './parsers.ts'
import { expectedEvents, type ExpectedEvent } from './time-oracle.ts'
import { TimeZoneProcess } from './time-zone-process.ts'

const timezones = ['UTC', 'Asia/Tokyo', 'America/New_York']

/**
 * Any company's feed, read by other people's parsers in processes of three time zones, holds exactly the events and times
 * that Temporal computes from the records. Gives the number of events that were compared.
 */
export async function checkRoundTrips(companies: number): Promise<number> {
  const processes = timezones.map((timezone) => new TimeZoneProcess(timezone))
  let events = 0
  try {
    const property = fc.asyncProperty(randomSource, async (source) => {
      const text = renderSource(source)
      const expected = expectedEvents(source)
      events += expected.length
      expect(lintCalendar(text)).toEqual([])
      const answers = await Promise.all(processes.map((it) => it.ask({ ask: 'parse', text })))
      expect(answers.map(({ timezone }) => timezone)).toEqual(timezones)
      for (const { parsed } of answers) {
        for (const found of parsed) expect(timesOf(found)).toEqual(expected)
      }
    })
    await fc.assert(property, { numRuns: companies })
  } finally {
    await Promise.all(processes.map((it) => it.close()))
  }
  return events
}

function timesOf(events: readonly ParsedEvent[]): ExpectedEvent[] {
  return events
    .map(({ uid, allDay, start, end }) => ({ uid, allDay, start, end }))
    .toSorted((a, b) => (a.uid < b.uid ? -1 : 1))
}
