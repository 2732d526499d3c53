import { defaultParameters, type ParameterNames } from '../../domain/connection.ts'
import type { LeaveFilterVerdict } from './leave-filter.ts'
import type { TimesheetFilterVerdict } from './timesheet-filter.ts'

interface FilterVerdicts {
  readonly leaves: LeaveFilterVerdict
  readonly timesheets: TimesheetFilterVerdict
}

/** The parameter names that would do better than those that are set, as the setting has them: both filters are named in one. */
export function betterParameters(
  set: ParameterNames,
  { leaves, timesheets }: FilterVerdicts,
): object {
  return withoutDefaults({
    ...set,
    leaves: { ...set.leaves, employee: leaves.betterName ?? set.leaves.employee },
    timesheets: { ...set.timesheets, ...timesheets.better },
  })
}

/** The setting is merged over the defaults, so only what differs has to stand in it. */
function withoutDefaults(parameters: ParameterNames): object {
  const resources = Object.entries(parameters).map(([resource, names]) => {
    const defaults = new Map(Object.entries(defaultsOf(resource)))
    const own = Object.entries(names).filter(([key, name]) => defaults.get(key) !== name)
    return [resource, Object.fromEntries(own)] as const
  })
  return Object.fromEntries(resources.filter(([, names]) => Object.keys(names).length > 0))
}

function defaultsOf(resource: string): object {
  return Object.entries(defaultParameters).find(([key]) => key === resource)?.[1] ?? {}
}
