import { memo } from './memo.ts'
import { dayMs } from './world.ts'

/** `YYYY-MM-DD`; compares correctly as text. */
export type PlainDate = string

/** More than in all windows of all calendars. Dates are expensive to read and to write, and the same ones come again. */
const datesMax = 20_000

/** Days since 1970-01-01. */
export const dayNumber = memo(datesMax, (date: PlainDate): number => Date.parse(date) / dayMs)

/** The date that many days after 1970-01-01; within the years 0000 to 9999. */
export const plainDate = memo(datesMax, (day: number): PlainDate =>
  new Date(day * dayMs).toISOString().slice(0, 10),
)

export function addDays(date: PlainDate, days: number): PlainDate {
  return plainDate(dayNumber(date) + days)
}

/** 0 for Monday to 6 for Sunday. */
export function weekdayOf(date: PlainDate): number {
  return weekdayOn(dayNumber(date))
}

/** By day number: 1970-01-01 was a Thursday. */
export function weekdayOn(day: number): number {
  return (((day + 3) % 7) + 7) % 7
}

export function firstOfMonth(date: PlainDate): PlainDate {
  return `${date.slice(0, 7)}-01`
}

export function firstOfNextMonth(date: PlainDate): PlainDate {
  return firstOfMonth(addDays(firstOfMonth(date), 31))
}
