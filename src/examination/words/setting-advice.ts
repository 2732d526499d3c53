/** Where a company's settings stand: in the environment, or as a member of `COMPANIES_FILE`. */
export type SettingsIn = 'environment' | 'file'

/** A setting by its key in `COMPANIES_FILE`. */
export type SettingKey = keyof typeof environmentKeys

export type SettingValue = string | readonly string[] | object

/** Writes a setting as it has to stand. */
export type Advise = (key: SettingKey, value: SettingValue) => string

const environmentKeys = {
  baseUrl: 'WORKFORCE_BASE_URL',
  timezone: 'WORKFORCE_TIMEZONE',
  auth: 'WORKFORCE_AUTH',
  params: 'WORKFORCE_PARAMS',
  pagination: 'WORKFORCE_PAGINATION',
  dates: 'WORKFORCE_DATES',
  endDates: 'WORKFORCE_END_DATES',
  projects: 'WORKFORCE_PROJECTS',
  schedules: 'WORKFORCE_SCHEDULES',
} as const

/** How settings are written there: `WORKFORCE_DATES=local`, or `"dates": "local"`. */
export function adviseFor(settingsIn: SettingsIn): Advise {
  if (settingsIn === 'file') return (key, value) => `"${key}": ${JSON.stringify(value)}`
  return (key, value) => `${environmentKeys[key]}=${environmentText(value)}`
}

function environmentText(value: SettingValue): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.join(',') : JSON.stringify(value)
}
