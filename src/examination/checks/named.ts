/* Checks of the schedules and projects that settings name. */
import { AppError } from '../../domain/errors.ts'
import { type Finding, findingOf } from '../../domain/examination.ts'
import {
  defaultSchedules,
  isKnownType,
  readHours,
  type Schedule,
  scheduleTypes,
} from '../../domain/schedule.ts'
import { type Inquiry, listed, succeeded } from '../inquiry.ts'
import { isMissing, type ListFacts } from './lists.ts'

/** Checks whether the configured projects exist. */
export function checkProjects(
  { connection: { company }, advise }: Inquiry,
  { tasks }: ListFacts,
): Finding {
  const check = 'projects'
  const { projects: named } = company
  const { gone = [], there = [] } = Object.groupBy(named, (id) =>
    isMissing(tasks.get(id)) ? 'gone' : 'there',
  )
  if (gone.length > 0) {
    const seen = `Settings name ${listed(gone)}, which the Read API does not know.`
    const means = 'Calendars show no tasks of them.'
    return findingOf({ check, level: 'wrong', seen, means, set: advise('projects', there) })
  }
  const unread = named.filter((id) => tasks.get(id) instanceof AppError)
  if (unread.length > 0) {
    const seen = `Whether ${listed(unread)} is there is not known: the tasks cannot be read.`
    return findingOf({ check, level: 'note', seen, means: 'What list-tasks says comes first.' })
  }
  if (named.length > 0) {
    const seen = `Settings name ${listed(named)}, and each is there.`
    const means =
      'Calendars show their tasks. The Read API lists no projects: others can only be named.'
    return findingOf({ check, level: 'ok', seen, means })
  }
  const means =
    'Calendars show tasks only where they name projects themselves. The Read API lists none to choose from.'
  return findingOf({ check, level: 'note', seen: 'No setting names a project.', means })
}

/**
 * Checks whether the configured schedules exist and give shifts, and which schedules no setting names. Returns nothing if
 * schedules cannot be read.
 */
export function checkSchedules(
  { connection: { company }, advise }: Inquiry,
  { schedules }: ListFacts,
): readonly Finding[] {
  if (!succeeded(schedules)) return []
  const check = 'schedules'
  const { schedules: named } = company
  const active = schedules.records.filter(({ isActive }) => isActive !== false)
  const ids = new Set(active.map(({ id }) => id))
  const gone = named.filter((id) => !ids.has(id))
  if (gone.length > 0) {
    const seen = `Settings name ${listed(gone)}, which is not among the active schedules.`
    const means = 'Calendars show no shifts for them.'
    const set = advise(
      'schedules',
      named.filter((id) => ids.has(id)),
    )
    return [findingOf({ check, level: 'wrong', seen, means, set })]
  }
  const unnamed = active.filter(({ id }) => !named.includes(id))
  const rest = unnamed.length > 0 ? `; no setting names ${listed(unnamed.map(scheduleName))}` : ''
  const seen = `Active schedules that came: ${active.length}${rest}.`
  const shown = defaultSchedules(company, active)
  const ofNew = active.filter(({ id }) => shown.includes(id))
  return [findingOf({ check, seen, ...judgeShown(ofNew, named, active.length) })]
}

/** Judges the schedules that new calendars show. */
function judgeShown(
  shown: readonly Schedule[],
  named: readonly string[],
  activeCount: number,
): Pick<Finding, 'level' | 'means'> {
  const barren = shown.filter(isBarren)
  if (barren.length > 0) {
    const means = `No shifts ever come of ${listed(barren.map(scheduleName))}: the type is not one of the spec, or no day can be read. Have that mended, or name another schedule.`
    return { level: 'wrong', means }
  }
  const rotating = shown.filter(({ type }) => type === 'ROTATING')
  if (rotating.length > 0) {
    const means = `Until a calendar says from when it rotates (options.shifts.rotation), no shifts come of ${listed(rotating.map(scheduleName))}.`
    return { level: 'note', means }
  }
  if (named.length > 0) return { level: 'ok', means: `New calendars show ${listed(named)}.` }
  if (activeCount === 1) return { level: 'ok', means: 'New calendars show it.' }
  const means =
    'New calendars show the shifts of those schedules that are named when they are made.'
  return { level: 'note', means }
}

/** As in calendars, a schedule without a type is FIXED. */
function isBarren({ type, pattern }: Schedule): boolean {
  return !isKnownType(type) || !Object.values(pattern ?? {}).some((hours) => readHours(hours))
}

/** Any other type is foreign text, not safe to print. */
const knownTypes: ReadonlySet<string> = new Set(scheduleTypes)

function scheduleName({ id, type }: Schedule): string {
  return knownTypes.has(type ?? '') ? `${id} (${type})` : id
}
