import { readHours, type Schedule, scheduleTypes } from '../../domain/schedule.ts'
import type { ListFacts } from './list-facts.ts'
import { judgeNamed, type NamedInVain } from './named.ts'
import { succeeded } from './outcomes.ts'

export type SchedulesVerdict = SchedulesFound | NamedInVain

export interface SchedulesFound {
  readonly ok: true
  /** Those named that never give a shift: their type is unknown, or none of their days can be read. */
  readonly barren: readonly Schedule[]
  /** How many are active. */
  readonly active: number
  /** Ids that settings name. */
  readonly named: readonly string[]
  /** Active ones that no setting names. */
  readonly unnamed: readonly Schedule[]
  /** Those named of type ROTATING. */
  readonly rotating: readonly Schedule[]
}

/** Whether the schedules that settings name are there; undefined where schedules cannot be read, which is a finding of its own. */
export function judgeSchedules(
  { schedules }: ListFacts,
  named: readonly string[],
): SchedulesVerdict | undefined {
  if (!succeeded(schedules)) return undefined
  const active = schedules.records.filter(({ isActive }) => isActive !== false)
  const missing = judgeNamed(named, (id) => active.some((schedule) => schedule.id === id))
  if (missing) return missing
  const ofNames = active.filter(({ id }) => named.includes(id))
  return {
    ok: true,
    barren: ofNames.filter(isBarren),
    active: active.length,
    named,
    unnamed: active.filter(({ id }) => !named.includes(id)),
    rotating: ofNames.filter(({ type }) => type === 'ROTATING'),
  }
}

/** As calendars read it: one without a type is FIXED. */
function isBarren({ type, pattern }: Schedule): boolean {
  const isKnown = scheduleTypes.some((known) => known === (type ?? 'FIXED'))
  return !isKnown || !Object.values(pattern ?? {}).some((hours) => readHours(hours))
}
