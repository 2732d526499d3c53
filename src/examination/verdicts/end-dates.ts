import type { Company } from '../../domain/company.ts'
import type { ZoneClock, ZoneClocks } from '../../domain/examination.ts'
import type { Leave } from '../../domain/leave.ts'
import { addDays, weekdayOf, type PlainDate } from '../../domain/plain-date.ts'
import type { DatesVerdict } from './dates.ts'
import { isDayStart } from './day-clock.ts'
import { allLeaves, type ListFacts } from './list-facts.ts'

/** No leave is compared day by day that is longer. */
const daysMax = 400
const firstOfWeekend = 5

/** How many leaves' `days` fit only if the end is the last day, only if it is the day after, and how many were compared. */
interface EndCounts {
  readonly inclusive: number
  readonly exclusive: number
  readonly compared: number
}

export interface EndDatesVerdict extends EndCounts {
  readonly ok: boolean
  /** What an end that is a bare day is; null where nothing shows it. */
  readonly right: Company['endDates'] | null
}

/** Compares `days` with the span read inclusively and exclusively, working days and all days alike. */
export function judgeEndDates(
  lists: ListFacts,
  { endDates }: Company,
  { dates, timezone }: DatesVerdict,
  zoneClock: ZoneClocks,
): EndDatesVerdict {
  const clock = zoneClock(dates === 'utc' ? 'UTC' : timezone)
  const counts = countEnds(allLeaves(lists), clock)
  const right = likelierEnd(counts)
  return { ok: right === null || right === endDates, right, ...counts }
}

function likelierEnd({ inclusive, exclusive }: EndCounts): Company['endDates'] | null {
  if (inclusive === exclusive) return null
  return exclusive > inclusive ? 'exclusive' : 'inclusive'
}

function countEnds(leaves: readonly Leave[], clock: ZoneClock): EndCounts {
  const fits = leaves.flatMap((leave) => fitsOf(leave, clock) ?? [])
  return {
    inclusive: fits.filter((fit) => fit === 'inclusive').length,
    exclusive: fits.filter((fit) => fit === 'exclusive').length,
    compared: fits.length,
  }
}

type EndFit = Company['endDates'] | 'both'

/** undefined where the leave is not of whole days, or does not say how many. */
function fitsOf({ startDate, endDate, days }: Leave, clock: ZoneClock): EndFit | undefined {
  if (endDate === null) return undefined
  const areDays = isDayStart(startDate, clock) && isDayStart(endDate, clock)
  if (!areDays || startDate > endDate || typeof days !== 'number' || days <= 0) return undefined
  const before = daysBefore(clock.dateAt(startDate), clock.dateAt(endDate))
  const whole = Math.ceil(days)
  const isExclusive = isAsLong(before, whole)
  const isInclusive = isAsLong([...before, clock.dateAt(endDate)], whole)
  if (isInclusive === isExclusive) return 'both'
  return isInclusive ? 'inclusive' : 'exclusive'
}

function isAsLong(span: readonly PlainDate[], days: number): boolean {
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
