import type { Company } from '../../domain/company.ts'
import { defaultSchedules, isKnownType, readHours, type Schedule } from '../../domain/schedule.ts'
import type { ListFacts } from './list-facts.ts'
import { judgeNamed, type NamedInVain } from './named.ts'
import { succeeded } from './outcomes.ts'

export type SchedulesVerdict = SchedulesFound | NamedInVain

export interface SchedulesFound {
  readonly ok: true
  /** Those that new calendars show and that never give a shift: their type is unknown, or none of their days can be read. */
  readonly barren: readonly Schedule[]
  /** How many are active. */
  readonly active: number
  /** Ids that settings name. */
  readonly named: readonly string[]
  /** Active ones that no setting names. */
  readonly unnamed: readonly Schedule[]
  /** Those of them that are of type ROTATING. */
  readonly rotating: readonly Schedule[]
}

/** Whether the schedules that settings name are there; undefined where schedules cannot be read, which is a finding of its own. */
export function judgeSchedules(
  { schedules }: ListFacts,
  company: Pick<Company, 'schedules'>,
): SchedulesVerdict | undefined {
  if (!succeeded(schedules)) return undefined
  const active = schedules.records.filter(({ isActive }) => isActive !== false)
  const { schedules: named } = company
  const missing = judgeNamed(named, (id) => active.some((schedule) => schedule.id === id))
  if (missing) return missing
  const shown = defaultSchedules(company, active)
  const ofNames = active.filter(({ id }) => shown.includes(id))
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
  return !isKnownType(type) || !Object.values(pattern ?? {}).some((hours) => readHours(hours))
}
