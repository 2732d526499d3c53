import { z } from 'zod'

import { type CompanySettings, toCompanySettings } from './company-settings.ts'
import { companyTable } from './company-table.ts'
import type { Faults } from './faults.ts'
import { parsed } from './fields.ts'
import { fileRule, type ReadFile, secretIn } from './secret-files.ts'
import { members } from './unknown-key.ts'

const companiesSchema = z.array(z.looseObject({})).min(1, 'must hold a company')

const knownKeys = Object.keys(companyTable.shape)
/** `authFile` is the twin of `auth`. */
const companySchema = members(companyTable.shape, [...knownKeys, 'authFile'])

/** The companies of `COMPANIES_FILE`; undefined where there is no such file, and where it is wrong, which is noted. */
export function readCompaniesFile(
  file: string | undefined,
  readFile: ReadFile,
  faults: Faults,
): readonly CompanySettings[] | undefined {
  if (file === undefined) return undefined
  const given = faults.check(jsonFile(readFile).pipe(companiesSchema), file, (within) =>
    ['COMPANIES_FILE', ...within].join('.'),
  )
  const companies = given?.map((company, index) => {
    const place = placeOf(company, index)
    const whole = withSecret(company, readFile, (rule) => {
      faults.sentences.push(`${place('authFile')} ${rule}.`)
    })
    return faults.check(companySchema, whole, (path) => place(path.join('.')))
  })
  for (const id of repeated(companies?.map((company) => company?.id) ?? [])) {
    faults.sentences.push(`COMPANIES_FILE must not hold the id ${id} more than once.`)
  }
  return companies?.flatMap((company, index) =>
    company ? [toCompanySettings(company, authFileOf(given?.[index]))] : [],
  )
}

type GivenCompany = Readonly<Record<string, unknown>>

/** Where a key of a company stands: `COMPANIES_FILE.1.timezone (company south)`. */
function placeOf({ id }: GivenCompany, index: number): (key: string) => string {
  const isPlain = typeof id === 'string' && /^[\w.-]{1,64}$/.test(id)
  const named = isPlain ? ` (company ${id})` : ''
  return (key) => ['COMPANIES_FILE', index, key].filter((it) => it !== '').join('.') + named
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

function authFileOf(company: GivenCompany | undefined): string | null {
  return typeof company?.['authFile'] === 'string' ? company['authFile'] : null
}

function repeated(ids: readonly (string | undefined)[]): ReadonlySet<string> {
  return new Set(
    ids.filter((id, index): id is string => id !== undefined && ids.indexOf(id) < index),
  )
}

function jsonFile(readFile: ReadFile): z.ZodType<unknown, string> {
  const read = (file: string): unknown => {
    try {
      return JSON.parse(readFile(file).replace(/^\uFEFF/, ''))
    } catch {
      return undefined
    }
  }
  return parsed(z.string(), read, 'must name a readable file of JSON')
}
