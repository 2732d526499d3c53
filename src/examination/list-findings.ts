import { AppError } from '../domain/errors.ts'
import type { Finding } from '../domain/examination.ts'
import { counted, succeeded } from './examining.ts'
import type { Reading, Readings } from './readings.ts'

/** Whether each list operation answers `{data: […]}`: it does if any way of asking brings that. */
export function listFindings(readings: Readings): readonly Finding[] {
  const { timesheets, leaves, schedules, tasks, timesheetsOf, leavesOf } = readings
  const found = [...tasks.values()].filter((reading) => !isMissing(reading))
  return [
    listFinding('timesheets', 'timesheet', [timesheets, ...timesheetsOf.values()]),
    listFinding('leaves', 'leave', [leaves, ...leavesOf.values()]),
    listFinding('schedules', 'schedule', [schedules]),
    ...(found.length > 0 ? [tasksFinding(found)] : []),
  ]
}

/** Whether there is no such thing, as opposed to one that cannot be read. */
export function isMissing(reading: Reading<unknown> | undefined): boolean {
  return reading instanceof AppError && reading.code === 'upstream_not_found'
}

function listFinding(list: string, noun: string, readings: readonly Reading<unknown>[]): Finding {
  const good = readings.filter(succeeded)
  const fault = readings.find((reading) => reading instanceof AppError)
  if (good.length === 0 && fault) return unread(list, fault)
  const most = Math.max(...good.map(({ records }) => records.length))
  return read(list, `List ${list} answers with ${counted(most, noun)}.`)
}

/** Every project counts by itself. */
function tasksFinding(readings: readonly Reading<unknown>[]): Finding {
  const fault = readings.find((reading) => reading instanceof AppError)
  if (fault) return unread('tasks', fault)
  const good = readings.filter(succeeded)
  const sum = good.reduce((count, { records }) => count + records.length, 0)
  const projects = counted(readings.length, 'project')
  return read('tasks', `List tasks answers with ${counted(sum, 'task')} of ${projects}.`)
}

function read(list: string, seen: string): Finding {
  return { check: `list-${list}`, ok: true, seen, means: 'It can be read.', set: null }
}

function unread(list: string, { message }: AppError): Finding {
  const means = `Calendars that show ${list} are not served, or only as last read.`
  return { check: `list-${list}`, ok: false, seen: message, means, set: null }
}
