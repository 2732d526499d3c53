import {
  addDays,
  dayNumber,
  firstOfNextMonth,
  type PlainDate,
  weekdayOf,
} from '../../domain/plain-date.ts'

/** Half a month. */
interface Period {
  readonly first: PlainDate
  readonly last: PlainDate
}

/** Halves of months, the one that holds today first. */
export function lastPeriods(today: PlainDate, count: number): Period[] {
  const periods: Period[] = []
  for (let day = today; periods.length < count; day = addDays(periods.at(-1)?.first ?? day, -1)) {
    periods.push(periodOf(day))
  }
  return periods
}

function periodOf(day: PlainDate): Period {
  const month = day.slice(0, 7)
  return day <= `${month}-15`
    ? { first: `${month}-01`, last: `${month}-15` }
    : { first: `${month}-16`, last: addDays(firstOfNextMonth(day), -1) }
}

/** Mondays to Fridays between those two, both included. */
export function workdays(first: PlainDate, last: PlainDate): PlainDate[] {
  return Array.from({ length: Math.max(0, dayNumber(last) - dayNumber(first) + 1) }, (_, index) =>
    addDays(first, index),
  ).filter((day) => weekdayOf(day) < 5)
}
