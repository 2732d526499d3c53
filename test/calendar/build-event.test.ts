import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { datedUids, eventUid } from '../../src/calendar/build-event.ts'
import {
  at,
  dayOff,
  draftTimesheet,
  expand,
  expandOne,
} from '../support/calendar/calendar-source.ts'

const uidOf = ([companyId, schedule, userId]: [string, string, string]): string =>
  datedUids(companyId, 'shift', schedule, userId)('2026-01-05')

describe('the UID of an event: of the record and not its time, and unique', () => {
  it('Contains kind, id and company', () => {
    expect(eventUid('main', 'leave', 'lv_1')).toBe('leave-lv_1@main.calendar-feed-bridge')
  })

  it('Contains the user and local date of a shift', () => {
    const uidOn = datedUids('main', 'shift', 'sch_day', 'usr_ada')
    expect(uidOn('2026-01-05')).toBe('shift-sch_day-usr_ada-20260105@main.calendar-feed-bridge')
  })

  it('Encodes every byte outside [A-Za-z0-9_] as =HH', () => {
    expect(eventUid('a.b', 'task', 'ä-=@ 1')).toBe(
      'task-=C3=A4=2D=3D=40=201@a=2Eb.calendar-feed-bridge',
    )
  })

  it('Stays the same when the record moves to another time', () => {
    const moved = { ...dayOff, startDate: at('2026-03-01') }
    expect(expandOne({ leaves: [moved] }).uid).toBe(expandOne({ leaves: [dayOff] }).uid)
  })

  it('Differs whenever company, id, user or date differs', () => {
    const id = fc.string({
      unit: fc.constantFrom('a', '-', '=', '2', 'D', '_', '@', 'é'),
      maxLength: 5,
    })
    const subject = fc.tuple(id, id, id)
    fc.assert(
      fc.property(subject, subject, (one, other) => {
        expect(uidOf(one) === uidOf(other)).toBe(JSON.stringify(one) === JSON.stringify(other))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('the link back to the record', () => {
  it.each([
    ['https://hr.example/{kind}/{id}', 'lv/1 ä', 'https://hr.example/leave/lv%2F1%20%C3%A4'],
    [
      'https://hr.example/?k={kind};i={id},{id}',
      'a,b',
      'https://hr.example/?k=leave%3Bi=a%2Cb%2Ca%2Cb',
    ],
    ['https://hr.example/$&/{id}', '$&$1', 'https://hr.example/$&/%24%26%241'],
    ['https://hr.example/?a=\\{id}', 'x', 'https://hr.example/?a=%5Cx'],
    ['https://hr.example/{id}', 'a\uD800', 'https://hr.example/a%EF%BF%BD'],
    ['https://hr.example/\r\nX:1/{id}', 'x', 'https://hr.example/X:1/x'],
    [`https://hr.example/${'x'.repeat(3000)}{id}`, 'x', null],
    ['javascript:alert({id})', 'x', null],
    ['/leaves/{id}', 'x', null],
    [null, 'x', null],
  ])(
    'Uses percent-encoding where TEXT would be escaped: %s with %j gives %s',
    (recordUrl, id, url) => {
      expect(expandOne({ company: { recordUrl }, leaves: [{ ...dayOff, id }] }).url).toBe(url)
    },
  )

  it('Points to the timesheet for a deadline', () => {
    const { events } = expand({
      company: { recordUrl: 'https://hr.example/{kind}/{id}' },
      options: { timesheets: { as: 'both' } },
      records: { timesheets: [draftTimesheet] },
    })
    expect(events.map(({ url }) => url)).toEqual(Array(2).fill('https://hr.example/timesheet/clq1'))
  })
})
