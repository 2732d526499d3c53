import { describe, expect, it } from 'vitest'

import type { Schedule } from '../../src/domain/schedule.ts'
import { at, expand, type SourceChanges } from '../support/calendar/calendar-source.ts'

const hours = { start: '09:00', end: '17:00' }
const monday: Schedule = { id: 'sch_1', name: 'Day', pattern: { monday: hours } }
const wednesday: Schedule = { id: 'sch_2', name: 'Day', pattern: { wednesday: hours } }

/** Monday 16 to Sunday 22 March 2026. */
const week = {
  id: 'lv_1',
  startDate: at('2026-03-16'),
  endDate: at('2026-03-22'),
  status: 'APPROVED',
}

function daysOf(
  shifts: NonNullable<SourceChanges['options']>['shifts'],
  schedules: readonly Schedule[],
  company: SourceChanges['company'] = {},
): readonly string[] {
  const { events } = expand({
    feed: { audience: 'others', userIds: ['usr_ada', 'usr_bob'] },
    company,
    options: { leaves: { as: 'day' }, shifts: { show: false, ...shifts } },
    records: { schedules },
    leaves: [week],
  })
  return events.map(({ time }) => String(time.start).slice(8))
}

describe('a day of absence', () => {
  const all = ['16', '17', '18', '19', '20', '21', '22']
  const both = ['sch_1', 'sch_2']

  it.each<[string, readonly string[], readonly Schedule[], readonly string[]]>([
    ['is left out where no schedule works', both, [monday, wednesday], ['16', '18']],
    ['follows flexible schedules, too', ['sch_1'], [{ ...monday, type: 'FLEXIBLE' }], ['16']],
    ['does not follow an inactive one', both, [{ ...monday, isActive: false }, wednesday], ['18']],
    ['stays where no schedule is named', [], [monday], all],
    ['stays where one is missing', both, [monday], all],
    ['stays where all are inactive', ['sch_1'], [{ ...monday, isActive: false }], all],
    ['stays where one rotates', both, [monday, { ...wednesday, type: 'ROTATING' }], all],
    ['stays where one is of no known type', both, [monday, { ...wednesday, type: 'NEW' }], all],
    ['stays where a day cannot be read', ['sch_1'], [{ ...monday, pattern: { friday: 9 } }], all],
    ['stays where nobody ever works', ['sch_1'], [{ ...monday, pattern: {} }], all],
  ])('%s', (_, scheduleIds, schedules, expected) => {
    expect(daysOf({ scheduleIds }, schedules)).toEqual(expected)
  })

  it('follows a rotation, but not before it begins', () => {
    const rotation = { weeks: [['sch_2']], from: '2026-03-16' }
    expect(daysOf({ rotation }, [wednesday])).toEqual(['18'])
    expect(daysOf({ rotation: { ...rotation, from: '2026-03-23' } }, [wednesday])).toEqual(all)
  })

  it('is left out on a public holiday, unless shifts are shown on them', () => {
    // Human Rights Day, a Saturday.
    const saturday = { ...monday, pattern: { monday: hours, saturday: hours } }
    const company = { holidays: ['ZA'] }
    expect(daysOf({ scheduleIds: ['sch_1'] }, [saturday], company)).toEqual(['16'])
    expect(daysOf({ scheduleIds: ['sch_1'], onHolidays: 'show' }, [saturday], company)).toEqual([
      '16',
      '21',
    ])
  })

  it('has no lines while nobody’s leaves are known', () => {
    const { events } = expand({
      feed: { audience: 'others', userIds: ['usr_ada', 'usr_bob'] },
      options: { leaves: { as: 'day' } },
    })
    expect(events).toEqual([])
  })
})
