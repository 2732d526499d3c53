import { describe, expect, it } from 'vitest'

import type { CalendarEvent } from '../../src/domain/calendar-event.ts'
import {
  at,
  eventContent,
  plainEvent,
  renderEvents,
  revised,
} from '../support/calendar/calendar-source.ts'
import { lintCalendar } from '../support/calendar/ics-lint.ts'
import { parseWithIcalJs, parseWithNodeIcal } from '../support/calendar/parsers.ts'
import type { RevisedEvent } from '../support/calendar/revised-event.ts'

const family = '👩‍👩‍👧‍👦'
const shift: CalendarEvent = {
  ...plainEvent,
  uid: 'shift-sch_day-usr_ada-20260304@main.calendar-feed-bridge',
  kind: 'shift',
  time: { allDay: false, start: at('2026-03-04T08:00:00Z'), end: at('2026-03-04T16:30:00Z') },
  title: 'Day',
  busy: 'BUSY',
  categories: ['Shift'],
}
const calendar = {
  name: 'Ada',
  description: null,
  locale: 'en',
  turn: '2026-03-01',
  events: [],
} as const

function render(event: Partial<CalendarEvent>, revision: Partial<RevisedEvent> = {}): string {
  const events = [{ ...revised({ ...shift, ...event }), ...revision }]
  const text = renderEvents({ ...calendar, events })
  expect(lintCalendar(text)).toEqual([])
  return text
}

describe('the bytes of a calendar', () => {
  it('Every line ends with CRLF, including the last, and there is no byte order mark', () => {
    const text = render({})
    expect(text.startsWith('BEGIN:VCALENDAR\r\n')).toBe(true)
    expect(text.endsWith('END:VEVENT\r\nEND:VCALENDAR\r\n')).toBe(true)
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  })

  it.each([['x'], ['é'], ['€'], ['😀'], [family], ['\\;,']])(
    'No line exceeds 75 octets or is folded inside a code point, with %j at any offset',
    (piece) => {
      for (let offset = 0; offset < 30; offset += 1) {
        const title = `${'x'.repeat(offset)}${piece.repeat(40)}`.slice(0, 240).toWellFormed()
        const text = render({ title })
        expect(parseWithIcalJs(text)[0]?.title).toBe(title)
      }
    },
  )

  it('Every TEXT is escaped, including the calendar’s own, and no text can end a line', () => {
    const nasty = 'a\\b;c,d\nEND:VCALENDAR\r\nX:1\u2028Y:2'
    const text = renderEvents({ ...calendar, name: nasty, description: nasty })
    expect(lintCalendar(text)).toEqual([])
    expect(text).toContain('NAME:a\\\\b\\;c\\,d END:VCALENDAR X:1 Y:2\r\n')
    expect(text).toContain('X-WR-CALDESC:a\\\\b\\;c\\,d\\nEND:VCALENDAR\\nX:1\\nY:2\r\n')
  })

  it('Every parser reads back the intended texts', () => {
    const title = 'a\\b;c,d "e" <b>f</b>: g'
    const description = `${title}\n${family}`
    const text = render({ title, description })
    for (const parse of [parseWithIcalJs, parseWithNodeIcal]) {
      expect(parse(text)[0]).toMatchObject({ title, description })
    }
  })

  it('A backslash before an n does not become a line break', () => {
    const title = 'C:\\new \\\\n'
    expect(parseWithIcalJs(render({ title }))[0]?.title).toBe(title)
  })

  it('A URI is written unchanged', () => {
    const url = 'https://hr.example/shift/sch_day?a=1%2C2%3B3&b=%5C'
    expect(render({ url }).replaceAll('\r\n ', '')).toContain(`URL;VALUE=URI:${url}\r\n`)
  })

  it('Events are sorted by start, then UID, whatever their order before', () => {
    const allDay = { allDay: true, start: '2026-03-04', end: '2026-03-05' } as const
    const events = [
      { ...shift, uid: 'shift-b-u-20260304@main.calendar-feed-bridge' },
      { ...shift, uid: 'shift-a-u-20260304@main.calendar-feed-bridge' },
      { ...shift, uid: 'task-z@main.calendar-feed-bridge', time: allDay },
    ].map((event) => revised(event))
    const text = renderEvents({ ...calendar, events })
    const uids = parseWithIcalJs(text).map(({ uid }) => uid.slice(0, 7))
    expect(uids).toEqual(['task-z@', 'shift-a', 'shift-b'])
    expect(renderEvents({ ...calendar, events: events.toReversed() })).toBe(text)
  })
})

describe('the calendar', () => {
  it('Starts with version, product, name and refresh interval only; no METHOD, no time zone', () => {
    const lines = render({}).split('BEGIN:VEVENT')[0]?.split('\r\n')
    const identity =
      'BEGIN:VCALENDAR VERSION:2.0 PRODID:-//calendar-feed-bridge//calendar-feed-bridge//EN'
    const names = 'NAME:Ada X-WR-CALNAME:Ada'
    const intervals = 'REFRESH-INTERVAL;VALUE=DURATION:PT1H X-PUBLISHED-TTL:PT1H '
    expect(lines).toEqual(`${identity} ${names} ${intervals}`.split(' '))
  })

  it('Has a name of at most 255 characters', () => {
    const text = renderEvents({ ...calendar, name: family.repeat(100) })
    expect(lintCalendar(text)).toEqual([])
    expect(text).toContain(family)
  })

  it('Has one UTC VTIMEZONE if it has no events, since strict parsers reject a bare calendar', () => {
    const text = renderEvents(calendar)
    expect(lintCalendar(text)).toEqual([])
    expect(text.match(/BEGIN:V\w+/g)).toEqual(['BEGIN:VCALENDAR', 'BEGIN:VTIMEZONE'])
    expect(parseWithIcalJs(text)).toEqual([])
  })
})

describe('an event', () => {
  it('A timed event is in UTC and stamped with its last change', () => {
    const text = render({}, { sequence: 7, changedAt: at('2026-03-02T03:04:05Z') })
    expect(text).toContain('SEQUENCE:7\r\n')
    expect(text).toContain('DTSTAMP:20260302T030405Z\r\n')
    expect(text).toContain('LAST-MODIFIED:20260302T030405Z\r\n')
    expect(text).toContain('DTSTART:20260304T080000Z\r\nDTEND:20260304T163000Z\r\n')
  })

  it.each([
    ['2026-03-28', '2026-03-30', '20260328', '20260330'],
    ['2028-02-29', '2028-03-01', '20280229', '20280301'],
    ['0001-01-02', '9999-12-31', '00010102', '99991231'],
  ])(
    'An all-day event from %s to %s ends on the date after its last day',
    (start, end, first, after) => {
      const text = render({ time: { allDay: true, start, end } })
      expect(text).toContain(`DTSTART;VALUE=DATE:${first}\r\nDTEND;VALUE=DATE:${after}\r\n`)
    },
  )

  it.each([
    ['FREE', 'TRANSPARENT'],
    ['BUSY', 'OPAQUE'],
    ['TENTATIVE', 'OPAQUE'],
    ['OOF', 'OPAQUE'],
  ] as const)('Is %s for Outlook and %s for all other programs', (busy, transparency) => {
    const text = render({ busy })
    expect(text).toContain(`TRANSP:${transparency}\r\n`)
    expect(text).toContain(`X-MICROSOFT-CDO-BUSYSTATUS:${busy}\r\n`)
  })

  it.each([
    [null, undefined],
    [0, 'PT0S'],
    [15, '-PT15M'],
    [90, '-PT1H30M'],
    [1440, '-P1D'],
    [40_000, '-P27DT18H40M'],
  ])('Has an alarm only if a reminder is set: %s minutes', (reminderMinutes, trigger) => {
    const triggers = [...render({ reminderMinutes }).matchAll(/TRIGGER:(.*)\r\n/g)].map(
      (match) => match[1],
    )
    expect(triggers).toEqual(trigger === undefined ? [] : [trigger])
  })

  it('An all-day event has no alarm', () => {
    const time = { allDay: true, start: '2026-03-04', end: '2026-03-05' } as const
    expect(render({ reminderMinutes: 15, time })).not.toContain('VALARM')
  })

  it('The alarm follows all properties (RFC 5545 section 3.6.1), whatever the texts contain', () => {
    const url = 'https://hr.example/END:VALARM'
    const text = render({
      reminderMinutes: 5,
      title: 'END:VALARM',
      categories: ['END:VALARM'],
      url,
    })
    expect(text).toMatch(/END:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n$/)
  })
})

describe('an event’s content', () => {
  it('Contains everything except the revision', () => {
    const content = eventContent(shift)
    expect(content).not.toMatch(/^(?:SEQUENCE|DTSTAMP|LAST-MODIFIED)/m)
    const text = render({}, { sequence: 3 })
    for (const line of content.split('\r\n')) expect(text).toContain(line)
    expect(eventContent(revised(shift, at('2030-01-01')))).toBe(content)
  })

  it.each([
    [{ title: 'SEQUENCE:1' }],
    [{ description: 'x' }],
    [{ time: { ...shift.time, end: at('2026-03-04T16:31:00Z') } as CalendarEvent['time'] }],
    [{ status: 'TENTATIVE' as const }],
    [{ busy: 'FREE' as const }],
    [{ categories: ['x'] }],
    [{ priority: 1 }],
    [{ url: 'https://hr.example/' }],
    [{ reminderMinutes: 5 }],
  ])('Differs with %j', (fields) => {
    expect(eventContent({ ...shift, ...fields })).not.toBe(eventContent(shift))
  })
})

describe('a calendar of more than 900,000 bytes', () => {
  const days = 730
  const start = at('2025-03-01')
  const events = Array.from({ length: days }, (_, index) => {
    const time = {
      allDay: false,
      start: start + index * 86_400_000,
      end: start + index * 86_400_000 + 3_600_000,
    } as const
    const uid = `task-${index}@main.calendar-feed-bridge`
    return revised({ ...shift, uid, time, title: family.repeat(22), description: 'x'.repeat(1000) })
  })

  it('Leaves out the oldest past events first and says so', () => {
    const text = renderEvents({ ...calendar, events })
    expect(lintCalendar(text)).toEqual([])
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(900_000)
    expect(Buffer.byteLength(text)).toBeGreaterThan(895_000)
    const kept = parseWithIcalJs(text).map(({ uid }) => uid)
    const left = days - kept.length
    expect(kept).toEqual(events.slice(left).map(({ uid }) => uid))
    expect(text.replaceAll('\r\n ', '')).toContain(
      `X-WR-CALDESC:This calendar is too large to be shown whole. Left out: ${left} past and 0 future events.\r\n`,
    )
  })

  it('Leaves out the farthest future events next', () => {
    const text = renderEvents({
      ...calendar,
      locale: 'de',
      turn: '2025-03-11',
      description: 'Mine',
      events,
    })
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(900_000)
    const kept = parseWithIcalJs(text).map(({ uid }) => uid)
    expect(kept).toEqual(events.slice(10, 10 + kept.length).map(({ uid }) => uid))
    expect(text.replaceAll('\r\n ', '')).toContain(
      `Weggelassen: 10 vergangene und ${days - 10 - kept.length} künftige Termine.\\nMine\r\n`,
    )
  })

  it('Says nothing if no event is left out', () => {
    expect(renderEvents({ ...calendar, events: events.slice(0, 100) })).not.toContain(
      'X-WR-CALDESC',
    )
  })
})
