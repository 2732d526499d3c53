/* An event's lines, beside those that every release has written. */
import fc from 'fast-check'
import ical from 'ical-generator'
import { describe, expect, it } from 'vitest'

import { eventUid } from '../../src/calendar/build-event.ts'
import { libraryEvent, revisedText, writeVevent } from '../../src/calendar/vevent.ts'
import type { EventTime } from '../../src/domain/calendar-event.ts'
import { plainText } from '../../src/text/plain-text.ts'
import { plainVevent, revisionLines } from '../support/calendar/plain-vevent.ts'
import type { RevisedEvent } from '../support/calendar/revised-event.ts'

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
  uid: text.map((id) => eventUid('main', 'task', id)),
  kind: fc.constant('task'),
  time,
  title: text.map((given) => plainText(given, ' ')),
  description: fc.option(text.map((given) => plainText(given, '\n'))),
  status: fc.constantFrom('CONFIRMED', 'TENTATIVE'),
  busy: fc.constantFrom('FREE', 'BUSY', 'TENTATIVE', 'OOF'),
  categories: fc.array(
    text.map((name) => plainText(name, ' ') || 'x'),
    { maxLength: 3 },
  ),
  priority: fc.option(fc.integer({ min: 0, max: 9 })),
  color: fc.constantFrom(null, 'steelblue'),
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
  it('Match RFC 5545 byte for byte, whatever the event contains', () => {
    fc.assert(
      fc.property(event, (any) => {
        expect(revisedText(writeVevent(any), any)).toBe(plainVevent(any))
      }),
      { numRuns: 500 },
    )
  })

  it('Are the content that ledgers compare, without the revision lines', () => {
    fc.assert(
      fc.property(event, (any) => {
        const revision = revisionLines(any).map((line) => `${line}\r\n`)
        const lines = revision.reduce(
          (left, line) => left.replace(`\n${line}`, '\n'),
          plainVevent(any),
        )
        expect(writeVevent(any)).toBe(lines)
      }),
    )
  })
})

describe('corrections of ical-generator', () => {
  const reminded: RevisedEvent = {
    uid: 'task-1@main',
    kind: 'task',
    time: { allDay: false, start: 0, end: 60_000 },
    title: 'Call',
    description: null,
    status: 'CONFIRMED',
    busy: 'FREE',
    categories: ['Task'],
    priority: null,
    color: null,
    url: null,
    reminderMinutes: 10,
    sequence: 0,
    changedAt: 0,
  }

  it('The library still writes an alarm before other properties, so alarmLast is needed', () => {
    const written = ical().createEvent(libraryEvent(reminded)).toString()
    expect(written.indexOf('END:VALARM')).toBeLessThan(written.indexOf('CATEGORIES:'))
  })

  it('The library still leaves long texts unfolded, so foldLines is needed', () => {
    const long = { ...reminded, title: 'x'.repeat(100) }
    expect(ical().createEvent(libraryEvent(long)).toString()).toContain('x'.repeat(100))
  })
})
