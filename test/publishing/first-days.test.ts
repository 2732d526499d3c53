import { expect, it } from 'vitest'

import { createAgenda } from '../../src/calendar/expand.ts'
import type { EventGroup } from '../../src/calendar/expansion.ts'
import type { EventTime } from '../../src/domain/calendar-event.ts'
import { type FirstDays, summaryOf } from '../../src/publishing/first-days.ts'
import { at, plainEvent } from '../support/calendar/calendar-source.ts'

const now = at('2026-01-05T12:00:00Z')
const hourMs = 3_600_000
const shiftEvent = {
  ...plainEvent,
  kind: 'shift',
  title: 'Day shift',
  busy: 'BUSY',
  categories: [],
} as const
const dayMs = 24 * hourMs

/** A week's look at groups of so many events each, and how many events were made for it. */
function look(groups: readonly (readonly [time: EventTime, count: number])[]): {
  readonly days: FirstDays
  readonly made: number
} {
  let made = 0
  const agenda = createAgenda(
    groups.map(([time, count], group): EventGroup => ({
      time,
      count,
      events: () => {
        made += count
        return Array.from({ length: count }, (_, index) => ({
          ...shiftEvent,
          uid: `event-${group}-${index}`,
          time,
        }))
      },
    })),
    '2026-01-01',
  )
  const { firstDays } = summaryOf({ agenda, setAside: [] }, now, 'Europe/Berlin')
  return { days: firstDays, made }
}

function shift(day: number): EventTime {
  const start = at('2026-01-05T08:00:00Z') + day * dayMs
  return { allDay: false, start, end: start + 8 * hourMs }
}

it('a year of a team makes hardly more events than the page shows', () => {
  const year = Array.from({ length: 365 }, (_, day) => [shift(day - 4), 700] as const)
  const { days, made } = look(year)
  expect(days).toMatchObject({ today: '2026-01-05', isCut: true, hasAhead: true, hasAny: true })
  expect(days.entries).toHaveLength(8)
  expect(made).toBe(700)
})

it('events begun earlier are listed under today, whole days first, and the week has seven days', () => {
  const journey: EventTime = { allDay: true, start: '2025-12-20', end: '2026-01-06' }
  const over: EventTime = { allDay: true, start: '2026-01-03', end: '2026-01-05' }
  const night = {
    allDay: false,
    start: at('2026-01-04T21:00Z'),
    end: at('2026-01-05T05:00Z'),
  } as const
  const { days } = look([
    [shift(6), 1],
    [shift(7), 1],
    [over, 1],
    [night, 1],
    [journey, 1],
    [shift(0), 1],
  ])
  const today = at('2026-01-05')
  const found = days.entries.map(({ event, day }) => [event.uid, (day - today) / dayMs])
  expect(found).toEqual([
    ['event-4-0', 0],
    ['event-3-0', 0],
    ['event-5-0', 0],
    ['event-0-0', 6],
  ])
  expect(days.isCut).toBe(false)
})

it('nothing this week, nothing from today on and nothing at all are distinguished', () => {
  const hold = ({ hasAny, hasAhead }: FirstDays): readonly boolean[] => [hasAny, hasAhead]
  expect(hold(look([[shift(9), 1]]).days)).toEqual([true, true])
  expect(hold(look([[shift(-2), 1]]).days)).toEqual([true, false])
  expect(hold(look([]).days)).toEqual([false, false])
})
