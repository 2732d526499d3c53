import { describe, expect, it } from 'vitest'

import { at, expand, expandOne, plainEvent } from '../support/calendar/calendar-source.ts'

const leave = {
  id: 'lv_1',
  startDate: at('2026-03-06'),
  endDate: at('2026-03-09'),
  status: 'APPROVED',
  days: 2,
  reason: 'Flu;\nbed rest',
  leaveType: { name: 'Sick leave', category: 'SICK' },
}
const oneDay = { ...leave, endDate: leave.startDate }
const users = [{ id: 'usr_ada', firstName: 'Ada', lastName: 'Lovelace' }]

const away = (fields: object): object =>
  expandOne({ options: { leaves: { detail: 'absent' } }, leaves: [{ ...leave, ...fields }] })

describe('leaves', () => {
  it('Whole days become one all-day event, including weekends', () => {
    expect(expandOne({ leaves: [leave] })).toEqual({
      ...plainEvent,
      uid: 'leave-lv_1@main.calendar-feed-bridge',
      kind: 'leave',
      time: { allDay: true, start: '2026-03-06', end: '2026-03-10' },
      title: 'Sick leave',
      busy: 'OOF',
      categories: ['Leave'],
    })
  })

  it('Times of day become one timed event', () => {
    const [startDate, endDate] = [at('2026-03-06T08:00:00Z'), at('2026-03-06T12:00:00Z')]
    const event = expandOne({ leaves: [{ ...leave, startDate, endDate }] })
    expect(event.time).toEqual({ allDay: false, start: startDate, end: endDate })
  })

  it.each([
    ['APPROVED', {}, 'Sick leave', 'CONFIRMED', 'OOF'],
    ['PENDING', {}, 'Sick leave (pending)', 'TENTATIVE', 'TENTATIVE'],
    ['APPROVED', { days: 0.5 }, 'Sick leave (half day)', 'CONFIRMED', 'FREE'],
    ['PENDING', { days: 0.5 }, 'Sick leave (half day) (pending)', 'TENTATIVE', 'FREE'],
    ['APPROVED', { days: 0.25 }, 'Sick leave (0.25 day)', 'CONFIRMED', 'FREE'],
    ['APPROVED', { days: 0 }, 'Sick leave', 'CONFIRMED', 'FREE'],
    ['APPROVED', { days: -1 }, 'Sick leave', 'CONFIRMED', 'OOF'],
    ['APPROVED', { days: Number.NaN }, 'Sick leave', 'CONFIRMED', 'OOF'],
    ['APPROVED', { days: null }, 'Sick leave', 'CONFIRMED', 'OOF'],
    ['APPROVED', { leaveType: null }, 'Leave', 'CONFIRMED', 'OOF'],
    ['APPROVED', { leaveType: { name: '\u200B ' } }, 'Leave', 'CONFIRMED', 'OOF'],
  ])('%s with %j', (status, fields, title, shownStatus, busy) => {
    const event = expandOne({ leaves: [{ ...oneDay, ...fields, status }] })
    expect(event).toMatchObject({ title, status: shownStatus, busy })
  })

  it.each([
    ['en', 2.5, '2.5 days'],
    ['de', 2.5, '2,5 Tage'],
    ['en', 3, null],
  ] as const)(
    'The description states a fraction over several days (%s, %d)',
    (locale, days, description) => {
      expect(expandOne({ feed: { locale }, leaves: [{ ...leave, days }] }).description).toBe(
        description,
      )
    },
  )

  it.each(['REJECTED', 'CANCELLED'])('%s leaves are left out, not shown as cancelled', (status) => {
    expect(expand({ leaves: [{ ...leave, status }] })).toEqual({ events: [], setAside: [] })
  })

  it('A leave with an unknown status is left out and reported', () => {
    const { events, setAside } = expand({
      leaves: [
        { ...leave, status: 'approved' },
        { ...leave, id: 'lv_2' },
      ],
    })
    expect(events.map(({ uid }) => uid)).toEqual(['leave-lv_2@main.calendar-feed-bridge'])
    expect(setAside).toEqual([{ kind: 'leave', id: 'lv_1', reason: 'unknown_status' }])
  })

  it('A leave that ends before it starts is set aside, and the rest is served', () => {
    const turned = { ...leave, id: 'lv_0', endDate: at('2026-03-01') }
    const { events, setAside } = expand({ leaves: [turned, leave] })
    expect(events).toHaveLength(1)
    expect(setAside).toEqual([{ kind: 'leave', id: 'lv_0', reason: 'end_before_start' }])
  })

  it.each([
    ['absent', 'Away', null],
    ['type', 'Sick leave', null],
    ['full', 'Sick leave', 'Flu;\nbed rest'],
  ] as const)('Shows a leave with detail %s', (detail, title, description) => {
    const event = expandOne({ options: { leaves: { detail } }, leaves: [leave] })
    expect(event).toMatchObject({ title, description })
  })

  it('Detail absent does not reveal the kind of leave', () => {
    const annual = { reason: 'Crete', leaveType: { name: 'Annual leave', category: 'ANNUAL' } }
    expect(away(annual)).toEqual(away({}))
    expect(away({ leaveType: null, reason: null })).toEqual(away({}))
  })

  it('In a feed for others, a leave names the person and blocks no time', () => {
    const feed = { audience: 'others' as const }
    expect(expandOne({ feed, records: { users }, leaves: [leave] })).toMatchObject({
      title: 'Ada Lovelace: Sick leave',
      busy: 'FREE',
      status: 'CONFIRMED',
    })
    expect(expandOne({ feed, leaves: [{ ...leave, status: 'PENDING' }] })).toMatchObject({
      title: "Ada's work calendar: Sick leave (pending)",
      busy: 'FREE',
      status: 'TENTATIVE',
    })
  })

  it('Leaves with statuses that the feed does not show are left out', () => {
    const options = { leaves: { statuses: ['APPROVED' as const] } }
    expect(expand({ options, leaves: [{ ...leave, status: 'PENDING' }] }).events).toEqual([])
    expect(expand({ options: { leaves: { show: false } }, leaves: [leave] }).events).toEqual([])
  })

  it('The last record of an id counts', () => {
    const cancelled = { ...leave, status: 'CANCELLED' }
    expect(expand({ leaves: [leave, cancelled] }).events).toEqual([])
    expect(expandOne({ leaves: [cancelled, leave] }).title).toBe('Sick leave')
  })

  it('A long title is cut at 255 characters and keeps its remarks', () => {
    const name = '👩‍👩‍👧‍👦'.repeat(9000)
    const { title } = expandOne({ leaves: [{ ...leave, status: 'PENDING', leaveType: { name } }] })
    expect(title).toMatch(/^(?:👩‍👩‍👧‍👦)+ \(pending\)$/u)
    expect(title.length).toBeLessThanOrEqual(255)
    expect(title.length).toBeGreaterThan(230)
  })

  it('A long reason is cut at 4,000 characters', () => {
    const event = expandOne({
      options: { leaves: { detail: 'full' } },
      leaves: [{ ...leave, reason: 'x'.repeat(100_000) }],
    })
    expect(event.description).toBe('x'.repeat(4000))
  })
})
