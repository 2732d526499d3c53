import { type Finding, findingOf } from '../../domain/examination.ts'
import type { RecordFault } from '../../domain/read-api.ts'
import type { Oddity, RecordsVerdict } from '../verdicts/records.ts'
import { counted, listed } from './counted.ts'

const check = 'records'

const nouns: Readonly<Record<Oddity['kind'], string>> = {
  leave: 'leave',
  shift: 'schedule',
  timesheet: 'timesheet',
  timesheetdue: 'timesheet',
  task: 'task',
  invoice: 'invoice',
  notice: 'notice',
}

const oddityWords: Readonly<Record<Oddity['reason'], string>> = {
  unknown_status: 'of a status that the spec does not list',
  unknown_type: 'of a type that the spec does not list',
  end_before_start: 'with an end before its start',
  no_length: 'without any length',
  not_begun: 'without an end that has not begun',
  out_of_range: 'in a year that no calendar can hold',
  unknown_timezone: 'with a time zone that does not exist',
  malformed_day: 'with a day that is no weekday or has no readable hours',
  missing_schedule: 'named by a calendar and gone',
  inactive_schedule: 'named by a calendar and not active',
  needs_rotation: 'of type ROTATING in a calendar that does not say from when it rotates',
  unreadable: 'that cannot be read',
  held: 'that can no longer be read, shown as it was before',
}

/** Says which records do not fit the spec, counted by field, and which calendars leave out. */
export function sayRecords(verdict: RecordsVerdict): Finding {
  const { level, faults, oddities } = verdict
  if (level === 'ok') {
    const seen = 'Every record that came fits the spec.'
    return findingOf({
      check,
      level,
      seen,
      means: 'None of them is left out of calendars.',
      set: null,
    })
  }
  const misfits = [...faults.map(faultWords), ...oddities.map(oddityOf)]
  const seen = `Records that do not fit the spec, or that calendars cannot show: ${listed(misfits)}.`
  return findingOf({ check, level, seen, means: meansOf(verdict), set: null })
}

function meansOf({ level, faults, oddities, ofSettings }: RecordsVerdict): string {
  if (level === 'note') return 'They are of schedules that new calendars do not show.'
  const leftOut = 'What does not fit is left out of calendars; all else is shown.'
  const count = [...faults, ...oddities].reduce((sum, it) => sum + it.count, 0)
  const all = ofSettings === count ? 'They' : `${ofSettings} of them`
  const settings = `${all} would be shown with days and ends read otherwise: see the findings dates and end-dates.`
  if (ofSettings === count) return `${leftOut} ${settings}`
  const mend = 'Have it mended in the workforce system.'
  return ofSettings === 0
    ? `${leftOut} ${mend}`
    : `${leftOut} ${settings} Have the others mended in the workforce system.`
}

function faultWords({ resource, field, count, example, expected }: RecordFault): string {
  return `${count} of ${resource} at ${field} (${expected}, the first at ${example})`
}

function oddityOf({ kind, reason, count }: Oddity): string {
  return `${counted(count, nouns[kind])} ${oddityWords[reason]}`
}
