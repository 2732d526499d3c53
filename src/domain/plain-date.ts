/** A calendar date without a time or zone, written `YYYY-MM-DD`; compares correctly as text. */
export type PlainDate = string

const dayMs = 86_400_000

/** Days since 1970-01-01. */
export function dayNumber(date: PlainDate): number {
  return Date.parse(date) / dayMs
}

/** The date that many days after 1970-01-01; within the years 0000 to 9999. */
export function plainDate(day: number): PlainDate {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

export function addDays(date: PlainDate, days: number): PlainDate {
  return plainDate(dayNumber(date) + days)
}

/** 0 for Monday to 6 for Sunday. */
export function weekdayOf(date: PlainDate): number {
  // 1970-01-01 was a Thursday.
  return (((dayNumber(date) + 3) % 7) + 7) % 7
}

export function firstOfMonth(date: PlainDate): PlainDate {
  return `${date.slice(0, 7)}-01`
}

export function firstOfNextMonth(date: PlainDate): PlainDate {
  return firstOfMonth(addDays(firstOfMonth(date), 31))
}
