/** The settings that a finding may change, by their keys in `COMPANIES_FILE`. */
type AdvisedSetting =
  | 'baseUrl'
  | 'timezone'
  | 'auth'
  | 'params'
  | 'pagination'
  | 'dates'
  | 'endDates'
  | 'projects'
  | 'schedules'

type SettingValue = string | readonly string[] | object

/** Writes a setting as it has to stand. */
export type Advise = (key: AdvisedSetting, value: SettingValue) => string

/** What settings are called in the environment, by key; null where they stand in `COMPANIES_FILE`. */
export type SettingNames = ReadonlyMap<string, string> | null

/** How settings are written where they stand: `WORKFORCE_DATES=local`, or `"dates": "local"`. */
export function adviseFor(names: SettingNames): Advise {
  if (!names) return (key, value) => `"${key}": ${JSON.stringify(value)}`
  return (key, value) => `${names.get(key) ?? key}=${environmentText(value)}`
}

function environmentText(value: SettingValue): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.join(',') : JSON.stringify(value)
}
