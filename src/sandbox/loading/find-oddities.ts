import type { z } from 'zod'

import { leaveStatuses } from '../../domain/leave.ts'
import { readHours, scheduleTypes } from '../../domain/schedule.ts'
import { timesheetStatuses } from '../../domain/timesheet.ts'
import type { codecs } from './file-records.ts'
import type { Oddities } from './oddities.ts'

type Records = { readonly [K in keyof typeof codecs]: z.output<(typeof codecs)[K]> }
type Path = readonly PropertyKey[]

const weekdays = new Set([
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
])
/** So much is said of a word. */
const shownMax = 100

/** What is odd about a leave. */
export function lookAtLeave(leave: Records['leaves'], path: Path, oddities: Oddities): void {
  const { status, startDate, endDate } = leave
  const unknown = unlisted(status, leaveStatuses)
  if (unknown !== undefined) oddities.add([...path, 'status'], 'leave', unknown)
  if (endDate < startDate) {
    oddities.add([...path, 'endDate'], 'leave', 'it ends before its startDate')
  }
}

/** What is odd about a timesheet. */
export function lookAtTimesheet(
  timesheet: Records['timesheets'],
  path: Path,
  oddities: Oddities,
): void {
  const { status, periodStart, periodEnd } = timesheet
  const unknown = unlisted(status, timesheetStatuses)
  if (unknown !== undefined) oddities.add([...path, 'status'], 'timesheet', unknown)
  if (periodEnd < periodStart) {
    oddities.add([...path, 'periodEnd'], 'timesheet', 'it ends before its periodStart')
  }
}

/** What is odd about a schedule: its type, and the days of its pattern that nothing can read. */
export function lookAtSchedule(
  { type, pattern }: Records['schedules'],
  path: Path,
  oddities: Oddities,
): void {
  const unknown = unlisted(type ?? scheduleTypes[0], scheduleTypes)
  if (unknown !== undefined) oddities.add([...path, 'type'], 'schedule', unknown)
  for (const [day, hours] of Object.entries(pattern ?? {})) {
    const at = [...path, 'pattern', day]
    if (!weekdays.has(day.toLowerCase())) oddities.add(at, 'day', 'no weekday has this name')
    else if (!readHours(hours)) oddities.add(at, 'day', 'it has no start and end as HH:MM')
  }
}

function unlisted(value: string, known: readonly string[]): string | undefined {
  if (known.includes(value)) return undefined
  const shown = value.length > shownMax ? `${value.slice(0, shownMax)}…` : value
  return `${JSON.stringify(shown)} is none of ${known.join(', ')}`
}
