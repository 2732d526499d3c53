import { type LocalTime, localTime } from '../calendar/local-time.ts'
import type { Company } from '../domain/company.ts'
import type { Instant } from '../domain/world.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

/** The two clocks by which a bare day may be a midnight. */
export interface DayClocks {
  readonly utc: LocalTime
  readonly local: LocalTime
}

/** The clocks of UTC and of the company. */
export function dayClocks({ timezone }: Company): DayClocks {
  return { utc: localTime('UTC'), local: localTime(timezone) }
}

/** Whether the instant is the first of a day on that clock. */
export function isDayStart(instant: Instant, clock: LocalTime): boolean {
  return clock.dateAt(instant - 1) < clock.dateAt(instant)
}

/** Whether it is the first of a day or in a day's last minute, as some ends are written. */
export function isDayEdge(instant: Instant, clock: LocalTime): boolean {
  const timeOfDay = modulo(clock.wallClockAt(instant), dayMs)
  return isDayStart(instant, clock) || timeOfDay >= dayMs - minuteMs
}

/** `HH:MM` on that clock. */
export function timeOfDayAt(instant: Instant, clock: LocalTime): string {
  return new Date(clock.wallClockAt(instant)).toISOString().slice(11, 16)
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor
}
