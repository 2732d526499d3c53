import { type Finding, type FindingLevel, findingOf } from '../../domain/examination.ts'
import { type Schedule, scheduleTypes } from '../../domain/schedule.ts'
import type { SchedulesFound, SchedulesVerdict } from '../verdicts/schedules.ts'
import { listed } from './counted.ts'
import type { Advise } from './setting-advice.ts'

const check = 'schedules'
/** Any other type is text of somebody else's, not fit to be printed. */
const knownTypes: ReadonlySet<string> = new Set(scheduleTypes)

/** Says whether the schedules that settings name are there, and which ones none names. */
export function saySchedules(verdict: SchedulesVerdict, advise: Advise): Finding {
  if (verdict.ok) {
    const [seen, means] = [seenOf(verdict), meansOf(verdict)]
    return findingOf({ check, level: levelOf(verdict), seen, means, set: null })
  }
  const seen = `Settings name ${listed(verdict.gone)}, which is not among the active schedules.`
  const means = 'Calendars show no shifts for them.'
  return findingOf({ check, level: 'wrong', seen, means, set: advise('schedules', verdict.kept) })
}

function levelOf({ active, named, rotating, barren }: SchedulesFound): FindingLevel {
  if (barren.length > 0) return 'wrong'
  return rotating.length > 0 || (named.length === 0 && active !== 1) ? 'note' : 'ok'
}

function seenOf({ active, unnamed }: SchedulesFound): string {
  const rest = unnamed.length > 0 ? `; no setting names ${listed(unnamed.map(nameOf))}` : ''
  return `Active schedules that came: ${active}${rest}.`
}

function meansOf({ active, named, rotating, barren }: SchedulesFound): string {
  if (barren.length > 0) {
    return `No shifts ever come of ${listed(barren.map(nameOf))}: the type is not one of the spec, or no day can be read. Have that mended, or name another schedule.`
  }
  if (rotating.length > 0) {
    return `Until a calendar says from when it rotates (options.shifts.rotation), no shifts come of ${listed(rotating.map(nameOf))}.`
  }
  if (named.length > 0) return `New calendars show ${listed(named)}.`
  return active === 1
    ? 'New calendars show it.'
    : 'New calendars show the shifts of those schedules that are named when they are made.'
}

function nameOf({ id, type }: Schedule): string {
  return knownTypes.has(type ?? '') ? `${id} (${type})` : id
}
