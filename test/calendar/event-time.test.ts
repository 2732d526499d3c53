import { describe, expect, it } from 'vitest'

import { readDays, readDue, readSpan, type DayConvention } from '../../src/calendar/event-time.ts'
import { localTime } from '../../src/calendar/local-time.ts'
import type { Company } from '../../src/domain/company.ts'
import { at } from '../support/calendar/calendar-source.ts'

function convention(
  dates: Company['dates'],
  timezone: string,
  endDates: Company['endDates'] = 'inclusive',
): DayConvention {
  const local = localTime(timezone)
  return { days: dates === 'utc' ? localTime('UTC') : local, local, endDates }
}

const utc = convention('utc', 'Europe/Berlin')
const second = (text: string): number => Math.floor(at(text) / 1000) * 1000

const berlin = convention('local', 'Europe/Berlin')
const beirut = convention('local', 'Asia/Beirut')

describe('an all-day span from two bare days', () => {
  it.each([
    [
      'midnight UTC',
      utc,
      '2026-03-02T00:00:00Z',
      '2026-03-04T00:00:00Z',
      '2026-03-02',
      '2026-03-05',
    ],
    [
      'midnight of the company',
      berlin,
      '2026-03-01T23:00:00Z',
      '2026-03-03T23:00:00Z',
      '2026-03-02',
      '2026-03-05',
    ],
    [
      'over a clock change',
      berlin,
      '2026-03-27T23:00:00Z',
      '2026-03-29T22:00:00Z',
      '2026-03-28',
      '2026-03-31',
    ],
    [
      'a day that begins at 01:00',
      beirut,
      '2026-03-28T22:00:00Z',
      '2026-03-28T22:00:00Z',
      '2026-03-29',
      '2026-03-30',
    ],
    [
      'an end at 23:59',
      utc,
      '2026-03-02T00:00:00Z',
      '2026-03-04T23:59:00Z',
      '2026-03-02',
      '2026-03-05',
    ],
    [
      'an end at the last millisecond',
      berlin,
      '2026-03-01T23:00:00Z',
      '2026-03-04T22:59:59.999Z',
      '2026-03-02',
      '2026-03-05',
    ],
    [
      'an end of a day without 23:59',
      convention('local', 'America/Nuuk'),
      '2026-03-28T02:00:00Z',
      '2026-03-29T00:59:59Z',
      '2026-03-28',
      '2026-03-29',
    ],
    ['a leap day', utc, '2028-02-29T00:00:00Z', '2028-02-29T00:00:00Z', '2028-02-29', '2028-03-01'],
    [
      '31 December',
      utc,
      '2026-12-31T00:00:00Z',
      '2026-12-31T00:00:00Z',
      '2026-12-31',
      '2027-01-01',
    ],
    [
      'an exclusive end is the day after',
      convention('utc', 'UTC', 'exclusive'),
      '2026-03-02T00:00:00Z',
      '2026-03-05T00:00:00Z',
      '2026-03-02',
      '2026-03-05',
    ],
    [
      'an exclusive end at 23:59 lies within its day',
      convention('utc', 'UTC', 'exclusive'),
      '2026-03-02T00:00:00Z',
      '2026-03-04T23:59:59Z',
      '2026-03-02',
      '2026-03-05',
    ],
  ])('%s', (_, how, start, end, first, after) => {
    const expected = { allDay: true, start: first, end: after }
    expect(readSpan(at(start), at(end), how)).toEqual(expected)
    expect(readDays(at(start), at(end), how)).toEqual(expected)
  })
})

describe('a timed span from anything but two bare days', () => {
  it.each([
    ['both are times', utc, '2026-03-02T08:00:00Z', '2026-03-02T12:00:00Z'],
    ['only the start is a day', utc, '2026-03-02T00:00:00Z', '2026-03-02T12:00:00Z'],
    ['only the end is a day', utc, '2026-03-02T08:00:00Z', '2026-03-03T00:00:00Z'],
    ['midnight UTC where days are local', berlin, '2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z'],
    ['a start at 23:59 is a time', utc, '2026-03-02T23:59:00Z', '2026-03-04T00:00:00Z'],
    ['an end at 23:58', utc, '2026-03-02T00:00:00Z', '2026-03-02T23:58:59Z'],
    ['a millisecond past midnight', utc, '2026-03-02T00:00:00.001Z', '2026-03-02T23:59:00Z'],
    [
      'a minute past the first of a day that begins at 01:00',
      beirut,
      '2026-03-28T22:01:00Z',
      '2026-03-29T21:00:00Z',
    ],
  ])('%s', (_, how, start, end) => {
    expect(readSpan(at(start), at(end), how)).toEqual({
      allDay: false,
      start: second(start),
      end: second(end),
    })
  })
})

describe('an invalid span: the end is not after the start, or a year has not four digits', () => {
  it.each([
    ['end_before_start', utc, at('2026-03-05'), at('2026-03-04')],
    ['end_before_start', utc, at('2026-03-05T10:00:00Z'), at('2026-03-05T09:00:00Z')],
    ['end_before_start', convention('utc', 'UTC', 'exclusive'), at('2026-03-05'), at('2026-03-05')],
    ['no_length', utc, at('2026-03-05T10:00:00Z'), at('2026-03-05T10:00:00Z')],
    ['no_length', utc, at('2026-03-05T10:00:00.100Z'), at('2026-03-05T10:00:00.900Z')],
    ['out_of_range', utc, Number.NaN, at('2026-03-05')],
    ['out_of_range', utc, at('2026-03-05'), 8.64e15],
    ['out_of_range', utc, at('0001-01-01'), at('2026-03-05')],
    ['out_of_range', utc, at('2026-03-05'), at('9999-12-31')],
    ['out_of_range', utc, -8.64e15, at('2026-03-05')],
  ])('%s', (fault, how, start, end) => {
    expect(readSpan(start, end, how)).toBe(fault)
  })
})

describe('a due date', () => {
  const exclusive = convention('utc', 'Europe/Berlin', 'exclusive')
  it.each([
    ['at midnight is that day, exclusive or not', exclusive, '2026-03-05T00:00:00Z', '2026-03-05'],
    ['at 23:59 is that day', utc, '2026-03-05T23:59:59Z', '2026-03-05'],
  ])('%s', (_, how, due, day) => {
    const expected = { allDay: true, start: day, end: '2026-03-06' }
    expect(readDue(at(due), 30, how)).toEqual(expected)
    expect(readDue(at(due), null, how)).toEqual(expected)
  })

  it('With a time of day, covers the minutes before it, or the whole company date', () => {
    const due = at('2026-03-05T23:30:00Z')
    expect(readDue(due, 30, utc)).toEqual({ allDay: false, start: due - 1_800_000, end: due })
    expect(readDue(due, null, utc)).toEqual({
      allDay: true,
      start: '2026-03-06',
      end: '2026-03-07',
    })
  })

  it('Is out of range when it is NaN', () => {
    expect([readDue(Number.NaN, 30, utc), readDue(Number.NaN, null, utc)]).toEqual([
      'out_of_range',
      'out_of_range',
    ])
  })
})

describe('a period with times of day', () => {
  it('Covers the company’s dates', () => {
    const period = readDays(at('2026-02-28T23:00:00Z'), at('2026-03-15T23:00:00Z'), utc)
    expect(period).toEqual({ allDay: true, start: '2026-03-01', end: '2026-03-16' })
  })
})
