import { parseEnv } from 'node:util'

import type { z } from 'zod'

import { AppError } from '../domain/errors.ts'
import { likelyMeant } from '../domain/nearest.ts'
import type { Faults } from './faults.ts'
import { sayNearest } from './fields.ts'
import { defaultOf, rowsOf, type SettingsTable, bridgeTable, companyTable } from './tables.ts'

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
export function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a file that is there is not read for, by the system's code. */
const reasons = new Map([
  ['EACCES', 'that is not allowed'],
  ['EPERM', 'that is not allowed'],
  ['EISDIR', 'it is a folder'],
])

/** What `.env` of the working directory sets; nothing where there is none, `invalid` where there is one that cannot be read. */
export function readEnvironmentFile(readFile: ReadFile): Environment {
  try {
    return parseEnv(readFile('.env').replace(/^\uFEFF/, ''))
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'damaged'
    if (code === 'ENOENT') return {}
    const why = reasons.get(code) ?? `the system says ${code}`
    throw new AppError('invalid', `.env cannot be read by this account: ${why}.`, { cause })
  }
}

/** The text of a file; whatever it throws means that there is none to be read. */
export type ReadFile = (file: string) => string

/** By the name under which a file can be named that holds the secret: the name under which it can stand itself. */
export const fileTwins: ReadonlyMap<string, string> = new Map(
  [...rowsOf(bridgeTable), ...rowsOf(companyTable)].flatMap(({ isSecret, environmentName: name }) =>
    isSecret && name !== null ? [[`${name}_FILE`, name] as const] : [],
  ),
)

/** The environment with the secrets in it that it names files for; what is wrong with these goes to `sentences`. */
export function withSecretsOfFiles(
  environment: Environment,
  readFile: ReadFile,
  sentences: string[],
): Environment {
  const found: Record<string, string> = {}
  for (const [twin, name] of fileTwins) {
    const file = environment[twin]
    if (file === undefined) continue
    const secret = secretIn(file, readFile)
    if (environment[name] !== undefined) sentences.push(`${name} and ${twin} must not both be set.`)
    else if (secret === undefined) sentences.push(`${twin} ${fileRule}.`)
    else found[name] = secret
  }
  return { ...environment, ...found }
}

export const fileRule = 'must name a readable file that holds the secret and nothing else'

/** Without the end of its line; undefined where there is none. */
export function secretIn(file: string, readFile: ReadFile): string | undefined {
  try {
    return readFile(file).replace(/[\r\n]+$/, '') || undefined
  } catch {
    return undefined
  }
}

/** Who sets a name that begins so means this program. */
const ownPrefix = /^(?:WORKFORCE|FEED|OIDC|SMTP)_/

/**
 * Other programs have names that begin so, too (`MAIL_HOST`, `SESSION_MANAGER`): only what is all but ours is taken for ours.
 * Nobody's begin like the last three but those who have exchanged two letters.
 */
const sharedPrefix = /^(?:MAIL|SESSION|OICD|ODIC|STMP)_?/
const allButShare = 0.25

/** Whose names are like ours and mean something else: of PostgreSQL's client, Node, npm and curl. */
const othersNames = /^(?:PG|NODE_|NPM_CONFIG_|ALL_PROXY$)/i

/**
 * A sentence for each setting of the environment that does not exist, with the nearest that does. What `inFile` names stands in
 * the program's own file: there a name that is only like a setting's is one that is misspelt.
 */
export function unknownSettings(
  environment: Environment,
  inFile: readonly string[],
): readonly string[] {
  const known = [
    ...[...rowsOf(bridgeTable), ...rowsOf(companyTable)].flatMap(
      (row) => row.environmentName ?? [],
    ),
    ...fileTwins.keys(),
  ]
  const isMeant = (name: string): boolean =>
    ownPrefix.test(name) ||
    isSlip(name, known) ||
    (inFile.includes(name) && isMisspelt(name, known))
  return Object.entries(environment)
    .filter(([name, value]) => value !== '' && !known.includes(name) && isMeant(name))
    .filter(([name, value]) => !isServiceLink(name, value))
    .map(([name]) => sayUnknownSetting(name, known))
}

function isSlip(name: string, known: readonly string[]): boolean {
  return sharedPrefix.test(name) && likelyMeant(name, known, allButShare) !== undefined
}

function isMisspelt(name: string, known: readonly string[]): boolean {
  return !othersNames.test(name) && likelyMeant(name, known) !== undefined
}

function sayUnknownSetting(name: string, known: readonly string[]): string {
  const alike = known.filter((other) => other.startsWith(ownPrefix.exec(name)?.[0] ?? ''))
  const near = sayNearest(name, alike)
  return `${name} is no setting${near}${near.endsWith('?') ? '' : '.'}`
}

/** What Kubernetes and Docker set by themselves where a service is called `smtp` or `workforce`. */
function isServiceLink(name: string, value = ''): boolean {
  if (name.endsWith('_PORT')) return /^(?:tcp|udp|sctp):\/\//.test(value)
  return /_SERVICE_HOST$|_SERVICE_PORT(?:_|$)|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_|$)/.test(name)
}
