import assert from 'node:assert/strict'

import { DateTime } from 'luxon'

import type { ShiftDay } from '../../../src/calendar/expansion.ts'
/** The instants of a year of shifts, beside luxon's: other hours in every round, so that nothing but what zones' clocks remember is remembered. */
import { localTime } from '../../../src/calendar/local-time.ts'
import { expandPattern, readShiftPattern } from '../../../src/calendar/shifts.ts'
import type { EventTime } from '../../../src/domain/calendar-event.ts'
import { dayNumber } from '../../../src/domain/plain-date.ts'
import { tellRatio } from './measured-row.ts'
import { measureInterleaved, medianRatio } from './ratios.ts'

type Times = Pick<EventTime, 'start' | 'end'>

const zone = 'Europe/Berlin'
const dayMs = 86_400_000
const first = dayNumber('2026-01-01')
const days = Array.from({ length: 365 }, (_, index) => first + index)
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']
/** One after the other in every measurement, since one alone is too fast to be timed. */
const yearsAtOnce = 50

function expanded(minute: number): ShiftDay[] {
  const [start, end] = ['09', '17'].map((hour) => `${hour}:${String(minute).padStart(2, '0')}`)
  const pattern = readShiftPattern(
    Object.fromEntries(weekdays.map((name) => [name, { start: start!, end: end! }])),
  )
  return expandPattern(pattern, localTime(zone), days)
}

function byLuxon(minute: number): Times[] {
  const shifts: Times[] = []
  for (const number of days) {
    const date = new Date(number * dayMs)
    if (date.getUTCDay() % 6 === 0) continue
    const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
    const at = (hour: number): number =>
      DateTime.fromObject({ year, month, day, hour, minute }, { zone }).toMillis()
    shifts.push({ start: at(9), end: at(17) })
  }
  return shifts
}

for (let minute = 0; minute < 60; minute += 1) {
  const times = expanded(minute).map(({ time: { start, end } }) => ({ start, end }))
  assert.deepEqual(times, byLuxon(minute))
}
let minute = 0
const many = (expand: (minute: number) => unknown) => () => {
  for (let year = 0; year < yearsAtOnce; year += 1) expand((minute += 1) % 60)
}
const acts = { ours: many(expanded), luxon: many(byLuxon) }
const ratio = medianRatio(
  await measureInterleaved(acts, { rounds: 15, warmUps: 5 }),
  'luxon',
  'ours',
)
tellRatio({
  measure: 'expanding a year of a five-day pattern: how many times as fast',
  against: 'a luxon DateTime for each shift, same instants',
  bound: { least: 40 },
  measured: ratio,
})
