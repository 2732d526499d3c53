import type { z } from 'zod'

import type { Faults } from './faults.ts'
import { defaultOf, rowsOf, type SettingsTable } from './setting.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** What is empty is not set, and a file of companies replaces the settings of one. */
export function effectiveEnvironment(environment: Environment): Environment {
  const replaced = new Set(replacedSettings(environment))
  return Object.fromEntries(
    Object.entries(environment).filter(([name, text]) => text !== '' && !replaced.has(name)),
  )
}

/** The names that are set and mean nothing, since a file of companies is named. */
export function replacedSettings(environment: Environment): readonly string[] {
  if (!environment['COMPANIES_FILE']) return []
  return Object.keys(environment).filter(
    (name) => name.startsWith('WORKFORCE_') && environment[name] !== '',
  )
}

/** The settings of a table as the environment has them, over `unset`; undefined where one is wrong, which is noted. */
export function readTable<Value>(
  table: z.ZodType<Value> & SettingsTable,
  environment: Environment,
  faults: Faults,
  unset: object = {},
): Value | undefined {
  const given = { ...unset, ...givenIn(environment, table, faults) }
  const names = new Map(
    rowsOf(table).map(({ key, environmentName }) => [key, environmentName ?? key]),
  )
  return faults.check(table, given, ([key = '', ...within]) =>
    [names.get(String(key)) ?? key, ...within].join('.'),
  )
}

/** By key, each as a file would hold it. */
function givenIn(
  environment: Environment,
  table: SettingsTable,
  { sentences }: Faults,
): Readonly<Record<string, unknown>> {
  const given: Record<string, unknown> = {}
  for (const { key, environmentName, schema } of rowsOf(table)) {
    const text = environmentName === null ? undefined : environment[environmentName]
    if (text === undefined) continue
    const value = fromText(text, defaultOf(schema))
    if (value === undefined) sentences.push(`${environmentName} must be JSON.`)
    else given[key] = value
  }
  return given
}

/** A list is written with commas and an object as JSON; which it is, the default tells. */
function fromText(text: string, preset: unknown): unknown {
  if (Array.isArray(preset)) return idsIn(text)
  return typeof preset === 'object' && preset !== null ? fromJson(text) : text
}

function idsIn(text: string): readonly string[] {
  return text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
}

/** undefined for what is no JSON. */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
