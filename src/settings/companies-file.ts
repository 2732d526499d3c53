import { resolve } from 'node:path'

import { z } from 'zod'

import { cannotRead } from '../domain/errors.ts'
import { likelyMeant } from '../domain/nearest.ts'
import { firstFault } from '../json/first-fault.ts'
import { placeOfCompany, placeWithin } from './company-place.ts'
import { type CompanySettings, toCompanySettings } from './company-settings.ts'
import { companyTable } from './company-table.ts'
import { sayExposure } from './exposed-credentials.ts'
import type { Faults } from './faults.ts'
import { fileRule, type ReadFile, secretIn } from './secret-files.ts'
import { members } from './unknown-key.ts'

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
  const fault = firstFault(text)
  if (!fault) return { value: JSON.parse(text) }
  const { line, column } = fault
  faults.sentences.push(
    `COMPANIES_FILE must name a file of JSON: this one goes wrong at line ${line}, column ${column}.`,
  )
  return undefined
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
