import { localTime } from '../calendar/local-time.ts'
import { addDays, dayNumber, type PlainDate } from '../domain/plain-date.ts'
import type { Instant } from '../domain/world.ts'

/** When that day begins there. */
export function dayStart(date: PlainDate, timezone: string): Instant {
  return localTime(timezone).instantOn(dayNumber(date), 0)
}

/** When that day ends there. */
export function dayEnd(date: PlainDate, timezone: string): Instant {
  return dayStart(addDays(date, 1), timezone)
}

/** By the clock there, as spreadsheets read it: `2026-01-05 13:00:00`. */
export function wallClockText(instant: Instant, timezone: string): string {
  const shown = new Date(localTime(timezone).wallClockAt(instant)).toISOString()
  return shown.slice(0, 'yyyy-mm-ddThh:mm:ss'.length).replace('T', ' ')
}
