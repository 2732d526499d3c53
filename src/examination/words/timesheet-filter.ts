import type { Finding } from '../../domain/examination.ts'
import type { TimesheetFilterState, TimesheetFilterVerdict } from '../verdicts/timesheet-filter.ts'

const seenBy: Readonly<Record<TimesheetFilterState, string>> = {
  honoured: 'a known user brings only their own.',
  ignored: 'a known user brings those of others as well.',
  lossy: 'a known user does not bring their own.',
  unanswered: 'the Read API failed while it was asked.',
  unnamed: 'no parameter name is set, so all are asked for each time.',
  untried: 'there are no recent timesheets to try it with.',
}

/** Of the others it depends on whether anything is lost. */
const meansBy: Readonly<Partial<Record<TimesheetFilterState, string>>> = {
  ignored:
    "Calendars are whole, but every refresh reads everybody's timesheets and sorts them out here.",
  unanswered: 'Nothing is known: examine again.',
  unnamed: 'Calendars are whole, but every refresh reads more than it needs.',
}

/** Says whether timesheets are filtered by employee; `name` is the one that is set, `set` the setting that mends it. */
export function sayTimesheetFilter(
  verdict: TimesheetFilterVerdict,
  name: string | null,
  set: string,
): Finding {
  const { ok, state, areBoundsHeld, better } = verdict
  const lost = areBoundsHeld ? '' : ' Between two dates, some that lie there are missing.'
  return {
    check: 'timesheets-employee',
    ok,
    seen: `Timesheets by employee (${name ?? 'unnamed'}): ${seenBy[state]}${lost}`,
    means: meansOf(verdict),
    set: Object.keys(better).length === 0 ? null : set,
  }
}

function meansOf({ ok, state }: TimesheetFilterVerdict): string {
  return meansBy[state] ?? (ok ? 'Only what is needed is read.' : 'Calendars lack timesheets.')
}
