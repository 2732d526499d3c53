import { localTime } from '../calendar/local-time.ts'
import type { Finding } from '../domain/examination.ts'
import type { Leave } from '../domain/leave.ts'
import { addDays, weekdayOf, type PlainDate } from '../domain/plain-date.ts'
import { isDayStart } from './day-clocks.ts'
import type { DayReading } from './day-findings.ts'
import { counted, type Examining } from './examining.ts'
import { allLeaves, type Readings } from './readings.ts'

/** No leave is compared day by day that is longer. */
const daysMax = 400
const firstOfWeekend = 5

/** How many leaves' `days` fit only if the end is the last day, only if it is the day after, and how many were compared. */
interface EndCounts {
  readonly inclusive: number
  readonly exclusive: number
  readonly compared: number
}

/** Compares `days` with the span read inclusively and exclusively, working days and all days alike. */
export function endsFinding(
  examining: Examining,
  readings: Readings,
  dayReading: DayReading,
): Finding {
  const { endDates } = examining.connection.company
  const counts = countEnds(allLeaves(readings), dayReading)
  const { inclusive, exclusive, compared } = counts
  const right = exclusive > inclusive ? 'exclusive' : 'inclusive'
  const ok = inclusive === exclusive || right === endDates
  return {
    check: 'end-dates',
    ok,
    seen: describe(counts),
    means: meansOf(ok, compared > 0 && inclusive !== exclusive, right),
    set: ok ? null : examining.advise('endDates', right),
  }
}

function describe({ inclusive, exclusive, compared }: EndCounts): string {
  if (compared === 0) return 'No leaves of whole days came to compare with their number of days.'
  return `Of ${counted(compared, 'leave')} of whole days the number of days fits ${inclusive} only if the end is the last day, and ${exclusive} only if it is the day after.`
}

function meansOf(ok: boolean, isKnown: boolean, right: string): string {
  if (!isKnown) return 'It cannot be told; ends are read as set.'
  if (ok) return 'Ends are read as they are written.'
  return right === 'exclusive'
    ? 'Ends are the day after the last: leaves would be shown a day too long.'
    : 'Ends are the last day: leaves would be shown a day too short.'
}

function countEnds(leaves: readonly Leave[], { dates, timezone }: DayReading): EndCounts {
  const clock = localTime(dates === 'utc' ? 'UTC' : timezone)
  const found = leaves.flatMap(({ startDate, endDate, days }) => {
    const areDays = isDayStart(startDate, clock) && isDayStart(endDate, clock)
    const isComparable = areDays && startDate <= endDate && typeof days === 'number' && days > 0
    if (!isComparable) return []
    return [fitOf(clock.dateAt(startDate), clock.dateAt(endDate), Math.ceil(days))]
  })
  return {
    inclusive: found.filter((fit) => fit === 'inclusive').length,
    exclusive: found.filter((fit) => fit === 'exclusive').length,
    compared: found.length,
  }
}

function fitOf(first: PlainDate, end: PlainDate, days: number): 'inclusive' | 'exclusive' | 'both' {
  const before = daysBefore(first, end)
  const exclusive = fits(before, days)
  const inclusive = fits([...before, end], days)
  if (inclusive === exclusive) return 'both'
  return inclusive ? 'inclusive' : 'exclusive'
}

function fits(span: readonly PlainDate[], days: number): boolean {
  const workingDays = span.filter((date) => weekdayOf(date) < firstOfWeekend).length
  return span.length === days || workingDays === days
}

/** The dates from the first up to, but without, the end. */
function daysBefore(first: PlainDate, end: PlainDate): readonly PlainDate[] {
  const dates: PlainDate[] = []
  for (let date = first; date < end && dates.length < daysMax; date = addDays(date, 1)) {
    dates.push(date)
  }
  return dates
}
