import { describe, expect, it } from 'vitest'

import { lintCalendar } from '../support/ics-lint.ts'

const head = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//calendar-feed-bridge//calendar-feed-bridge//EN',
  'NAME:Ada',
  'X-WR-CALNAME:Ada',
  'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
  'X-PUBLISHED-TTL:PT1H',
]
const event = [
  'BEGIN:VEVENT',
  'UID:task-tsk_1@main.calendar-feed-bridge',
  'SEQUENCE:0',
  'DTSTAMP:20260301T000000Z',
  'DTSTART:20260305T093000Z',
  'DTEND:20260305T100000Z',
  'SUMMARY:Write it',
  'TRANSP:TRANSPARENT',
  'X-MICROSOFT-CDO-BUSYSTATUS:FREE',
  'LAST-MODIFIED:20260301T000000Z',
  'END:VEVENT',
]
const sound = `${[...head, ...event, 'END:VCALENDAR'].join('\r\n')}\r\n`

describe('every byte, calendar and event rule', () => {
  it('passes a sound calendar', () => {
    expect(lintCalendar(sound)).toEqual([])
  })

  it.each([
    ['B1', 'END:VCALENDAR\r\n', 'END:VCALENDAR'],
    ['B1', 'BEGIN:VCALENDAR', '\u{FEFF}BEGIN:VCALENDAR'],
    ['B1', 'Write it', 'Write\nit'],
    ['B2', 'Write it', 'x'.repeat(68)],
    ['B2', 'Write it', '€'.repeat(23)],
    ['B2', 'Write it', 'Write it\r\n '],
    ['B2', 'Write it', 'Write \uD83D\r\n \uDE00'],
    ['B3', 'Write it', 'Write\u0007it'],
    ['B3', 'Write it', 'Write\u0085it'],
    ['B3', 'Write it', 'Write\u2028it'],
    ['B3', 'Write it', 'Write\uD83Dit'],
    ['B4', 'Write it', 'Write, it'],
    ['B4', 'Write it', 'Write; it'],
    ['B4', 'Write it', 'C:\\temp'],
    ['B4', 'NAME:Ada', 'NAME:Ada;'],
    ['B5', 'SEQUENCE:0', 'SEQUENCE:0\r\nURL;VALUE=URI:https://hr.example/?a\\,b'],
    ['C1', 'VERSION:2.0\r\n', ''],
    ['C1', 'END:VEVENT', 'END:VEVENT\r\nX-LATE:1'],
    ['C2', 'VERSION:2.0', 'VERSION:2.0\r\nMETHOD:PUBLISH'],
    ['C2', 'VERSION:2.0', 'VERSION:2.0\r\nX-WR-TIMEZONE:UTC'],
    ['C2', 'END:VEVENT', 'END:VEVENT\r\nBEGIN:VTIMEZONE\r\nTZID:UTC\r\nEND:VTIMEZONE'],
    ['C3', 'X-WR-CALNAME:Ada', 'X-WR-CALNAME:Bob'],
    ['C4', 'X-PUBLISHED-TTL:PT1H\r\n', ''],
    ['C4', ';VALUE=DURATION', ''],
    ['C5', event.join('\r\n'), 'X-NOTHING:1'],
    ['C5', 'END:VCALENDAR\r\n', 'END:VCALENDAR\r\nBEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n'],
    ['E1', 'SEQUENCE:0\r\n', ''],
    ['E1', 'SUMMARY:Write it', 'SUMMARY:Write it\r\nSUMMARY:Twice'],
    ['E2', 'task-tsk_1@', 'task-tsk-1@'],
    ['E2', 'END:VEVENT', `END:VEVENT\r\n${event.join('\r\n')}`],
    ['E3', 'LAST-MODIFIED:20260301T000000Z', 'LAST-MODIFIED:20260301T000001Z'],
    ['E5', 'DTSTART:20260305T093000Z', 'DTSTART:20260305T093000'],
    ['E5', 'DTSTART:20260305T093000Z', 'DTSTART;VALUE=DATE:20260305'],
    ['E5', 'DTSTART:20260305T093000Z', 'DTSTART:20260305T100000Z'],
    ['E6', 'TRANSP:TRANSPARENT', 'TRANSP:OPAQUE'],
    ['E6', 'X-MICROSOFT-CDO-BUSYSTATUS:FREE\r\n', ''],
    ['E7', 'SEQUENCE:0', 'SEQUENCE:0\r\nSTATUS:CANCELLED'],
    ['E8', 'SEQUENCE:0', 'SEQUENCE:0\r\nATTENDEE:mailto:a@example.com'],
    ['E8', 'END:VEVENT', 'END:VEVENT\r\nBEGIN:VTODO\r\nEND:VTODO'],
    ['E10', 'Write it', 'Write\\nit'],
    ['E10', 'Write it', ' '],
    [
      'B6',
      event.join('\r\n'),
      `${event.join('\r\n')}\r\n${event.join('\r\n').replace('tsk_1', 'tsk_0')}`,
    ],
  ])('%s rejects %j as %j', (rule, right, wrong) => {
    expect(sound).toContain(right)
    const rules = lintCalendar(sound.replace(right, wrong)).map((fault) => fault.split(':')[0])
    expect(rules).toContain(rule)
  })
})
