import { describe, expect, it } from 'vitest'

import { at, expand, plainEvent, type SourceChanges } from '../support/calendar/calendar-source.ts'

const day = { start: '09:00', end: '17:30' }
const schedule = { id: 'sch_day', name: 'Day', type: 'FIXED', pattern: { wednesday: day } }
const march = { pastDays: 0, futureDays: 0 }

/** Ada's shifts by this schedule, or these, in March 2026 in Berlin. */
function shifts(
  { options, records, ...changes }: SourceChanges,
  ...schedules: readonly (typeof schedule | object)[]
): ReturnType<typeof expand> {
  return expand({
    ...changes,
    options: {
      window: march,
      ...options,
      shifts: { scheduleIds: ['sch_day'], ...options?.shifts },
    },
    records: { ...records, schedules: schedules.map((fields) => ({ ...schedule, ...fields })) },
  })
}

const clock = (instant: number | string): string => new Date(instant).toISOString().slice(11, 16)

/** `20260304 08:00–16:30`: the local date of the UID, and the times in UTC. */
function times({ events }: ReturnType<typeof expand>): string[] {
  return events.map(({ uid, time }) => {
    const date = uid.match(/-(\d{8})@/)?.[1]
    return `${date} ${clock(time.start)}–${clock(time.end)}`
  })
}

describe('shifts', () => {
  it('Are one event per date, in the company’s wall time', () => {
    expect(times(shifts({}, schedule))).toEqual([
      '20260304 08:00–16:30',
      '20260311 08:00–16:30',
      '20260318 08:00–16:30',
      '20260325 08:00–16:30',
    ])
    const april = at('2026-04-10T12:00:00Z')
    expect(times(shifts({ now: april }, schedule))[0]).toBe('20260401 07:00–15:30')
  })

  it('Block the day under the schedule’s name', () => {
    expect(shifts({}, schedule).events[0]).toEqual({
      ...plainEvent,
      title: 'Day',
      time: { allDay: false, start: at('2026-03-04T08:00:00Z'), end: at('2026-03-04T16:30:00Z') },
      busy: 'BUSY',
      kind: 'shift',
      uid: 'shift-sch_day-usr_ada-20260304@main.calendar-feed-bridge',
      categories: ['Shift'],
    })
  })

  it.each([
    ['Wednesday in any case', { WeDnesday: day }, '20260304 08:00–16:30'],
    ['a night', { wednesday: { start: '22:00', end: '06:00' } }, '20260304 21:00–05:00'],
    ['until 24:00', { wednesday: { start: '16:00', end: '24:00' } }, '20260304 15:00–23:00'],
    ['until 00:00', { wednesday: { start: '16:00', end: '00:00' } }, '20260304 15:00–23:00'],
    ['24 hours', { wednesday: { start: '08:00', end: '08:00' } }, '20260304 07:00–07:00'],
    ['all of the date', { wednesday: { start: '00:00', end: '24:00' } }, '20260304 23:00–23:00'],
  ])('%s', (_, pattern, first) => {
    expect(times(shifts({}, { pattern }))[0]).toBe(first)
  })

  it.each([
    ['a night into summer time', '21:00', '05:00', '20260328 20:00–03:00'],
    ['into the gap', '01:30', '02:30', '20260329 00:30–01:30'],
    ['out of the gap', '02:30', '04:00', '20260329 01:30–02:00'],
  ])('Start and end are each read as wall time: %s', (_, start, end, expected) => {
    const pattern = { saturday: { start, end }, sunday: { start, end } }
    expect(times(shifts({}, { pattern }))).toContain(expected)
  })

  it('A shift inside the skipped hour is left out', () => {
    const pattern = { sunday: { start: '02:30', end: '03:00' } }
    expect(times(shifts({}, { pattern }))).toEqual([
      '20260301 01:30–02:00',
      '20260308 01:30–02:00',
      '20260315 01:30–02:00',
      '20260322 01:30–02:00',
    ])
  })

  it('A time that occurs twice means the earlier one', () => {
    const october = at('2026-10-10T12:00:00Z')
    const pattern = { sunday: { start: '02:30', end: '10:00' } }
    expect(times(shifts({ now: october }, { pattern })).at(-1)).toBe('20261025 00:30–09:00')
  })

  it.each([
    ['no object', '09:00'],
    ['one digit', { start: '9:00', end: '17:00' }],
    ['25 hours', { start: '09:00', end: '25:00' }],
    ['60 minutes', { start: '09:60', end: '17:00' }],
    ['no end', { start: '09:00' }],
    ['a number', { start: 9, end: 17 }],
    ['a start at 24:00', { start: '24:00', end: '06:00' }],
    ['24:30', { start: '09:00', end: '24:30' }],
    ['more than a time', { start: '09:00x', end: '17:00' }],
  ])('A malformed day is set aside and the other days stay: %s', (_, thursday) => {
    const result = shifts({}, { pattern: { wednesday: day, thursday } })
    expect(result.events).toHaveLength(4)
    expect(result.setAside).toEqual([{ kind: 'shift', id: 'sch_day', reason: 'malformed_day' }])
  })

  it('A missing day is a day off, and an unknown day is set aside', () => {
    expect(shifts({}, { pattern: { monday: null } })).toEqual({ events: [], setAside: [] })
    expect(shifts({}, { pattern: null })).toEqual({ events: [], setAside: [] })
    expect(shifts({}, { pattern: { mittwoch: day } }).setAside).toHaveLength(1)
  })

  it.each([
    [{ isActive: false }, 'inactive_schedule'],
    [{ type: 'ROTATING' }, 'needs_rotation'],
    [{ type: 'SECRET' }, 'unknown_type'],
    [{ id: 'sch_other' }, 'missing_schedule'],
  ])('%j gives no shifts', (fields, reason) => {
    expect(shifts({}, fields)).toEqual({
      events: [],
      setAside: [{ kind: 'shift', id: 'sch_day', reason }],
    })
  })

  it('A schedule that the feed does not name is ignored', () => {
    const result = shifts({}, schedule, { id: 'sch_other', isActive: false, pattern: { x: 1 } })
    expect(result.setAside).toEqual([])
    expect(result.events).toHaveLength(4)
  })

  it.each([
    [{ type: 'FLEXIBLE' }, 'Day (flexible)', 'FREE'],
    [{ type: null }, 'Day', 'BUSY'],
    [{ name: ' ' }, 'Shift', 'BUSY'],
  ])('%j', (fields, title, busy) => {
    expect(shifts({}, fields).events[0]).toMatchObject({ title, busy })
  })

  it('In a feed for others, shifts name the person, and each person has their own', () => {
    const feed = { audience: 'others' as const, userIds: ['usr_ada', 'usr_bob', 'usr_ada'] }
    const users = [{ id: 'usr_bob', firstName: 'Bob' }]
    const { events } = shifts({ feed, records: { users } }, schedule)
    expect(events).toHaveLength(8)
    expect(events[1]).toMatchObject({
      uid: 'shift-sch_day-usr_bob-20260304@main.calendar-feed-bridge',
      title: 'Bob: Day',
      busy: 'FREE',
    })
  })

  it('Follow the schedule’s own zone', () => {
    const company = { scheduleTimezones: { sch_day: 'America/New_York' } }
    expect(times(shifts({ company }, schedule)).slice(0, 2)).toEqual([
      '20260304 14:00–22:30',
      '20260311 13:00–21:30',
    ])
  })

  it('A schedule in an unknown zone gives no shifts, since a wrong shift is worse', () => {
    const company = { scheduleTimezones: { sch_day: 'Mars/Olympus' } }
    expect(shifts({ company }, schedule).setAside).toEqual([
      { kind: 'shift', id: 'sch_day', reason: 'unknown_timezone' },
    ])
  })

  it('Carry the reminder of the feed', () => {
    expect(shifts({ options: { reminderMinutes: 15 } }, schedule).events[0]?.reminderMinutes).toBe(
      15,
    )
  })
})

describe('a rotation of schedules', () => {
  const rotating = { type: 'ROTATING', name: 'Early', pattern: { monday: day, sunday: day } }
  const weeks = [['sch_day'], ['sch_b', 'sch_b'], []]
  const rotate = (from: string): string[] => {
    const options = { shifts: { scheduleIds: ['sch_c'], rotation: { weeks, from } } }
    return times(shifts({ options }, rotating, { ...rotating, id: 'sch_b', name: 'Late' }))
  }

  it('Repeats week by week from its starting Monday', () => {
    expect(rotate('2026-01-05')).toEqual([
      '20260301 08:00–16:30',
      '20260309 08:00–16:30',
      '20260315 08:00–16:30',
      '20260316 08:00–16:30',
      '20260322 08:00–16:30',
      '20260330 07:00–15:30',
    ])
  })

  it('Gives no shifts before its start', () => {
    expect(rotate('2026-03-16')).toEqual([
      '20260316 08:00–16:30',
      '20260322 08:00–16:30',
      '20260323 08:00–16:30',
      '20260329 07:00–15:30',
    ])
  })

  it('Gives no shifts if it has no weeks', () => {
    const options = { shifts: { rotation: { weeks: [], from: '2026-01-05' } } }
    expect(shifts({ options }, rotating)).toEqual({ events: [], setAside: [] })
  })
})

/** On which dates Ada has shifts where she has these leaves, approved and from 3 to 4 March unless they say otherwise. */
const dates = (leaves: readonly object[], changes: SourceChanges = {}): string[] => {
  const full = leaves.map((fields, index) => ({
    id: `lv_${index}`,
    startDate: at('2026-03-03'),
    endDate: at('2026-03-04'),
    status: 'APPROVED',
    ...fields,
  }))
  const { events } = shifts(
    {
      ...changes,
      leaves: full,
      options: { ...changes.options, leaves: { show: false } },
    },
    schedule,
  )
  return events.flatMap(({ uid }) => uid.match(/-(\d{8})@/)?.[1] ?? [])
}
const timed = (start: string, end: string): object => ({ startDate: at(start), endDate: at(end) })

describe('shifts during leave', () => {
  const hidden = ['20260311', '20260318', '20260325']
  it.each([
    ['whole days', [{}]],
    ['a fraction of several days', [{ days: 1.5 }]],
    ['one day', [{ startDate: at('2026-03-04'), days: 1 }]],
    ['all of the local date', [timed('2026-03-03T23:00:00Z', '2026-03-04T23:00:00Z')]],
    ['from noon to noon', [timed('2026-03-03T11:00:00Z', '2026-03-05T11:00:00Z')]],
    ['until 23:59', [timed('2026-03-03T11:00:00Z', '2026-03-04T22:59:00Z')]],
    [
      'two that join',
      [
        timed('2026-03-04T11:00:00Z', '2026-03-04T23:00:00Z'),
        timed('2026-03-03T23:00:00Z', '2026-03-04T11:00:00Z'),
      ],
    ],
  ])('A leave hides the shift: %s', (_, leaves) => {
    expect(dates(leaves)).toEqual(hidden)
  })

  it.each([
    ['pending', [{ status: 'PENDING' }]],
    ['half a day', [{ startDate: at('2026-03-04'), days: 0.5 }]],
    ['the morning', [timed('2026-03-03T23:00:00Z', '2026-03-04T11:00:00Z')]],
    [
      'two with a gap',
      [
        timed('2026-03-03T23:00:00Z', '2026-03-04T10:00:00Z'),
        timed('2026-03-04T11:00:00Z', '2026-03-04T23:00:00Z'),
      ],
    ],
    ['end before start', [timed('2026-03-05T00:00:00Z', '2026-03-04T00:00:00Z')]],
    ['withdrawn by its last version', [{ id: 'lv_1' }, { id: 'lv_1', status: 'CANCELLED' }]],
  ])('A leave hides no shift: %s', (_, leaves) => {
    expect(dates(leaves)).toEqual(['20260304', ...hidden])
  })

  it('The option show keeps the shifts', () => {
    const options = { shifts: { duringLeave: 'show' as const } }
    expect(dates([{}], { options })).toHaveLength(4)
  })

  it('A leave hides a night shift by the date on which the night starts', () => {
    const pattern = {
      tuesday: { start: '22:00', end: '06:00' },
      thursday: { start: '22:00', end: '06:00' },
    }
    const leaves = [
      { id: 'lv_1', startDate: at('2026-03-04'), endDate: at('2026-03-04'), status: 'APPROVED' },
    ]
    const result = shifts({ leaves }, { pattern: { ...pattern, wednesday: pattern.tuesday } })
    const nights = times(result).map((time) => time.slice(0, 8))
    expect(nights).toContain('20260303')
    expect(nights).not.toContain('20260304')
  })

  it('A leave hides only the shifts of its own user', () => {
    const feed = { audience: 'others' as const, userIds: ['usr_ada', 'usr_bob'] }
    expect(dates([{}], { feed }).filter((date) => date === '20260304')).toHaveLength(1)
  })
})

describe('leave that takes a part of a shift', () => {
  const half = {
    id: 'lv_1',
    startDate: at('2026-03-04'),
    endDate: at('2026-03-04'),
    days: 0.5,
    status: 'APPROVED',
  }
  const lunch = { ...half, ...timed('2026-03-11T11:00:00Z', '2026-03-11T12:00:00Z'), id: 'lv_2' }

  it.each([
    ['leave is shown', { show: true }, ['Day (half day off)', 'Day (part of the day off)']],
    ['leave is not shown', { show: false }, ['Day', 'Day']],
    ['only pending leave is shown', { statuses: ['PENDING' as const] }, ['Day', 'Day']],
  ])('Is named where %s', (_, leaves, titles) => {
    const { events } = shifts({ leaves: [half, lunch], options: { leaves } }, schedule)
    const ofShifts = events.filter(({ kind }) => kind === 'shift').slice(0, 2)
    expect(ofShifts.map(({ title }) => title)).toEqual(titles)
    const isSaid = titles[0] !== 'Day'
    expect(ofShifts.map(({ description }) => description)).toEqual([
      null,
      isSaid ? 'Off: 12:00–13:00' : null,
    ])
  })

  it('Leaves nothing of a night shift if the next day is off', () => {
    const pattern = { monday: { start: '22:00', end: '06:00' } }
    const evening = { ...half, ...timed('2026-03-02T21:00:00Z', '2026-03-02T22:59:00Z') }
    const left = (leaves: readonly (typeof half)[]): string[] => {
      const options = { leaves: { show: false } }
      return times(shifts({ leaves, options }, { pattern })).filter((time) => time < '20260303')
    }
    expect(left([{ ...evening, days: 1 }])).toEqual(['20260302 23:00–05:00'])
    const tuesday = { ...half, id: 'lv_2', startDate: at('2026-03-03'), endDate: at('2026-03-03') }
    expect(
      left([
        { ...evening, days: 1 },
        { ...tuesday, days: 1 },
      ]),
    ).toEqual([])
  })
})

it('A line is free, since it would mark the whole day, unless the feed says otherwise', () => {
  const busy = (showAs: 'busy' | 'free' | null): string | undefined => {
    const options = { shifts: { as: 'day' as const, showAs } }
    return shifts({ options }, schedule).events[0]?.busy
  }
  expect([busy(null), busy('free'), busy('busy')]).toEqual(['FREE', 'FREE', 'BUSY'])
})
