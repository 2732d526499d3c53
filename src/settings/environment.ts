import { parseEnv } from 'node:util'

import type { z } from 'zod'

import { AppError } from '../domain/errors.ts'
import { likelyMeant, meantOrAll } from '../domain/nearest.ts'
import { fromJson } from './fields.ts'
import {
  bridgeTable,
  companyTable,
  environmentNames,
  rowsOf,
  type SettingsTable,
} from './tables.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The text of a file; may throw anything. */
export type ReadFile = (file: string) => string

/** What `.env` in the working directory sets; `invalid` if it exists and cannot be read. */
export function readEnvironmentFile(readFile: ReadFile): Environment {
  try {
    return parseEnv(readFile('.env').replace(/^\uFEFF/, ''))
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'damaged'
    if (code === 'ENOENT') return {}
    throw new AppError('invalid', `.env cannot be read by this account (${code}).`, { cause })
  }
}

/** What is set in vain, because `COMPANIES_FILE` replaces it. */
export function replacedSettings(environment: Environment): readonly string[] {
  if (!environment['COMPANIES_FILE']) return []
  return Object.keys(environment).filter(
    (name) => name.startsWith('WORKFORCE_') && environment[name] !== '',
  )
}

/** Without what is empty or replaced. */
export function effectiveEnvironment(environment: Environment): Environment {
  const replaced = replacedSettings(environment)
  return Object.fromEntries(
    Object.entries(environment).filter(([name, text]) => text !== '' && !replaced.includes(name)),
  )
}

/** The settings of a table, over `unset`; undefined if one is wrong, which is added to `sentences`. */
export function readTable<Value>(
  table: z.ZodType<Value> & SettingsTable,
  environment: Environment,
  sentences: string[],
  unset: object = {},
): Value | undefined {
  const given: Record<string, unknown> = { ...unset }
  for (const { key, environmentName, preset } of rowsOf(table)) {
    const text = environmentName === null ? undefined : environment[environmentName]
    if (text === undefined) continue
    const value = fromText(text, preset)
    if (value === undefined) sentences.push(`${environmentName} must be JSON.`)
    else given[key] = value
  }
  const names = environmentNames(table)
  return checked(table, given, sentences, ([key = '', ...within]) =>
    [names.get(String(key)) ?? key, ...within].join('.'),
  )
}

/** A list has commas, an object is JSON; the default tells which of them it is. */
function fromText(text: string, preset: unknown): unknown {
  if (typeof preset !== 'object' || preset === null) return text
  if (!Array.isArray(preset)) return fromJson(text)
  const ids = text.split(',').map((id) => id.trim())
  return ids.filter((id) => id !== '')
}

/** The value as the schema reads it; undefined if it is wrong, with a sentence for each fault. No sentence repeats a value. */
export function checked<Value>(
  schema: z.ZodType<Value>,
  given: unknown,
  sentences: string[],
  place: (path: readonly PropertyKey[]) => string,
): Value | undefined {
  const { data, error } = schema.safeParse(given)
  for (const issue of error?.issues ?? []) {
    const path = issue.code === 'invalid_key' ? issue.path.slice(0, -1) : issue.path
    for (const rule of rulesOf(issue)) {
      sentences.push(`${place(path)} ${rule}${/[.?]$/.test(rule) ? '' : '.'}`)
    }
  }
  return data
}

function rulesOf({ code, message, ...issue }: z.core.$ZodIssue): readonly string[] {
  if (code === 'invalid_key') return ['must not hold an empty key']
  if (code !== 'invalid_type') return message.split('\n')
  if (message.endsWith('received undefined')) return ['must be set']
  const expected = 'expected' in issue ? String(issue.expected) : ''
  return [`must be of type ${expected === 'record' ? 'object' : expected}`]
}

const allRows = [...rowsOf(bridgeTable), ...rowsOf(companyTable)]

/** `ADMIN_TOKEN_FILE` to `ADMIN_TOKEN`, for every secret. */
export const fileTwins: ReadonlyMap<string, string> = new Map(
  allRows.flatMap(({ isSecret, environmentName: name }) =>
    isSecret && name !== null ? [[`${name}_FILE`, name] as const] : [],
  ),
)

export const secretFileRule = 'must name a readable file that holds the secret and nothing else'

/** The environment with the secrets of the files that it names. */
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
    else if (secret === undefined) sentences.push(`${twin} ${secretFileRule}.`)
    else found[name] = secret
  }
  return { ...environment, ...found }
}

/** Without the end of its line; undefined if there is none. */
export function secretIn(file: string, readFile: ReadFile): string | undefined {
  try {
    return readFile(file).replace(/[\r\n]+$/, '') || undefined
  } catch {
    return undefined
  }
}

/** Names with these prefixes are meant for this program. */
const ownPrefix = /^(?:WORKFORCE|FEED|OIDC|SMTP)_/
/** Names that look like ours, of PostgreSQL's client, Node, npm and curl. */
const foreignName = /^(?:PG|NODE_|NPM_CONFIG_|ALL_PROXY$)/i
/** What Kubernetes and Docker set if a service is called `smtp` or `workforce`. */
const serviceName = /_SERVICE_HOST$|_SERVICE_PORT(?:_|$)|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_|$)/

/**
 * A sentence for each setting that does not exist, with the one that was probably meant. In `.env`, the program's own file, a
 * name that merely resembles a setting is misspelt, too.
 */
export function unknownSettings(
  environment: Environment,
  inFile: readonly string[],
): readonly string[] {
  const known = [...allRows.flatMap((row) => row.environmentName ?? []), ...fileTwins.keys()]
  const isMisspelt = (name: string): boolean =>
    inFile.includes(name) && !foreignName.test(name) && likelyMeant(name, known) !== undefined
  return Object.entries(environment)
    .filter(([name, value]) => value !== '' && !known.includes(name))
    .filter(([name]) => ownPrefix.test(name) || isMisspelt(name))
    .filter(([name, value = '']) => !serviceName.test(name) && !/^(?:tcp|udp|sctp):/.test(value))
    .map(([name]) => {
      const alike = known.filter((other) => other.startsWith(ownPrefix.exec(name)?.[0] ?? ''))
      return `${name} is not a setting${meantOrAll(name, alike)}`
    })
}
