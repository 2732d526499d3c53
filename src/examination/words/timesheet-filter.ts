import { type Finding, type FindingLevel, findingOf } from '../../domain/examination.ts'
import type { TimesheetFilterState, TimesheetFilterVerdict } from '../verdicts/timesheet-filter.ts'

const seenBy: Readonly<Record<TimesheetFilterState, string>> = {
  honoured: 'a known user brings only their own.',
  ignored: 'a known user brings those of others as well.',
  lossy: 'a known user does not bring their own.',
  unanswered: 'the Read API failed while it was asked.',
  unnamed: 'no parameter name is set, so all are asked for each time.',
  untried: 'no recent timesheets came to try it with.',
}

/** Of the others it depends on whether anything is lost. */
const meansBy: Readonly<Partial<Record<TimesheetFilterState, string>>> = {
  ignored:
    "Calendars are whole, but every refresh reads everybody's timesheets and sorts them out here.",
  unanswered: 'Nothing is known. Examine again.',
  untried: 'Nothing is known of it yet. Examine again once there are some.',
  unnamed: 'Calendars are whole, but every refresh reads more than it needs.',
}

/** Says whether timesheets are filtered by employee; `name` is the one that is set, `set` the setting that mends it. */
export function sayTimesheetFilter(
  verdict: TimesheetFilterVerdict,
  name: string | null,
  set: string,
): Finding {
  const { areBoundsHeld, better, state } = verdict
  const lost = areBoundsHeld ? '' : ' Between two dates, some that lie there are missing.'
  return findingOf({
    check: 'timesheets-employee',
    level: levelOf(verdict),
    seen: `Timesheets by employee (${name ?? 'unnamed'}): ${seenBy[state]}${lost}`,
    means: meansOf(verdict),
    set: Object.keys(better).length === 0 ? null : set,
  })
}

function levelOf({ ok, state }: TimesheetFilterVerdict): FindingLevel {
  if (!ok) return 'wrong'
  return state === 'honoured' ? 'ok' : 'note'
}

function meansOf({ ok, state }: TimesheetFilterVerdict): string {
  if (!ok && state !== 'unanswered') return 'Calendars lack timesheets.'
  return meansBy[state] ?? 'Only what is needed is read.'
}
