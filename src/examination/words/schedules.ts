import type { Finding } from '../../domain/examination.ts'
import { type Schedule, scheduleTypes } from '../../domain/schedule.ts'
import type { SchedulesFound, SchedulesVerdict } from '../verdicts/schedules.ts'
import { counted, listed } from './counted.ts'
import type { Advise } from './setting-advice.ts'

const check = 'schedules'
/** Any other type is text of somebody else's, not fit to be printed. */
const knownTypes: ReadonlySet<string> = new Set(scheduleTypes)

/** Says whether the schedules that settings name are there, and which ones none names. */
export function saySchedules(verdict: SchedulesVerdict, advise: Advise): Finding {
  if (verdict.ok) {
    return { check, ok: true, seen: seenOf(verdict), means: meansOf(verdict), set: null }
  }
  const seen = `Settings name ${listed(verdict.gone)}, which the active schedules do not hold.`
  const means = 'Calendars show no shifts for them.'
  return { check, ok: false, seen, means, set: advise('schedules', verdict.kept) }
}

function seenOf({ active, unnamed }: SchedulesFound): string {
  const rest = unnamed.length > 0 ? `; no setting names ${listed(unnamed.map(nameOf))}` : ''
  return `There are ${counted(active, 'active schedule')}${rest}.`
}

function meansOf({ active, named, rotating }: SchedulesFound): string {
  if (rotating.length > 0) {
    return `${listed(rotating.map(nameOf))} is of type ROTATING and gives no shifts until a calendar says from when it rotates (options.shifts.rotation).`
  }
  if (named.length > 0) return `New calendars show ${listed(named)}.`
  return active === 1
    ? 'New calendars show it.'
    : 'New calendars show the shifts of those schedules that are named when they are made.'
}

function nameOf({ id, type }: Schedule): string {
  return knownTypes.has(type ?? '') ? `${id} (${type})` : id
}
