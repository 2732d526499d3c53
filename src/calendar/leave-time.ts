import type { EventTime } from '../domain/calendar-event.ts'
import type { Leave } from '../domain/leave.ts'
import { addDays } from '../domain/plain-date.ts'
import { isTimeFault, readSpan, type Reading, type TimeFault } from './event-time.ts'

/** When a leave is, and how much of it. */
export interface LeaveTime {
  readonly time: EventTime | TimeFault
  /** The fraction of the one day of which only a part is taken, or none (0), which part is unknown. */
  readonly partOfDay: number | null
  /** The number of days where it is a fraction of several. */
  readonly fractionalDays: number | null
}

export function readLeaveTime(leave: Leave, reading: Reading): LeaveTime {
  const time = readSpan(leave.startDate, leave.endDate, reading)
  const days = leave.days ?? 1
  if (days < 0 || isTimeFault(time) || !time.allDay) {
    return { time, partOfDay: null, fractionalDays: null }
  }
  const isOneDay = addDays(time.start, 1) === time.end
  return {
    time,
    partOfDay: isOneDay && days < 1 ? days : null,
    fractionalDays: isOneDay || Number.isInteger(days) ? null : days,
  }
}
