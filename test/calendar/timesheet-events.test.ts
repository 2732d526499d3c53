import { describe, expect, it } from 'vitest'

import { at, expand, plainEvent, type SourceChanges } from '../support/calendar/calendar-source.ts'

const timesheet = {
  id: 'clq1',
  userId: 'usr_ada',
  periodStart: at('2026-03-01'),
  periodEnd: at('2026-03-15T23:59:59.999Z'),
  status: 'DRAFT',
  entries: [
    { hoursWorked: 7.1, expectedHours: 8 },
    { hoursWorked: 0.2, expectedHours: null },
    { hoursWorked: Number.NaN },
  ],
}

function timesheets(fields: object, changes: SourceChanges = {}): ReturnType<typeof expand> {
  return expand({
    ...changes,
    records: { ...changes.records, timesheets: [{ ...timesheet, ...fields }] },
  })
}

describe('timesheets', () => {
  it('Are one all-day event over the period', () => {
    expect(timesheets({}).events).toEqual([
      {
        ...plainEvent,
        uid: 'timesheet-clq1@main.calendar-feed-bridge',
        kind: 'timesheet',
        time: { allDay: true, start: '2026-03-01', end: '2026-03-16' },
        title: 'Timesheet 1–15 Mar (draft)',
        description: 'Hours: 7.3 of 8 expected',
        busy: 'FREE',
        categories: ['Timesheet'],
      },
    ])
  })

  it.each([
    ['DRAFT', 'Timesheet 1–15 Mar (draft)', 'Timesheet due: 1–15 Mar'],
    ['SUBMITTED', 'Timesheet 1–15 Mar (submitted)', 'Timesheet 1–15 Mar submitted'],
    ['APPROVED', 'Timesheet 1–15 Mar (approved ✓)', 'Timesheet 1–15 Mar approved ✓'],
    ['REJECTED', 'Timesheet 1–15 Mar (rejected: hand in again)', 'Timesheet due: 1–15 Mar'],
    ['LOCKED', 'Timesheet 1–15 Mar (Locked)', 'Timesheet 1–15 Mar Locked'],
  ])('%s', (status, period, deadline) => {
    const { events, setAside } = timesheets({ status }, { options: { timesheets: { as: 'both' } } })
    expect(events.map(({ title }) => title)).toEqual([period, deadline])
    expect(setAside).toEqual([])
  })

  it('A deadline is one all-day event on the last day', () => {
    const { events } = timesheets({}, { options: { timesheets: { as: 'deadline' } } })
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({
      uid: 'timesheetdue-clq1@main.calendar-feed-bridge',
      time: { allDay: true, start: '2026-03-15', end: '2026-03-16' },
    })
  })

  it.each([
    ['en', '2026-02-28', '2026-03-13', 'Timesheet 28 Feb–13 Mar (draft)'],
    ['en', '2025-12-29', '2026-01-04', 'Timesheet 29 Dec 2025–4 Jan 2026 (draft)'],
    ['en', '2026-03-31', '2026-03-31', 'Timesheet 31 Mar (draft)'],
    ['de', '2026-03-01', '2026-03-15', 'Stundenzettel 1.–15. März (Entwurf)'],
    ['de', '2026-02-28', '2026-03-13', 'Stundenzettel 28. Feb.–13. März (Entwurf)'],
    ['de', '2025-12-29', '2026-01-04', 'Stundenzettel 29. Dez. 2025–4. Jan. 2026 (Entwurf)'],
  ] as const)('%s: %s to %s', (locale, first, last, title) => {
    const period = { periodStart: at(first), periodEnd: at(last) }
    expect(timesheets(period, { feed: { locale } }).events[0]?.title).toBe(title)
  })

  it('Those of other users are left out; a feed for others puts the name first', () => {
    expect(timesheets({ userId: 'usr_bob' }).events).toEqual([])
    const users = [{ id: 'usr_ada', firstName: 'Ada' }]
    const { events } = timesheets({}, { feed: { audience: 'others' }, records: { users } })
    expect(events[0]?.title).toBe('Ada: Timesheet 1–15 Mar (draft)')
  })

  it('An unknown status is left out if the feed selects statuses', () => {
    const options = { timesheets: { statuses: ['DRAFT' as const] } }
    expect(timesheets({ status: 'LOCKED' }, { options })).toEqual({
      events: [],
      setAside: [{ kind: 'timesheet', id: 'clq1', reason: 'unknown_status' }],
    })
    expect(timesheets({ status: 'APPROVED' }, { options })).toEqual({ events: [], setAside: [] })
  })

  it.each([
    [[], null],
    [null, null],
    [[{ hoursWorked: null }], null],
    [[{ hoursWorked: 0.1 }, { hoursWorked: 0.2 }], 'Hours: 0.3'],
    [[{ expectedHours: 1234.5 }], 'Hours: 0 of 1,234.5 expected'],
  ])('Adds up the hours of %j', (entries, description) => {
    expect(timesheets({ entries }).events[0]?.description).toBe(description)
  })

  it('A timesheet that ends before it starts is set aside', () => {
    expect(timesheets({ periodEnd: at('2026-02-01') }).setAside).toEqual([
      { kind: 'timesheet', id: 'clq1', reason: 'end_before_start' },
    ])
  })
})
