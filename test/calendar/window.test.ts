import { describe, expect, it } from 'vitest'

import { calendarWindow } from '../../src/calendar/local-time.ts'
import { at, expand } from '../support/calendar/calendar-source.ts'

const quarter = { pastDays: 90, futureDays: 365 }

describe('the window, in whole months', () => {
  it.each([
    ['2026-11-21T12:00:00Z', 'Europe/Berlin', quarter, '2026-08-01', '2027-12-01', '2026-11-01'],
    ['2026-03-31T21:59:59Z', 'Europe/Berlin', quarter, '2025-12-01', '2027-04-01', '2026-03-01'],
    ['2026-03-31T22:00:00Z', 'Europe/Berlin', quarter, '2026-01-01', '2027-05-01', '2026-04-01'],
    [
      '2026-01-01T04:59:59Z',
      'America/New_York',
      { pastDays: 0, futureDays: 0 },
      '2025-12-01',
      '2026-01-01',
      '2025-12-01',
    ],
    [
      '2028-02-29T12:00:00Z',
      'Asia/Tokyo',
      { pastDays: 0, futureDays: 1 },
      '2028-02-01',
      '2028-04-01',
      '2028-02-01',
    ],
    [
      '2026-12-31T12:00:00Z',
      'UTC',
      { pastDays: 31, futureDays: 1 },
      '2026-11-01',
      '2027-02-01',
      '2026-12-01',
    ],
  ])('at %s in %s with %j', (now, timezone, option, start, end, turn) => {
    expect(calendarWindow(at(now), timezone, option)).toEqual({ start, end, turn, timezone })
  })

  it('Uses UTC for an unknown zone', () => {
    const { start, end } = calendarWindow(at('2026-03-31T23:00:00Z'), 'Mars/Olympus', quarter)
    expect([start, end]).toEqual(['2025-12-01', '2027-04-01'])
  })

  it.each([
    ['ends as it starts', '2025-11-28', '2025-11-30', false],
    ['touches its first day', '2025-11-28', '2025-12-01', true],
    ['touches its last day', '2027-03-31', '2027-04-09', true],
    ['starts as it ends', '2027-04-01', '2027-04-09', false],
    ['spans all of it', '2020-01-01', '2030-01-01', true],
  ])('An all-day event that %s', (_, first, last, isIn) => {
    const leave = { id: 'lv_1', startDate: at(first), endDate: at(last), status: 'APPROVED' }
    const { events } = expand({ leaves: [leave] })
    expect(events.map(({ time }) => time.start)).toEqual(isIn ? [first] : [])
  })

  it.each([
    ['ends at its first midnight', '2025-11-30T10:00:00Z', '2025-11-30T23:00:00Z', false],
    ['ends a second into it', '2025-11-30T10:00:00Z', '2025-11-30T23:00:01Z', true],
    ['starts a second before its end', '2027-03-31T21:59:59Z', '2027-04-01T10:00:00Z', true],
    ['starts at its end', '2027-03-31T22:00:00Z', '2027-04-01T10:00:00Z', false],
  ])('A timed event that %s, in the feed’s zone and never cut', (_, start, end, isIn) => {
    const leave = { id: 'lv_1', startDate: at(start), endDate: at(end), status: 'APPROVED' }
    const { events } = expand({ leaves: [leave], company: { timezone: 'Asia/Tokyo' } })
    const times = isIn ? [{ allDay: false, start: at(start), end: at(end) }] : []
    expect(events.map(({ time }) => time)).toEqual(times)
  })
})
