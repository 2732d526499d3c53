import path from 'node:path'
import { fileURLToPath } from 'node:url'

import type { z } from 'zod'

import type { Brand } from '../domain/brand.ts'
import { isLoopbackName } from '../domain/company.ts'
import { AppError } from '../domain/errors.ts'
import { readBrand } from './brand.ts'
import {
  type CompanySettings,
  isPlainAbroad,
  readCompaniesFile,
  sayExposure,
  toCompanySettings,
} from './companies.ts'
import {
  effectiveEnvironment,
  type Environment,
  fileTwins,
  type ReadFile,
  readTable,
  replacedSettings,
  unknownSettings,
  withSecretsOfFiles,
} from './environment.ts'
import { bridgeTable, companyTable, environmentNames, unsetCompany } from './tables.ts'

type BridgeSettings = z.output<typeof bridgeTable>

export interface Settings extends Omit<BridgeSettings, 'brandName' | 'brandLogo' | 'brandColor'> {
  /** Of pages that belong to no company, and of companies without one. */
  readonly brand: Brand
  /** The folder of the SQLite file; otherwise `./data`. */
  readonly dataDirectory: string
  /** The operator's files that contain secrets. */
  readonly secretFiles: readonly string[]
  /** null: the embedded Read API. */
  readonly companies: readonly CompanySettings[] | null
  readonly settingsIn: 'environment' | 'file'
  /** The company of the embedded Read API. null means all projects, or the sample's default schedule. */
  readonly embedded: {
    readonly company: CompanySettings
    readonly projects: readonly string[] | null
    readonly schedules: readonly string[] | null
  }
  /** Settings without effect, because `COMPANIES_FILE` replaces them. */
  readonly replaced: readonly string[]
}

/**
 * Reads the settings of an environment; `{}` is a complete configuration. Fails with `invalid` and one sentence per wrong
 * key, all at once, without values. `inFile` lists the names that `.env` sets.
 */
export function readSettings(
  environment: Environment,
  readFile: ReadFile = readNothing,
  inFile: readonly string[] = [],
): Settings {
  const sentences = [...unknownSettings(environment, inFile)]
  const given = withSecretsOfFiles(effectiveEnvironment(environment), readFile, sentences)
  const bridge = readTable(bridgeTable, given, sentences)
  const brand = readBrand(
    { name: bridge?.brandName, logo: bridge?.brandLogo, color: bridge?.brandColor },
    readFile,
    (rule) => sentences.push(`BRAND_LOGO ${rule}.`),
  )
  const company = readTable(companyTable, given, sentences, unsetCompany)
  const allowInsecure = given['ALLOW_INSECURE'] === 'true'
  const { COMPANIES_FILE: companiesFile } = given
  const companies = readCompaniesFile(companiesFile, readFile, allowInsecure, sentences)
  const envCompany = company && toCompanySettings(company, given['WORKFORCE_AUTH_FILE'])
  const hasOwnApi = !companies && envCompany !== undefined && isSet(given, 'WORKFORCE_BASE_URL')
  sentences.push(...missingSettings(given))
  if (inFile.includes('BRAND_COLOR') && environment['BRAND_COLOR'] === '') {
    sentences.push(colorLost)
  }
  if (hasOwnApi && !allowInsecure) {
    sentences.push(...sayExposure(envCompany, 'WORKFORCE_AUTH', 'WORKFORCE_BASE_URL'))
  }
  sentences.push(...issuerFaults(given, allowInsecure), ...mailFaults(given))
  if (!bridge || !envCompany || sentences.length > 0) {
    throw new AppError('invalid', sentences.join('\n'))
  }
  const { projects, schedules } = envCompany.company
  const { brandName: _name, brandLogo: _logo, brandColor: _color, ...others } = bridge
  return {
    ...others,
    brand,
    dataDirectory: dataDirectory(bridge.databaseUrl),
    secretFiles: filesWithSecrets(environment, inFile, companies ?? []),
    companies: companies ?? (hasOwnApi ? [envCompany] : null),
    settingsIn: companies ? 'file' : 'environment',
    embedded: {
      company: envCompany,
      projects: isSet(given, 'WORKFORCE_PROJECTS') ? projects : null,
      schedules: isSet(given, 'WORKFORCE_SCHEDULES') ? schedules : null,
    },
    replaced: replacedSettings(environment),
  }
}

/** Otherwise a colour that is written in `.env` as elsewhere would have no effect. */
const colorLost =
  "BRAND_COLOR must be in quotes in .env, where # begins a comment: BRAND_COLOR='#0a6ebd'."

function readNothing(): never {
  throw new Error('Files cannot be read here.')
}

function isSet(given: Environment, name: string): boolean {
  return given[name] !== undefined
}

function missingSettings(given: Environment): readonly string[] {
  const isExposed = given['HOST'] !== undefined && !isLoopbackName(given['HOST'])
  const isShared = given['DATABASE_URL']?.startsWith('postgres') ?? false
  const hasToken = isSet(given, 'ADMIN_TOKEN') || isSet(given, 'ADMIN_TOKEN_FILE')
  const needsZone = isSet(given, 'WORKFORCE_BASE_URL') && !isSet(given, 'WORKFORCE_TIMEZONE')
  const token =
    'ADMIN_TOKEN must be set where HOST is not a loopback address or DATABASE_URL is PostgreSQL.'
  const zone =
    'WORKFORCE_TIMEZONE must be set with WORKFORCE_BASE_URL: the IANA time zone in which the company works, such as Europe/Berlin.'
  const workers =
    'WORKERS above 1 needs PostgreSQL: set DATABASE_URL=postgres://…, since a SQLite file serves one process.'
  return [
    ...((isExposed || isShared) && !hasToken ? [token] : []),
    ...(needsZone ? [zone] : []),
    ...(Number(given['WORKERS'] ?? 1) > 1 && !isShared ? [workers] : []),
  ]
}

/** Interprets the address as the database does. */
function dataDirectory(databaseUrl: string): string {
  if (!databaseUrl.startsWith('file:')) return 'data'
  const isUrl = databaseUrl.startsWith('file://')
  return path.dirname(
    isUrl ? fileURLToPath(databaseUrl) : path.resolve(databaseUrl.slice('file:'.length)),
  )
}

const clientMissing =
  'OIDC_CLIENT_ID must be set with OIDC_ISSUER: the provider gave it when the bridge was registered there.'
const issuerExposed =
  'OIDC_ISSUER must be an https address: over http everybody on the way could sign in under any name. Where the network between them is trusted, ALLOW_INSECURE=true lets it be.'
const issuerOfAll =
  'OIDC_ISSUER must name the tenant by its own id: common, organizations and consumers let in the accounts of every other one.'

/** Microsoft's issuers that let accounts of any organization sign in. */
const ofAllTenants =
  /^\s*https:\/\/login\.microsoftonline\.com\/+(?:common|organizations|consumers)(?:\/|\s*$)/i

function issuerFaults(given: Environment, allowInsecure: boolean): readonly string[] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client } = given
  if (issuer === undefined) {
    return [...environmentNames(bridgeTable).values()]
      .filter((name) => name.startsWith('OIDC_') && isSet(given, name))
      .map((name) => `${name} must be set with OIDC_ISSUER: without it nobody can sign in.`)
  }
  return [
    ...(client === undefined ? [clientMissing] : []),
    ...(!allowInsecure && isPlainAbroad(issuer) ? [issuerExposed] : []),
    ...(ofAllTenants.test(issuer) ? [issuerOfAll] : []),
  ]
}

function mailFaults({ SMTP_URL: smtp, MAIL_FROM: from }: Environment): readonly string[] {
  if ((smtp === undefined) === (from === undefined)) return []
  return [
    from === undefined
      ? 'MAIL_FROM must be set with SMTP_URL: the address from which mail comes.'
      : 'MAIL_FROM must stand with SMTP_URL: without it nothing is mailed.',
  ]
}

/** `.env` and `COMPANIES_FILE` if they contain secrets, and each file with a single secret. */
function filesWithSecrets(
  environment: Environment,
  inFile: readonly string[],
  companies: readonly CompanySettings[],
): readonly string[] {
  const isInFile = inFile.some((name) => isSecretSetting(name, environment[name]))
  const isInCompanies = companies.some(
    ({ connection, credentialFile }) =>
      connection.authentication.scheme !== 'none' && credentialFile === null,
  )
  const files = [
    isInFile ? '.env' : null,
    isInCompanies ? environment['COMPANIES_FILE'] : null,
    ...[...fileTwins.keys()].map((twin) => environment[twin]),
    ...companies.map(({ credentialFile }) => credentialFile),
  ]
  return [...new Set(files.flatMap((file) => (file ? [file] : [])))]
}

/** Database and proxy addresses are secret only if they contain credentials. */
function isSecretSetting(name: string, value = ''): boolean {
  if (name.endsWith('DATABASE_URL') || name.endsWith('PROXY')) return /\/\/[^/]*@/.test(value)
  return value !== '' && value !== 'none' && fileTwins.has(`${name}_FILE`)
}
