import type { Finding } from '../../domain/examination.ts'
import type { ListKind } from '../../domain/read-api.ts'
import type { ListVerdict } from '../verdicts/lists.ts'
import { counted } from './counted.ts'

const nouns: Readonly<Record<ListKind, string>> = {
  timesheets: 'timesheet',
  leaves: 'leave',
  schedules: 'schedule',
  tasks: 'task',
}

/** Says whether a list can be read. */
export function sayList(verdict: ListVerdict): Finding {
  const { list } = verdict
  const check = `list-${list}`
  if (!verdict.ok) {
    const means = `Calendars that show ${list} are not served, or only as last read.`
    return { check, ok: false, seen: verdict.fault.message, means, set: null }
  }
  const { records, projects } = verdict
  const of = projects === undefined ? '' : ` of ${counted(projects, 'project')}`
  const seen = `List ${list} answers with ${counted(records, nouns[list])}${of}.`
  return { check, ok: true, seen, means: 'It can be read.', set: null }
}
