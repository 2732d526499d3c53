import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'

import type { CalendarSource } from '../../../src/calendar/expansion.ts'
import { leaveForms } from '../../../src/domain/leave.ts'
import { shiftForms } from '../../../src/domain/schedule.ts'
import { timesheetForms, timesheetStatuses } from '../../../src/domain/timesheet.ts'
import type { Instant } from '../../../src/domain/world.ts'
import { at, calendarSource } from '../calendar/calendar-source.ts'

const timezones = Intl.supportedValuesOf('timeZone')
const users = ['usr_ada', 'usr_bob']
const weekdays = ['monday', 'Tuesday', 'wednesday', 'THURSDAY', 'friday', 'saturday', 'sunday']

/** A moment as companies write it: a bare day in one of two ways, the end of one, or a time of day. */
const moment = fc.record({
  days: fc.integer({ min: -40, max: 40 }),
  form: fc.constantFrom('utcDay', 'localDay', 'utcDayEnd', 'localDayEnd', 'time'),
  minute: fc.integer({ min: 0, max: 1439 }),
})

type Moment = typeof moment extends fc.Arbitrary<infer T> ? T : never

const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 15, 30, 59))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)
const hours = fc.record({ start: clock, end: fc.oneof(clock, fc.constant('24:00')) })
const schedule = fc.record({
  pattern: fc.dictionary(fc.constantFrom(...weekdays), hours),
  type: fc.constantFrom('FIXED', 'FLEXIBLE', 'ROTATING', null),
  isActive: fc.constantFrom(true, false, null),
  timezone: fc.option(fc.constantFrom(...timezones)),
})
const leave = fc.record({
  user: fc.constantFrom(...users),
  start: moment,
  end: moment,
  length: fc.integer({ min: 0, max: 4 }),
  status: fc.constantFrom('APPROVED', 'APPROVED', 'PENDING', 'REJECTED', 'CANCELLED', 'ODD'),
  days: fc.constantFrom(0.5, 1, 2.5, 3, null),
})
const timesheet = fc.record({
  user: fc.constantFrom(...users, 'usr_cleo'),
  start: moment,
  length: fc.integer({ min: 0, max: 20 }),
  form: fc.constantFrom('utcDay', 'localDay', 'utcDayEnd', 'localDayEnd'),
  status: fc.constantFrom(...timesheetStatuses),
})
const task = fc.record({
  due: fc.option(moment),
  assignee: fc.constantFrom(...users, 'usr_cleo'),
  status: fc.constantFrom('IN_PROGRESS', 'DONE', null),
})

const company = fc.record({
  today: fc.integer({ min: 0, max: 1094 }),
  timezone: fc.constantFrom(...timezones),
  feedTimezone: fc.constantFrom(...timezones),
  dates: fc.constantFrom('utc' as const, 'local' as const),
  endDates: fc.constantFrom('inclusive' as const, 'exclusive' as const),
  as: fc.constantFrom(...timesheetForms),
  leavesAs: fc.constantFrom(...leaveForms),
  shiftsAs: fc.constantFrom(...shiftForms),
  duringLeave: fc.constantFrom('hide' as const, 'show' as const),
  rotates: fc.boolean(),
  schedules: fc.array(schedule, { maxLength: 3 }),
  leaves: fc.array(leave, { maxLength: 6 }),
  timesheets: fc.array(timesheet, { maxLength: 3 }),
  tasks: fc.array(task, { maxLength: 5 }),
  dues: fc.array(moment, { maxLength: 3 }),
})

type RandomCompany = typeof company extends fc.Arbitrary<infer T> ? T : never

/** A company of any zone with records of every kind around one month of 2025 to 2027. */
export const randomSource: fc.Arbitrary<CalendarSource> = company.map(sourceOf)

function sourceOf(random: RandomCompany): CalendarSource {
  const now = at('2025-01-01T12:00:00Z') + random.today * 86_400_000
  const instant = (it: Moment): Instant => instantOf(it, now, random.timezone)
  const later = (it: Moment, days: number, form: Moment['form']): Instant =>
    instant({ ...it, days: it.days + days, form })
  const names = random.schedules.map((_, index) => `sch_${index}`)
  const leavesOf = Object.fromEntries(
    users.map((user) => [
      user,
      random.leaves.flatMap(({ user: owner, start, end, length, status, days }, index) =>
        owner === user
          ? [
              {
                id: `lv_${index}`,
                startDate: instant(start),
                endDate: instant({ ...end, days: start.days + length }),
                status,
                days,
              },
            ]
          : [],
      ),
    ]),
  )
  return calendarSource({
    now,
    feed: { timezone: random.feedTimezone, userIds: users, audience: 'others' },
    company: {
      timezone: random.timezone,
      dates: random.dates,
      endDates: random.endDates,
      scheduleTimezones: Object.fromEntries(
        random.schedules.flatMap(({ timezone }, index) =>
          timezone === null ? [] : [[`sch_${index}`, timezone]],
        ),
      ),
    },
    options: {
      window: { pastDays: 0, futureDays: 0 },
      leaves: { as: random.leavesAs },
      timesheets: { as: random.as },
      shifts: {
        scheduleIds: names,
        as: random.shiftsAs,
        duringLeave: random.duringLeave,
        rotation: random.rotates
          ? { weeks: [names.slice(0, 1), names.slice(1), []], from: '2025-01-06' }
          : null,
      },
      invoices: { invoiceIds: random.dues.map((_, index) => `inv_${index}`) },
    },
    leavesOf,
    records: {
      schedules: random.schedules.map((it, index) => ({ id: `sch_${index}`, name: 'x', ...it })),
      timesheets: random.timesheets.map(({ user, start, length, form, status }, index) => ({
        id: `clq_${index}`,
        userId: user,
        periodStart: instant(start),
        periodEnd: later(start, length, form),
        status,
      })),
      tasks: random.tasks.map(({ due, assignee, status }, index) => ({
        id: `tsk_${index}`,
        dueDate: due && instant(due),
        status,
        assignees: [{ id: assignee }],
      })),
      invoices: random.dues.map((due, index) => ({ id: `inv_${index}`, dueDate: instant(due) })),
    },
  })
}

function instantOf({ days, form, minute }: Moment, now: Instant, timezone: string): Instant {
  const date = Temporal.Instant.fromEpochMilliseconds(now)
    .toZonedDateTimeISO('UTC')
    .toPlainDate()
    .add({ days })
  const midnight = date.toZonedDateTime(form.startsWith('local') ? timezone : 'UTC')
  if (form === 'time') return midnight.add({ minutes: minute }).epochMilliseconds
  if (!form.endsWith('End')) return midnight.epochMilliseconds
  const nextMidnight = date.add({ days: 1 }).toZonedDateTime(midnight.timeZoneId)
  return nextMidnight.epochMilliseconds - (minute % 2 === 0 ? 60_000 : 1)
}
