import { createHash } from 'node:crypto'
import { resolve } from 'node:path'

import { z } from 'zod'

import { type Company, isLoopbackName } from '../domain/company.ts'
import type { ConnectionSettings } from '../domain/connection.ts'
import { cannotRead } from '../domain/errors.ts'
import { likelyMeant } from '../domain/nearest.ts'
import { fileRule, type ReadFile, secretIn, fromJson } from './environment.ts'
import type { Faults } from './faults.ts'
import { pagingIdentity, members } from './fields.ts'
import { companyTable } from './tables.ts'

/** A company and how its Read API is reached. */
export interface CompanySettings {
  readonly company: Company
  readonly connection: ConnectionSettings
  readonly shrinkGuard: boolean
  /** Hash of company, base URL, parameters and paging. */
  readonly connectionId: string
  /** As releases up to 0.1 had it: with the credential. */
  readonly connectionIdBefore: string
  /** Hash of the credential. */
  readonly credential: string
  /** The file that holds the credential; null where it stands in the settings themselves. */
  readonly credentialFile: string | null
}

/** Parts the settings into what the pipeline and what the client needs of them. */
export function toCompanySettings(
  given: z.output<typeof companyTable>,
  credentialFile: string | null = null,
): CompanySettings {
  const { id, name = id, shrinkGuard, baseUrl, auth, params, pagination, ...others } = given
  const { timeoutMs, concurrency, bodyBytesMax, ...days } = others
  const spoken = { authentication: auth, parameters: params, pagination }
  return {
    company: { id, name, ...days },
    connection: { baseUrl, ...spoken, timeoutMs, concurrency, bodyBytesMax },
    shrinkGuard,
    connectionId: hashOf([id, baseUrl, params, pagingIdentity(pagination)]),
    connectionIdBefore: hashOf([id, baseUrl, auth, params, pagingIdentity(pagination)]),
    credential: hashOf(auth),
    credentialFile,
  }
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}

/** What the two settings are called in the sentence. */
interface ExposedNames {
  readonly credential: string
  readonly address: string
}

/** A sentence where everybody on the way could read the company's credential. */
export function sayExposure(
  { connection: { authentication, baseUrl } }: CompanySettings,
  { credential, address }: ExposedNames,
): readonly string[] {
  if (authentication.scheme === 'none' || !isExposed(new URL(baseUrl))) return []
  return [
    `${credential} must not be sent over http to another machine: set ${address} to an https address or, where the network between them is trusted, ALLOW_INSECURE=true.`,
  ]
}

function isExposed({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !isLoopbackName(hostname)
}

/* How sentences name a place in `COMPANIES_FILE`: companies and the entries of lists are counted from 1, as people do. */

/** A company of the file: its place, and its id where that is one. */
function placeOfCompany(index: number, id: unknown): string {
  const isPlain = typeof id === 'string' && /^[\w.-]{1,64}$/.test(id)
  return `the ${ordinal(index)} company${isPlain ? ` (${id})` : ''}`
}

/** What stands at that path within the company: `COMPANIES_FILE: timezone of the 2nd company (south)`. */
function placeWithin(company: string, path: readonly PropertyKey[]): string {
  const [first = '', ...within] = path.map((part) =>
    typeof part === 'number' ? part : String(part),
  )
  if (path.length === 0) return `COMPANIES_FILE: ${company}`
  const key = within.reduce(
    (so, part) => (typeof part === 'number' ? `the ${ordinal(part)} of ${so}` : `${so}.${part}`),
    first,
  )
  return `COMPANIES_FILE: ${key} of ${company}`
}

/** 1st for the first, which is 0. */
function ordinal(index: number): string {
  const count = index + 1
  const isTeen = count % 100 > 10 && count % 100 < 14
  return `${count}${isTeen ? 'th' : (endings[count % 10] ?? 'th')}`
}

const endings: Readonly<Record<number, string>> = { 1: 'st', 2: 'nd', 3: 'rd' }

const companiesSchema = z.array(z.looseObject({})).min(1, 'must hold a company')

/** `authFile` is the twin of `auth`. */
const knownKeys = [...Object.keys(companyTable.shape), 'authFile']
const companySchema = members(companyTable.shape, knownKeys)

/** How the file is read, and where what is wrong with it is noted. */
interface Reading {
  readonly readFile: ReadFile
  readonly faults: Faults
  /** Whether a credential may go over plain http to another machine. */
  readonly allowInsecure: boolean
}

type GivenCompany = Readonly<Record<string, unknown>>

/** The companies of `COMPANIES_FILE`; undefined where there is no such file, and where it is wrong, which is noted, all at once. */
export function readCompaniesFile(
  file: string | undefined,
  reading: Reading,
): readonly CompanySettings[] | undefined {
  if (file === undefined) return undefined
  const { faults } = reading
  const json = readJson(file, reading)
  if (json === undefined) return undefined
  const given = faults.check(companiesSchema, json.value, ([index, ...path]) =>
    typeof index === 'number'
      ? placeWithin(placeOfCompany(index, undefined), path)
      : 'COMPANIES_FILE',
  )
  const companies = given?.flatMap((company, index) => readCompany(company, index, reading))
  faults.sentences.push(...sayRepeated(given ?? []))
  return companies
}

interface Json {
  readonly value: unknown
}

/** No sentence repeats what stands in the file: secrets do. */
function readJson(file: string, { readFile, faults }: Reading): Json | undefined {
  let text
  try {
    text = readFile(file).replace(/^\uFEFF/, '')
  } catch (cause) {
    faults.sentences.push(sayUnreadable(file, cause))
    return undefined
  }
  const value = fromJson(text)
  if (value !== undefined) return { value }
  faults.sentences.push(
    `COMPANIES_FILE must name a file of JSON: this one goes wrong at ${firstFault(text)}.`,
  )
  return undefined
}

/**
 * Where a text stops being JSON, as editors count: behind the longest beginning that could still become JSON. `JSON.parse`
 * says so of some faults only, but of every beginning whether the fault is that it ends.
 */
function firstFault(text: string): string {
  let [least, most] = [0, text.length]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (isBeginning(text.slice(0, middle))) least = middle
    else most = middle - 1
  }
  const lines = text.slice(0, least).split(/\r\n|\r|\n/)
  return `line ${lines.length}, column ${Array.from(lines.at(-1) ?? '').length + 1}`
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const message = String(error)
    return (
      message.includes('Unexpected end') ||
      message.includes(`position ${text.length} `) ||
      message.endsWith(`position ${text.length}`)
    )
  }
}

/** The companies themselves, put in place of their file, are not repeated. */
function sayUnreadable(file: string, cause: unknown): string {
  if (/^\s*[[{]/.test(file))
    return 'COMPANIES_FILE must name a file of JSON, not be the JSON itself.'
  return `COMPANIES_FILE must name a file of JSON. ${cannotRead(resolve(file), cause).message}`
}

function readCompany(
  given: GivenCompany,
  index: number,
  { readFile, faults, allowInsecure }: Reading,
): readonly CompanySettings[] {
  const place = (...path: readonly PropertyKey[]): string =>
    placeWithin(placeOfCompany(index, given['id']), path)
  const whole = withSecret(given, readFile, (rule) => {
    faults.sentences.push(`${place('authFile')} ${rule}.`)
  })
  const read = faults.check(companySchema, whole, (path) => place(...path), meantKeys(given))
  if (!read) return []
  const company = toCompanySettings(read, authFileOf(given))
  const names = { credential: place('auth'), address: 'baseUrl' }
  if (!allowInsecure) faults.sentences.push(...sayExposure(company, names))
  return [company]
}

/** What is misspelt is told once, not as missing, too. */
function meantKeys(given: GivenCompany): ReadonlySet<PropertyKey | undefined> {
  const unknown = Object.keys(given).filter((key) => !knownKeys.includes(key))
  return new Set(unknown.map((key) => likelyMeant(key, knownKeys)))
}

/** With the credential in it that it names a file for. */
function withSecret(
  company: GivenCompany,
  readFile: ReadFile,
  fail: (rule: string) => void,
): GivenCompany {
  const { authFile, ...others } = company
  if (authFile === undefined) return others
  const auth = typeof authFile === 'string' ? secretIn(authFile, readFile) : undefined
  if (others['auth'] !== undefined) fail('must not be set beside auth')
  else if (auth === undefined) fail(fileRule)
  return { auth, ...others }
}

function authFileOf(company: GivenCompany): string | null {
  return typeof company['authFile'] === 'string' ? company['authFile'] : null
}

/** A sentence for each id that stands at several companies, right or wrong, with all places. */
function sayRepeated(companies: readonly GivenCompany[]): readonly string[] {
  const numbered = companies.map(({ id }, index) => ({ id, index }))
  return [...Map.groupBy(numbered, ({ id }) => id)]
    .filter(([id, alike]) => typeof id === 'string' && id !== '' && alike.length > 1)
    .map(([, alike]) => {
      const places = alike.map(({ id, index }) => placeOfCompany(index, id))
      return `COMPANIES_FILE: ${places.slice(0, -1).join(', ')} and ${places.at(-1)} must not have the same id.`
    })
}
