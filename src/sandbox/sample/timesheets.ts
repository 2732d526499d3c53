import { addDays, type PlainDate, weekdayOf } from '../../domain/plain-date.ts'
import type { TimesheetStatus } from '../../domain/timesheet.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import { midnight, lastPeriods, workdays, pick, type Random, type Surroundings } from './days.ts'
import type { Person } from './people.ts'

/** By age, starting with the current period; all older ones are approved. */
const namedStatuses: readonly TimesheetStatus[] = ['DRAFT', 'SUBMITTED', 'REJECTED', 'APPROVED']

/** Possible differences between worked and expected hours of a day. */
const overtime = [0, 0, 0, 0, 0, -0.5, 0.25, 0.5, 0.75, 1.25, -1] as const

/**
 * Returns a person's last `count` timesheets, oldest first, one per half month since they joined. Entries end today and
 * skip days of leave.
 */
export function timesheetsOf(
  who: Person,
  around: Surroundings & {
    readonly count: number
    readonly leaves: readonly CompanyRecords['leaves'][]
  },
): CompanyRecords['timesheets'][] {
  const { today, count, leaves, random } = around
  const { key, since } = who
  const away = leaves.filter(({ status, days }) => status === 'APPROVED' && Number(days) >= 1)
  const isFree = (day: PlainDate): boolean =>
    away.some((it) => it.startDate <= midnight(day) && it.endDate >= midnight(day))
  const came = addDays(today, -since)
  return lastPeriods(today, count)
    .filter(({ last }) => last >= came)
    .map(({ first, last }, age) => ({
      id: `clq_${key}_${first.replaceAll('-', '')}`,
      userId: `usr_${key}`,
      companyId: 'comp_sample',
      periodStart: midnight(first),
      periodEnd: midnight(last),
      status: statusOf(who, age, random),
      entries: workdays(first < came ? came : first, last < today ? last : today)
        .filter((day) => !isFree(day))
        .map((day) => entryOf(who, day, around)),
    }))
    .toReversed()
}

function statusOf({ isNamed }: Person, age: number, random: Random): TimesheetStatus {
  if (isNamed) return namedStatuses[age] ?? 'APPROVED'
  if (age === 0) return 'DRAFT'
  return age === 1
    ? pick(random, ['SUBMITTED', 'SUBMITTED', 'SUBMITTED', 'APPROVED', 'REJECTED', 'DRAFT'])
    : 'APPROVED'
}

function entryOf({ key, isPartTime }: Person, day: PlainDate, { random, words }: Surroundings) {
  const isFriday = weekdayOf(day) === 4
  const expectedHours = (isFriday ? 5.5 : 8) / (isPartTime ? 2 : 1)
  const more = pick(random, overtime)
  return {
    id: `ent_${key}_${day.replaceAll('-', '')}`,
    date: midnight(day),
    hoursWorked: expectedHours + more,
    expectedHours,
    notes: more > 0.5 && random() < 0.6 ? pick(random, words.notes) : '',
  }
}
