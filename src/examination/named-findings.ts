import { AppError } from '../domain/errors.ts'
import type { Finding } from '../domain/examination.ts'
import type { Schedule } from '../domain/schedule.ts'
import { counted, type Examining, listed } from './examining.ts'
import { isMissing } from './list-findings.ts'
import type { Readings } from './readings.ts'

/** Those of the spec: any other is text of somebody else's, not fit to be printed. */
const types: ReadonlySet<string> = new Set(['FIXED', 'FLEXIBLE', 'ROTATING'])

/** Whether the schedules and projects that settings name exist, and which schedules none names. */
export function namedFindings(examining: Examining, readings: Readings): readonly Finding[] {
  const schedules = schedulesFinding(examining, readings)
  return [...(schedules ? [schedules] : []), projectsFinding(examining, readings)]
}

/** undefined where schedules could not be read, which is a finding of its own. */
function schedulesFinding(examining: Examining, { schedules }: Readings): Finding | undefined {
  if (schedules instanceof AppError) return undefined
  const check = 'schedules'
  const active = schedules.records.filter(({ isActive }) => isActive !== false)
  const named = examining.connection.company.schedules
  const gone = named.filter((id) => !active.some((schedule) => schedule.id === id))
  if (gone.length > 0) {
    const kept = named.filter((id) => !gone.includes(id))
    return {
      check,
      ok: false,
      seen: `Settings name ${listed(gone)}, which the active schedules do not hold.`,
      means: 'Calendars show no shifts for them.',
      set: examining.advise('schedules', kept),
    }
  }
  return { check, ok: true, ...describeSchedules(active, named), set: null }
}

function describeSchedules(
  active: readonly Schedule[],
  named: readonly string[],
): Pick<Finding, 'seen' | 'means'> {
  const unnamed = active.filter(({ id }) => !named.includes(id)).map(nameOf)
  const rotating = active.filter(({ id, type }) => named.includes(id) && type === 'ROTATING')
  const rest = unnamed.length > 0 ? `; no setting names ${listed(unnamed)}` : ''
  const seen = `There are ${counted(active.length, 'active schedule')}${rest}.`
  if (rotating.length > 0) {
    const means = `${listed(rotating.map(nameOf))} is of type ROTATING and gives no shifts until a calendar says from when it rotates (options.shifts.rotation).`
    return { seen, means }
  }
  if (named.length > 0) return { seen, means: `New calendars show ${listed(named)}.` }
  return { seen, means: meansOfNone(active.length) }
}

function nameOf({ id, type }: Schedule): string {
  return types.has(type ?? '') ? `${id} (${type})` : id
}

function meansOfNone(active: number): string {
  return active === 1
    ? 'New calendars show it.'
    : 'New calendars show the shifts of those schedules that are named when they are made.'
}

function projectsFinding(examining: Examining, { tasks }: Readings): Finding {
  const check = 'projects'
  const named = examining.connection.company.projects
  const gone = named.filter((id) => isMissing(tasks.get(id)))
  if (gone.length > 0) {
    return {
      check,
      ok: false,
      seen: `Settings name ${listed(gone)}, which the Read API does not know.`,
      means: 'Calendars show no tasks of them.',
      set: examining.advise(
        'projects',
        named.filter((id) => !gone.includes(id)),
      ),
    }
  }
  if (named.length > 0) {
    const seen = `Settings name ${listed(named)}, and each is there.`
    const means = 'Calendars show their tasks; others cannot be found, only named.'
    return { check, ok: true, seen, means, set: null }
  }
  const seen = 'No setting names a project.'
  const means =
    'Calendars show tasks only where they name projects themselves; the Read API lists none to choose from.'
  return { check, ok: true, seen, means, set: null }
}
