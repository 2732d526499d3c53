/* What a calendar of more than 900,000 bytes leaves out, beside the same said more simply. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { createAgenda } from '../../src/calendar/expand.ts'
import { type CalendarContents, renderCalendar } from '../../src/calendar/render.ts'
import type { CalendarEvent } from '../../src/domain/calendar-event.ts'
import {
  expandAtOnce,
  at,
  calendarSource,
  eventsOf,
  plainEvent,
} from '../support/calendar/calendar-source.ts'

const turn = '2026-03-01'
const dayMs = 86_400_000
const bytesMax = 900_000
const usual = { name: 'Team', description: null, locale: 'en' } as const
const revise: CalendarContents['revise'] = ({ uid }) => ({
  sequence: uid.length * 7,
  changedAt: at('2026-03-01'),
})

function rendered(events: readonly CalendarEvent[]): ReturnType<typeof render> {
  return render(createAgenda(events, turn))
}

function render(agenda: CalendarContents['agenda']): { text: string; uids: readonly string[] } {
  const { bytes, events } = renderCalendar({ ...usual, agenda, revise })
  return { text: bytes.toString(), uids: events.map(({ event: { uid } }) => uid) }
}

/** Takes the oldest away that ended before the turn, then those that start last, until the calendar is small enough. */
function simplyFitted(all: readonly CalendarEvent[]): readonly string[] {
  const sizes = new Map(all.map((event) => [event.uid, sizeOf(event)]))
  const events = eventsOf(createAgenda(all, turn))
  const isPast = ({ time: { end } }: CalendarEvent): boolean =>
    (typeof end === 'string' ? Date.parse(end) : end) <= Date.parse(turn)
  const leaving = [
    ...events.filter(isPast),
    ...events.filter((event) => !isPast(event)).toReversed(),
  ]
  const count = events.length
  const note = `This calendar is too large to be shown whole. Left out: ${count} past and ${count} future events.`
  let bytes = Buffer.byteLength(emptyWith(note))
  for (const size of sizes.values()) bytes += size
  const left = new Set<CalendarEvent>()
  for (const event of leaving) {
    if (bytes <= bytesMax) break
    left.add(event)
    bytes -= sizes.get(event.uid) ?? 0
  }
  return events.filter((event) => !left.has(event)).map(({ uid }) => uid)
}

function sizeOf(event: CalendarEvent): number {
  const { text } = rendered([event])
  return Buffer.byteLength(text.slice(text.indexOf('BEGIN:VEVENT'), text.indexOf('END:VCALENDAR')))
}

/** The calendar's own lines, with that description. */
function emptyWith(description: string): string {
  const agenda = createAgenda([], turn)
  const { bytes } = renderCalendar({ ...usual, description, agenda, revise })
  return bytes.toString().replace(/BEGIN:VTIMEZONE[^]*END:VTIMEZONE\r\n/, '')
}

const anyEvent = fc
  .record({
    hour: fc.integer({ min: -2000, max: 2000 }),
    hours: fc.constantFrom(1, 8, 24, 2000),
    allDay: fc.boolean(),
    letters: fc.integer({ min: 0, max: 4000 }),
  })
  .map(({ hour, hours, allDay, letters }): Omit<CalendarEvent, 'uid'> => {
    const start = Date.parse(turn) + hour * 3_600_000
    const end = start + hours * 3_600_000
    const date = (instant: number): string => new Date(instant).toISOString().slice(0, 10)
    return {
      ...plainEvent,
      kind: 'task',
      time: allDay
        ? { allDay, start: date(start), end: date(end + dayMs) }
        : { allDay, start, end },
      title: 'x',
      description: letters === 0 ? null : 'y'.repeat(letters),
      busy: 'FREE',
      categories: ['Task'],
    }
  })

describe('a calendar that is too large', () => {
  it('Drops the oldest past events first, then the farthest future ones, and keeps all others', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { minLength: 300, maxLength: 700, size: 'max' }), (drafts) => {
        const events = drafts.map((draft, index) => ({
          ...draft,
          uid: `task-${index % 97}-${index}`,
        }))
        const { text, uids } = rendered(events)
        expect(uids).toEqual(simplyFitted(events))
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytesMax)
      }),
      { numRuns: 15 },
    )
  })

  it('Stops creating shifts when there is no room, and says how many are left out', () => {
    const people = Array.from({ length: 150 }, (_, index) => `usr_${index}`)
    const hours = { start: '09:00', end: '17:00' }
    const source = calendarSource({
      feed: { audience: 'others', userIds: people },
      options: { shifts: { scheduleIds: ['sch_day'] } },
      records: {
        schedules: [{ id: 'sch_day', name: 'Day', pattern: { monday: hours, friday: hours } }],
      },
    })
    const { agenda } = expandAtOnce(source)
    let made = 0
    const counted = function* (events: Iterable<CalendarEvent>): Iterable<CalendarEvent> {
      for (const event of events) {
        made += 1
        yield event
      }
    }
    const { text, uids } = render({ ...agenda, ahead: () => counted(agenda.ahead()) })
    const count = agenda.behindCount + agenda.aheadCount
    expect(count).toBe(eventsOf(agenda).length)
    expect(made).toBe(uids.length + 1)
    expect(count).toBeGreaterThan(3 * made)
    expect(text.replaceAll('\r\n ', '')).toContain(
      `Left out: ${agenda.behindCount} past and ${agenda.aheadCount - uids.length} future events.`,
    )
  })
})
