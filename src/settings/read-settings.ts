import path from 'node:path'
import { fileURLToPath } from 'node:url'

import type { z } from 'zod'

import { isLoopbackName } from '../domain/company.ts'
import { AppError } from '../domain/errors.ts'
import {
  readCompaniesFile,
  type CompanySettings,
  toCompanySettings,
  sayExposure,
} from './companies.ts'
import {
  effectiveEnvironment,
  type Environment,
  readTable,
  replacedSettings,
  type ReadFile,
  withSecretsOfFiles,
  unknownSettings,
  fileTwins,
} from './environment.ts'
import { Faults } from './faults.ts'
import { bridgeTable, companyTable, unsetCompany } from './tables.ts'

const tokenMissing =
  'ADMIN_TOKEN must be set where HOST is not a loopback address or DATABASE_URL is PostgreSQL.'
const zoneMissing =
  'WORKFORCE_TIMEZONE must be set with WORKFORCE_BASE_URL: the IANA time zone in which the company works, such as Europe/Berlin.'

/** Everything that can be set. */
export interface Settings extends z.output<typeof bridgeTable> {
  /** The folder of the SQLite file, else `./data`. */
  readonly dataDirectory: string
  /** The files of the operator's own in which secrets stand. */
  readonly secretFiles: readonly string[]
  /** null: the embedded Read API. */
  readonly companies: readonly CompanySettings[] | null
  /** Where the companies' settings stand: in the environment or in `COMPANIES_FILE`. */
  readonly settingsIn: 'environment' | 'file'
  readonly embedded: EmbeddedSettings
  /** What is set and means nothing beside `COMPANIES_FILE`. */
  readonly replaced: readonly string[]
}

/** The company that is read from the embedded Read API. */
export interface EmbeddedSettings {
  readonly company: CompanySettings
  /** null: all that it has. */
  readonly projects: readonly string[] | null
  readonly schedules: readonly string[] | null
}

/**
 * The settings of an environment; `{}` is a full configuration. Fails with `invalid`, one sentence per wrong key and
 * all of them at once, none of which repeats a value. `inFile`: the names that `.env` sets, in which others have no share.
 */
export function readSettings(
  environment: Environment,
  readFile: ReadFile = readNothing,
  inFile: readonly string[] = [],
): Settings {
  const faults = new Faults()
  faults.sentences.push(...unknownSettings(environment, inFile))
  const set = effectiveEnvironment(environment)
  const given = withSecretsOfFiles(set, readFile, faults.sentences)
  const bridge = readTable(bridgeTable, given, faults)
  const company = readTable(companyTable, given, faults, unsetCompany)
  const allowInsecure = given['ALLOW_INSECURE'] === 'true'
  const reading = { readFile, faults, allowInsecure }
  const companies = readCompaniesFile(given['COMPANIES_FILE'], reading)
  const alone = company && toCompanySettings(company, given['WORKFORCE_AUTH_FILE'])
  const isForeign = !companies && alone !== undefined && isSet(given, 'WORKFORCE_BASE_URL')
  const sentences = [
    ...faults.sentences,
    ...missingSettings(given),
    ...(isForeign && !allowInsecure
      ? sayExposure(alone, { credential: 'WORKFORCE_AUTH', address: 'WORKFORCE_BASE_URL' })
      : []),
    ...accessFaults(given, allowInsecure),
  ]
  if (!bridge || !alone || sentences.length > 0) {
    throw new AppError('invalid', sentences.join('\n'))
  }
  const embedded = embeddedSettings(alone, given)
  const databaseFolder = dataDirectory(bridge.databaseUrl)
  const replaced = replacedSettings(environment)
  const secretFiles = filesWithSecrets({ environment, inFile, companies: companies ?? [] })
  return {
    ...bridge,
    dataDirectory: databaseFolder,
    secretFiles,
    companies: companies ?? (isForeign ? [alone] : null),
    settingsIn: companies ? 'file' : 'environment',
    embedded,
    replaced,
  }
}

/** What nobody has named is read as the embedded Read API has it. */
function embeddedSettings(company: CompanySettings, given: Environment): EmbeddedSettings {
  const { projects, schedules } = company.company
  return {
    company,
    projects: isSet(given, 'WORKFORCE_PROJECTS') ? projects : null,
    schedules: isSet(given, 'WORKFORCE_SCHEDULES') ? schedules : null,
  }
}

function readNothing(): never {
  throw new Error('Files cannot be read here.')
}

function missingSettings(given: Environment): string[] {
  const isExposed = given['HOST'] !== undefined && !isLoopbackName(given['HOST'])
  const isShared = given['DATABASE_URL']?.startsWith('postgres') ?? false
  const hasToken = isSet(given, 'ADMIN_TOKEN') || isSet(given, 'ADMIN_TOKEN_FILE')
  const needsToken = (isExposed || isShared) && !hasToken
  const needsZone = isSet(given, 'WORKFORCE_BASE_URL') && !isSet(given, 'WORKFORCE_TIMEZONE')
  return [...(needsToken ? [tokenMissing] : []), ...(needsZone ? [zoneMissing] : [])]
}

function isSet(given: Environment, name: string): boolean {
  return given[name] !== undefined
}

/** As the database reads its address. */
function dataDirectory(databaseUrl: string): string {
  if (!databaseUrl.startsWith('file:')) return 'data'
  const isUrl = databaseUrl.startsWith('file://')
  return path.dirname(
    isUrl ? fileURLToPath(databaseUrl) : path.resolve(databaseUrl.slice('file:'.length)),
  )
}

const issuerParts = [
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_PERSON',
  'OIDC_ADMIN',
  'OIDC_SUPPORT',
] as const

const clientMissing =
  'OIDC_CLIENT_ID must be set with OIDC_ISSUER: the provider gave it when the bridge was registered there.'
const issuerExposed =
  'OIDC_ISSUER must be an https address: over http everybody on the way could sign in under any name. Where the network between them is trusted, ALLOW_INSECURE=true lets it be.'
const issuerOfAll =
  'OIDC_ISSUER must name the tenant by its own id: common, organizations and consumers let in the accounts of every other one.'

/** Microsoft's addresses at which anyone who has an account of any organization signs in. */
const ofAllTenants =
  /^\s*https:\/\/login\.microsoftonline\.com\/+(?:common|organizations|consumers)(?:\/|\s*$)/i

/** A sentence for each setting of sign-in and mail that lacks another, or would let in others than the company's people. */
function accessFaults(given: Environment, allowInsecure: boolean): readonly string[] {
  return [...issuerFaults(given, allowInsecure), ...mailFaults(given)]
}

function issuerFaults(given: Environment, allowInsecure: boolean): readonly string[] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client } = given
  if (issuer === undefined) {
    return issuerParts
      .filter((name) => given[name] !== undefined)
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

function isPlainAbroad(address: string): boolean {
  const url = URL.parse(address)
  if (url?.protocol !== 'http:') return false
  return !isLoopbackName(url.hostname)
}

/** What an environment and its companies name files for, and the files that set secrets themselves. */
interface SecretPlaces {
  readonly environment: Environment
  /** The names that `.env` sets. */
  readonly inFile: readonly string[]
  readonly companies: readonly CompanySettings[]
}

/** The files in which secrets stand, as they are named: those that hold one alone, `.env` and the file of companies. */
function filesWithSecrets({ environment, inFile, companies }: SecretPlaces): readonly string[] {
  const isInFile = inFile.some((name) => isSecretSetting(name, environment[name]))
  const named = [...fileTwins.keys()].map((twin) => environment[twin])
  const files = [
    isInFile ? '.env' : null,
    companies.some(holdsCredential) ? environment['COMPANIES_FILE'] : null,
    ...named,
    ...companies.map(({ credentialFile }) => credentialFile),
  ]
  return [...new Set(files.filter(isNamed))]
}

/** A database without a password is none. */
function isSecretSetting(name: string, value = ''): boolean {
  if (name.endsWith('DATABASE_URL') || name.endsWith('PROXY')) return /\/\/[^/]*@/.test(value)
  return value !== '' && value !== 'none' && fileTwins.has(`${name}_FILE`)
}

function holdsCredential({ connection, credentialFile }: CompanySettings): boolean {
  return connection.authentication.scheme !== 'none' && credentialFile === null
}

function isNamed(file: string | null | undefined): file is string {
  return !!file
}
