import {
  addDays,
  dayNumber,
  firstOfNextMonth,
  type PlainDate,
  weekdayOf,
} from '../../domain/plain-date.ts'
import type { TimesheetStatus } from '../../domain/timesheet.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import { midnight } from './days.ts'
import type { Person } from './people.ts'
import { pick } from './random.ts'

/** By age, the period that holds today first; all older ones are approved. */
const statuses: readonly TimesheetStatus[] = ['DRAFT', 'SUBMITTED', 'REJECTED', 'APPROVED']

const hoursOfADay = [8, 8, 8, 7.5, 8.5, 9.25] as const

/** A person's last timesheets, two for each month, the oldest first; entries up to today. */
export function timesheetsOf(
  { key }: Person,
  today: PlainDate,
  { count, random }: { count: number; random: () => number },
): CompanyRecords['timesheets'][] {
  return lastPeriods(today, count)
    .map(({ first, last }, age) => ({
      id: `clq_${key}_${first.replaceAll('-', '')}`,
      userId: `usr_${key}`,
      companyId: 'comp_sample',
      periodStart: midnight(first),
      periodEnd: midnight(last),
      status: statuses[age] ?? 'APPROVED',
      entries: workdays(first, last < today ? last : today).map((day) => entryOf(key, day, random)),
    }))
    .toReversed()
}

interface Period {
  readonly first: PlainDate
  readonly last: PlainDate
}

/** Halves of months, the one that holds today first. */
function lastPeriods(today: PlainDate, count: number): Period[] {
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

function workdays(first: PlainDate, last: PlainDate): PlainDate[] {
  return Array.from({ length: dayNumber(last) - dayNumber(first) + 1 }, (_, index) =>
    addDays(first, index),
  ).filter((day) => weekdayOf(day) < 5)
}

function entryOf(key: string, day: PlainDate, random: () => number) {
  const hoursWorked = pick(random, hoursOfADay)
  return {
    id: `ent_${key}_${day.replaceAll('-', '')}`,
    date: midnight(day),
    hoursWorked,
    expectedHours: 8,
    notes: hoursWorked > 9 ? 'Stayed for the release' : '',
  }
}
