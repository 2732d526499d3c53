import type { ZoneClock } from '../../domain/examination.ts'
import type { Instant } from '../../domain/world.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

/** Whether the instant is the first of a day on that clock. */
export function isDayStart(instant: Instant, clock: ZoneClock): boolean {
  return clock.dateAt(instant - 1) < clock.dateAt(instant)
}

/** Whether it is the first of a day or in a day's last minute, as some ends are written. */
export function isDayEdge(instant: Instant, clock: ZoneClock): boolean {
  const timeOfDay = modulo(clock.wallClockAt(instant), dayMs)
  return isDayStart(instant, clock) || timeOfDay >= dayMs - minuteMs
}

/** `HH:MM` on that clock. */
export function timeOfDayAt(instant: Instant, clock: ZoneClock): string {
  return new Date(clock.wallClockAt(instant)).toISOString().slice(11, 16)
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor
}
