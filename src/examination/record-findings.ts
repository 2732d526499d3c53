import { AppError } from '../domain/errors.ts'
import type { Finding } from '../domain/examination.ts'
import type { RecordFault } from '../domain/read-api.ts'
import type { Instant } from '../domain/world.ts'
import { counted, listed } from './examining.ts'
import { allLeaves, allTimesheets, type Reading, type Readings } from './readings.ts'

const leaveStatuses: ReadonlySet<string> = new Set(['PENDING', 'APPROVED', 'REJECTED', 'CANCELLED'])

/** Records that do not fit the spec, counted by field. */
export function recordsFinding(readings: Readings): Finding {
  const check = 'records'
  const misfits = [...faultSentences(readings), ...meaningless(readings)]
  if (misfits.length === 0) {
    const seen = 'Every record that came fits the spec.'
    return { check, ok: true, seen, means: 'Nothing is left out.', set: null }
  }
  const seen = `Records that do not fit the spec: ${listed(misfits)}.`
  const means =
    'They are left out of calendars, the others are shown: have them mended in the workforce system.'
  return { check, ok: false, seen, means, set: null }
}

function faultSentences(readings: Readings): readonly string[] {
  const { leaves, timesheets, schedules, tasks, leavesOf, timesheetsOf } = readings
  const faults = [
    ...faultsIn(leaves, leavesOf),
    ...faultsIn(timesheets, timesheetsOf),
    ...faultsIn(schedules),
    ...[...tasks.values()].flatMap((reading) => faultsIn(reading)),
  ]
  return merged(faults).map(
    ({ resource, field, count, example, expected }) =>
      `${count} of ${resource} at ${field} (${expected}, the first at ${example})`,
  )
}

/** Of the whole list or, where that could not be read, of its parts. */
function faultsIn(
  whole: Reading<unknown>,
  parts: ReadonlyMap<string, Reading<unknown>> = new Map(),
): readonly RecordFault[] {
  if (!(whole instanceof AppError)) return whole.faults
  return [...parts.values()].flatMap((part) => (part instanceof AppError ? [] : part.faults))
}

/** One for each field of each resource, the counts added up. */
function merged(faults: readonly RecordFault[]): readonly RecordFault[] {
  const byField = new Map<string, RecordFault>()
  for (const fault of faults) {
    const key = `${fault.resource} ${fault.field}`
    const known = byField.get(key)
    byField.set(key, known ? { ...known, count: known.count + fault.count } : fault)
  }
  return [...byField.values()]
}

/** What fits field by field and still says nothing that a calendar can show. */
function meaningless(readings: Readings): readonly string[] {
  const leaves = allLeaves(readings)
  const periods = allTimesheets(readings)
  return [
    ...some(
      leaves.filter(({ status }) => !leaveStatuses.has(status)).length,
      'leave',
      'of a status that the spec does not list',
    ),
    ...some(
      leaves.filter(({ startDate, endDate }) => isBackward(startDate, endDate)).length,
      'leave',
      'that ends before it starts',
    ),
    ...some(
      periods.filter(({ periodStart, periodEnd }) => isBackward(periodStart, periodEnd)).length,
      'timesheet',
      'that ends before it starts',
    ),
  ]
}

function isBackward(start: Instant, end: Instant): boolean {
  return end < start
}

function some(count: number, noun: string, what: string): readonly string[] {
  return count === 0 ? [] : [`${counted(count, noun)} ${what}`]
}
