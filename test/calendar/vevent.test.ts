/* An event's lines, beside ical-generator's. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { eventUid } from '../../src/calendar/build-event.ts'
import { contentOf, revisedText, writeVevent } from '../../src/calendar/vevent.ts'
import type { EventTime, RevisedEvent } from '../../src/domain/calendar-event.ts'
import { multiLine, singleLine } from '../../src/text/plain-text.ts'
import { libraryVevent } from '../support/calendar/library-event.ts'

const secondsMax = Date.parse('9999-12-30T00:00:00Z') / 1000
const secondsMin = Date.parse('0001-01-02T00:00:00Z') / 1000
const second = fc.oneof(
  fc.integer({ min: secondsMin, max: secondsMax - 1 }),
  fc.integer({ min: 1_700_000_000, max: 1_900_000_000 }),
)
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ maxLength: 90 }),
  fc
    .array(fc.constantFrom('\\', ';', ',', '\n', '\r\n', 'n', '€', 'é', '😀', 'END:VALARM', ' '), {
      maxLength: 120,
    })
    .map((parts) => parts.join('')),
)
const time = fc.tuple(second, fc.integer({ min: 1, max: 400 * 86_400 }), fc.boolean()).map(timeOf)
const event: fc.Arbitrary<RevisedEvent> = fc.record({
  uid: text.map((id) => eventUid({ companyId: 'main', kind: 'task', id })),
  kind: fc.constant('task'),
  time,
  title: text.map(singleLine),
  description: fc.option(text.map(multiLine)),
  status: fc.constantFrom('CONFIRMED', 'TENTATIVE'),
  busy: fc.constantFrom('FREE', 'BUSY', 'TENTATIVE', 'OOF'),
  categories: fc.array(
    text.map((name) => singleLine(name) || 'x'),
    { maxLength: 3 },
  ),
  priority: fc.option(fc.integer({ min: 0, max: 9 })),
  url: fc.option(fc.webUrl({ withQueryParameters: true, withFragments: true, size: 'large' })),
  reminderMinutes: fc.option(fc.integer({ min: 0, max: 50_000 })),
  sequence: fc.nat(),
  changedAt: second.map((seconds) => seconds * 1000),
})

function timeOf([start, length, allDay]: readonly [number, number, boolean]): EventTime {
  const end = Math.min(start + length, secondsMax)
  if (!allDay) return { allDay, start: start * 1000, end: end * 1000 }
  const date = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)
  return { allDay, start: date(start), end: date(end + 86_400) }
}

describe('an event’s lines', () => {
  it('are those of ical-generator, byte for byte, whatever the event says', () => {
    fc.assert(
      fc.property(event, (any) => {
        expect(revisedText(writeVevent(any), any)).toBe(libraryVevent(any))
      }),
      { numRuns: 500 },
    )
  })

  it('but for those of the revision are its content', () => {
    fc.assert(
      fc.property(event, (any) => {
        const lines = libraryVevent(any).replaceAll(
          /(?<=\n)(?:SEQUENCE|DTSTAMP|LAST-MODIFIED):.*\r\n/g,
          '',
        )
        expect(contentOf(writeVevent(any))).toBe(lines)
      }),
    )
  })
})
