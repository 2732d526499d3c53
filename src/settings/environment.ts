import { parseEnv } from 'node:util'

import type { z } from 'zod'

import { AppError, codeOf } from '../domain/errors.ts'
import { likelyMeant, meantOrAll } from '../domain/nearest.ts'
import { jsonOf } from '../json/read-json.ts'
import {
  bridgeTable,
  companyTable,
  environmentNames,
  rowsOf,
  type SettingsTable,
} from './tables.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the content of a file; may throw anything. */
export type ReadFile = (file: string) => Uint8Array

/** Returns the text of a file without a byte order mark. */
export function readText(file: string, readFile: ReadFile): string {
  return new TextDecoder().decode(readFile(file))
}

/** Returns what `.env` in the working directory sets. Fails with `invalid` if it exists but cannot be read. */
export function readEnvironmentFile(readFile: ReadFile): Environment {
  try {
    return parseEnv(readText('.env', readFile))
  } catch (cause) {
    const code = codeOf(cause) || 'damaged'
    if (code === 'ENOENT') return {}
    throw new AppError('invalid', `.env cannot be read by this account (${code}).`, { cause })
  }
}

/** Returns the settings without effect, because `COMPANIES_FILE` replaces them. */
export function replacedSettings(environment: Environment): readonly string[] {
  if (!environment['COMPANIES_FILE']) return []
  return Object.keys(environment).filter(
    (name) => name.startsWith('WORKFORCE_') && environment[name] !== '',
  )
}

export function effectiveEnvironment(environment: Environment): Environment {
  const replaced = replacedSettings(environment)
  return Object.fromEntries(
    Object.entries(environment).filter(([name, text]) => text !== '' && !replaced.includes(name)),
  )
}

/** Returns the settings of a table, on top of `unset`; undefined if one is invalid, which adds to `sentences`. */
export function readTable<Value>(
  table: z.ZodType<Value> & SettingsTable,
  environment: Environment,
  sentences: string[],
  unset: object = {},
): Value | undefined {
  const given: Record<string, unknown> = { ...unset }
  for (const { key, environmentName, defaultValue } of rowsOf(table)) {
    const text = environmentName === null ? undefined : environment[environmentName]
    if (text === undefined) continue
    const value = fromText(text, defaultValue)
    if (value === undefined) sentences.push(`${environmentName} must be JSON.`)
    else given[key] = value
  }
  const names = environmentNames(table)
  return checked(table, given, sentences, ([key = '', ...within]) =>
    [names.get(String(key)) ?? key, ...within].join('.'),
  )
}

/** The default tells the format: a list is separated by commas, an object is JSON. */
function fromText(text: string, defaultValue: unknown): unknown {
  if (typeof defaultValue !== 'object' || defaultValue === null) return text
  if (!Array.isArray(defaultValue)) return jsonOf(text)
  const ids = text.split(',').map((id) => id.trim())
  return ids.filter((id) => id !== '')
}

/** Returns the parsed value; undefined if it is invalid, with a sentence for each fault. Sentences never quote a value. */
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

/** Maps `ADMIN_TOKEN_FILE` to `ADMIN_TOKEN`, and so on for every secret. */
export const fileTwins: ReadonlyMap<string, string> = new Map(
  allRows.flatMap(({ isSecret, environmentName: name }) =>
    isSecret && name !== null ? [[`${name}_FILE`, name] as const] : [],
  ),
)

export const secretFileRule = 'must name a readable file that holds the secret and nothing else'

/** Returns the environment, plus the secrets from the files that it names. */
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

/** Returns the secret without trailing line breaks; undefined if there is none or the file is unreadable. */
export function secretIn(file: string, readFile: ReadFile): string | undefined {
  try {
    return readText(file, readFile).replace(/[\r\n]+$/, '') || undefined
  } catch {
    return undefined
  }
}

/** Names with these prefixes are meant for this program. */
const ownPrefix = /^(?:WORKFORCE|FEED|OIDC|SMTP|BRAND)_/
/** Similar names of PostgreSQL's client, Node, npm, curl and terminals. */
const foreignName = /^(?:PG|NODE_|NPM_CONFIG_|ALL_PROXY$|(?:NO|FORCE)_COLOR$)/i
/** Set by Kubernetes and Docker for a service called `smtp` or `workforce`. */
const serviceName = /_SERVICE_HOST$|_SERVICE_PORT(?:_|$)|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_|$)/

/**
 * Returns a sentence for each unknown setting, with the likely intended one. In `.env`, which belongs to the program, names
 * that only resemble a setting count as misspelt, too.
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
