import { hash } from 'node:crypto'
import { resolve } from 'node:path'

import { z } from 'zod'

import { type Brand, noBrand } from '../domain/brand.ts'
import { type Company, isLoopbackName } from '../domain/company.ts'
import type { ConnectionSettings, ListPagination, Pagination } from '../domain/connection.ts'
import { cannotRead } from '../domain/errors.ts'
import { jsonOf } from '../json/read-json.ts'
import { readBrand } from './brand.ts'
import { checked, type ReadFile, readText, secretFileRule, secretIn } from './environment.ts'
import { members } from './fields.ts'
import { companyTable } from './tables.ts'

export interface CompanySettings {
  readonly company: Company
  readonly connection: ConnectionSettings
  readonly shrinkGuard: boolean
  /** Hash of company, base URL, parameters and paging. */
  readonly connectionId: string
  /** `connectionId` as in releases up to 0.1, which included the credential. */
  readonly connectionIdBefore: string
  readonly credential: string
  /** What is null is the bridge's. */
  readonly brand: Brand
  /** The file with the credential; null if the settings contain it. */
  readonly credentialFile: string | null
}

/** Splits the settings into those for the pipeline and those for the client. */
export function toCompanySettings(
  given: z.output<typeof companyTable>,
  credentialFile: string | null = null,
  brand: Brand = noBrand,
): CompanySettings {
  const { id, name = id, shrinkGuard, baseUrl, auth, params, pagination, ...others } = given
  const { timeoutMs, concurrency, bodyBytesMax, brand: _given, ...days } = others
  const spoken = { authentication: auth, parameters: params, pagination }
  const paging = pagingIdentity(pagination)
  return {
    company: { id, name, ...days },
    connection: { baseUrl, ...spoken, timeoutMs, concurrency, bodyBytesMax },
    shrinkGuard,
    // Another list in the Read API changes these hashes: adopt the connection's stored data then, as with
    // `connectionIdBefore`.
    connectionId: hashOf([id, baseUrl, params, paging]),
    connectionIdBefore: hashOf([id, baseUrl, auth, params, paging]),
    credential: hashOf(auth),
    credentialFile,
    brand,
  }
}

/** Returns a single style if all lists share it, since settings can express that in two ways. */
function pagingIdentity(lists: ListPagination): Pagination | ListPagination {
  const all = Object.values(lists).map((it) => JSON.stringify(it))
  return new Set(all).size === 1 ? lists.tasks : lists
}

function hashOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url')
}

/** Returns a sentence if the credential would be sent in plain text; the names are those of the two settings. */
export function sayExposure(
  { connection: { authentication, baseUrl } }: CompanySettings,
  credentialName: string,
  addressName: string,
): readonly string[] {
  if (authentication.scheme === 'none' || !isPlainAbroad(baseUrl)) return []
  return [
    `${credentialName} must not be sent over http to another machine: set ${addressName} to an https address or, where the network between them is trusted, ALLOW_INSECURE=true.`,
  ]
}

/** Returns whether anyone on the network path can read what is sent to this address. */
export function isPlainAbroad(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'http:' && !isLoopbackName(url.hostname)
}

type GivenCompany = Readonly<Record<string, unknown>>
const companiesSchema = z.array(z.looseObject({})).min(1, 'must hold a company')
const companySchema = members(companyTable.shape, [...Object.keys(companyTable.shape), 'authFile'])

/** Returns the companies of `COMPANIES_FILE`; undefined if there is none or it is invalid. Faults are added to `sentences`. */
export function readCompaniesFile(
  file: string | undefined,
  readFile: ReadFile,
  allowInsecure: boolean,
  sentences: string[],
): readonly CompanySettings[] | undefined {
  if (file === undefined) return undefined
  const json = readJson(file, readFile, sentences)
  if (json === undefined) return undefined
  const given = checked(companiesSchema, json, sentences, ([index]) =>
    typeof index === 'number' ? `COMPANIES_FILE: company ${index + 1}` : 'COMPANIES_FILE',
  )
  const companies = given?.flatMap((company, index) => {
    const name = nameOf(company, index)
    const place = (path: readonly PropertyKey[]): string =>
      `COMPANIES_FILE: ${path.length === 0 ? '' : `${z.core.toDotPath(path)} of `}${name}`
    const whole = withSecret(company, readFile, (rule) =>
      sentences.push(`${place(['authFile'])} ${rule}.`),
    )
    const read = checked(companySchema, whole, sentences, place)
    if (!read) return []
    const { authFile } = company
    const brand = readBrand(read.brand, readFile, (rule) =>
      sentences.push(`${place(['brand', 'logo'])} ${rule}.`),
    )
    const settings = toCompanySettings(read, typeof authFile === 'string' ? authFile : null, brand)
    if (!allowInsecure) sentences.push(...sayExposure(settings, place(['auth']), 'baseUrl'))
    return [settings]
  })
  sentences.push(...sayRepeated(given ?? []))
  return companies
}

function nameOf({ id }: GivenCompany, index: number): string {
  return `company ${index + 1}${typeof id === 'string' && /^[\w.-]{1,64}$/.test(id) ? ` (${id})` : ''}`
}

/** Sentences never quote the text, which contains secrets. Returns undefined after a fault. */
function readJson(file: string, readFile: ReadFile, sentences: string[]): unknown {
  if (/^\s*[[{]/.test(file)) {
    sentences.push('COMPANIES_FILE must name a file of JSON, not be the JSON itself.')
    return undefined
  }
  try {
    const value = jsonOf(readText(file, readFile))
    if (value === undefined) sentences.push('COMPANIES_FILE must name a file of valid JSON.')
    return value
  } catch (cause) {
    const { message } = cannotRead(resolve(file), cause)
    sentences.push(`COMPANIES_FILE must name a file of JSON. ${message}`)
    return undefined
  }
}

function withSecret(
  { authFile, ...others }: GivenCompany,
  readFile: ReadFile,
  fail: (rule: string) => void,
): GivenCompany {
  if (authFile === undefined) return others
  const auth = typeof authFile === 'string' ? secretIn(authFile, readFile) : undefined
  if (others['auth'] !== undefined) fail('must not be set beside auth')
  else if (auth === undefined) fail(secretFileRule)
  return { auth, ...others }
}

function sayRepeated(companies: readonly GivenCompany[]): readonly string[] {
  const byId = Map.groupBy(companies.entries(), ([, { id }]) => id)
  return [...byId].flatMap(([id, alike]) => {
    if (typeof id !== 'string' || id === '' || alike.length === 1) return []
    const all = alike.map(([index, company]) => nameOf(company, index)).join(', ')
    return [`COMPANIES_FILE: ${all} must not have the same id.`]
  })
}
