import type { Finding } from '../../domain/examination.ts'
/* Finds parameter names that work better than the configured ones. */
import { defaultParameters, type ParameterNames } from '../../domain/read-api.ts'

/** What was found about a filter, and better parameter names, if the current ones do not work. */
export interface CheckedFilter {
  readonly finding: Finding
  readonly better: Readonly<Record<string, string | null>>
}

/** Common query parameter names for the employee, most likely first. */
const employeeNames = [
  'userId',
  'employeeId',
  'employee',
  'user',
  'user_id',
  'employee_id',
  'userID',
  'employeeID',
  'assigneeId',
  'uid',
  'memberId',
  'personId',
  'staffId',
  'workerId',
  'ownerId',
  'requesterId',
  'filter[userId]',
  'filter[employeeId]',
  'filter[employee]',
  'filter[user]',
] as const

/** Returns the first other employee name that works as a filter; null if there is none. */
export async function findEmployeeName(
  set: string | null,
  isHonoured: (name: string) => Promise<boolean>,
): Promise<string | null> {
  for (const name of employeeNames) {
    if (name !== set && (await isHonoured(name))) return name
  }
  return null
}

/** Returns the setting with the better names. Names equal to the defaults are left out, since the setting is merged over them. */
export function betterParameters(
  set: ParameterNames,
  better: { readonly [List in keyof ParameterNames]?: object },
): object {
  const resources = Object.entries(set).map(([resource, names]) => {
    const defaults = new Map(Object.entries(Reflect.get(defaultParameters, resource)))
    const right = { ...names, ...Reflect.get(better, resource) }
    const own = Object.entries(right).filter(([key, name]) => defaults.get(key) !== name)
    return [resource, Object.fromEntries(own)] as const
  })
  return Object.fromEntries(resources.filter(([, names]) => Object.keys(names).length > 0))
}
