/* Event rule 1.6: a leave without an end begins with the company's day. */
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { expect, it } from 'vitest'

import { withBegin } from '../../src/domain/leave.ts'

const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
const minute = fc.integer({ min: -36 * 60, max: 36 * 60 })
const day = fc.integer({ min: 0, max: 20_000 }).map((days) => days * 86_400_000)

it('a date without a time has begun once it is that day in the time zone of the company', () => {
  fc.assert(
    fc.property(zone, day, minute, (timezone, midnightUtc, minutes) => {
      const now = midnightUtc + minutes * 60_000
      const date = Temporal.Instant.fromEpochMilliseconds(midnightUtc)
        .toZonedDateTimeISO('UTC')
        .toPlainDate()
      const today = Temporal.Instant.fromEpochMilliseconds(now)
        .toZonedDateTimeISO(timezone)
        .toPlainDate()
      const leave = { id: 'lv', status: 'APPROVED', startDate: midnightUtc, endDate: null }
      const { hasBegun } = withBegin(leave, { dates: 'utc', timezone }, now)
      expect(hasBegun).toBe(Temporal.PlainDate.compare(today, date) >= 0)
    }),
  )
})

it.each([
  ['local', 0],
  ['utc', 3_600_000],
] as const)(
  'with dates %s, a leave that starts %i ms after midnight UTC begins at that instant',
  (dates, ms) => {
    const startDate = Date.UTC(2026, 0, 5) + ms
    const leave = { id: 'lv', status: 'APPROVED', startDate, endDate: null }
    const hasBegun = (now: number): boolean | undefined =>
      withBegin(leave, { dates, timezone: 'Pacific/Auckland' }, now).hasBegun
    expect([hasBegun(startDate - 1), hasBegun(startDate)]).toEqual([false, true])
  },
)
