import { describe, expect, it } from 'vitest'

import { lintCalendar } from '../support/calendar/ics-lint.ts'

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
const text = event.join('\r\n')
const sound = `${[...head, text, 'END:VCALENDAR'].join('\r\n')}\r\n`
const empty = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n'
const zone = 'BEGIN:VTIMEZONE\r\nTZID:UTC\r\nEND:VTIMEZONE'
const wrongLink = 'URL;VALUE=URI:https://hr.example/?a\\,b'

describe('the check of a calendar’s bytes', () => {
  it('Accepts a sound calendar', () => {
    expect(lintCalendar(sound)).toEqual([])
  })

  it.each([
    ['does not end with END:VCALENDAR and CRLF', 'END:VCALENDAR\r\n', 'END:VCALENDAR'],
    ['starts with a byte order mark', 'BEGIN:VCALENDAR', '\u{FEFF}BEGIN:VCALENDAR'],
    ['holds a CR or LF of its own', 'Write it', 'Write\nit'],
    ['has 76 octets', 'Write it', 'x'.repeat(68)],
    ['has 77 octets', 'Write it', '€'.repeat(23)],
    ['is empty', 'Write it', 'Write it\r\n '],
    ['begins within a code point', 'Write it', 'Write \uD83D\r\n \uDE00'],
    ['holds a control character', 'Write it', 'Write\u0007it'],
    ['holds a control character', 'Write it', 'Write\u0085it'],
    ['holds a control character', 'Write it', 'Write\u2028it'],
    ['holds a lone surrogate', 'Write it', 'Write\uD83Dit'],
    ['SUMMARY is not escaped', 'Write it', 'Write, it'],
    ['SUMMARY is not escaped', 'Write it', 'Write; it'],
    ['SUMMARY is not escaped', 'Write it', 'C:\\temp'],
    ['NAME is not escaped', 'NAME:Ada', 'NAME:Ada;'],
    ['is escaped or needs encoding', 'SEQUENCE:0', `SEQUENCE:0\r\n${wrongLink}`],
    ['no VERSION:2.0', 'VERSION:2.0\r\n', ''],
    ['stands behind a component', 'END:VEVENT', 'END:VEVENT\r\nX-LATE:1'],
    ['there is a METHOD', 'VERSION:2.0', 'VERSION:2.0\r\nMETHOD:PUBLISH'],
    ['there is a X-WR-TIMEZONE', 'VERSION:2.0', 'VERSION:2.0\r\nX-WR-TIMEZONE:UTC'],
    ['there is a VTIMEZONE', 'END:VEVENT', `END:VEVENT\r\n${zone}`],
    ['X-WR-CALNAME is not NAME', 'X-WR-CALNAME:Ada', 'X-WR-CALNAME:Bob'],
    ['no X-PUBLISHED-TTL:PT1H', 'X-PUBLISHED-TTL:PT1H\r\n', ''],
    ['no REFRESH-INTERVAL;VALUE', ';VALUE=DURATION', ''],
    ['an empty calendar without its one VTIMEZONE', text, 'X-NOTHING:1'],
    ['not exactly one VCALENDAR', 'BEGIN:VCALENDAR\r\n', `${empty}BEGIN:VCALENDAR\r\n`],
    ['SEQUENCE is not there exactly once', 'SEQUENCE:0\r\n', ''],
    ['SUMMARY is not there exactly once', 'SUMMARY:Write it', 'SUMMARY:Write it\r\nSUMMARY:Twice'],
    ['the UID is not of the grammar', 'task-tsk_1@', 'task-tsk-1@'],
    ['a UID comes twice', 'END:VEVENT', `END:VEVENT\r\n${text}`],
    ['DTSTAMP is not LAST-MODIFIED', 'LAST-MODIFIED:2026', 'LAST-MODIFIED:2027'],
    ['not two UTC times or dates', 'DTSTART:20260305T093000Z', 'DTSTART:20260305T093000'],
    ['not two UTC times or dates', 'DTSTART:20260305T093000Z', 'DTSTART;VALUE=DATE:20260305'],
    ['DTEND is not after DTSTART', 'DTSTART:20260305T093000Z', 'DTSTART:20260305T100000Z'],
    ['TRANSP contradicts BUSYSTATUS', 'TRANSP:TRANSPARENT', 'TRANSP:OPAQUE'],
    ['not both TRANSP and BUSYSTATUS', 'X-MICROSOFT-CDO-BUSYSTATUS:FREE\r\n', ''],
    ['STATUS:CANCELLED', 'SEQUENCE:0', 'SEQUENCE:0\r\nSTATUS:CANCELLED'],
    ['there is an ATTENDEE', 'SEQUENCE:0', 'SEQUENCE:0\r\nATTENDEE:mailto:a@example.com'],
    ['there is a VTODO', 'END:VEVENT', 'END:VEVENT\r\nBEGIN:VTODO\r\nEND:VTODO'],
    ['SUMMARY has a line break', 'Write it', 'Write\\nit'],
    ['SUMMARY is empty', 'Write it', ' '],
    ['not sorted by start and UID', text, `${text}\r\n${text.replace('tsk_1', 'tsk_0')}`],
  ])('Reports "%s" when %j is replaced by %j', (sentence, right, wrong) => {
    expect(sound).toContain(right)
    const faults = lintCalendar(sound.replace(right, wrong))
    expect(faults.filter((fault) => fault.includes(sentence))).not.toEqual([])
  })
})
