import path from 'node:path'
import { fileURLToPath } from 'node:url'

import type { z } from 'zod'

import { AppError } from '../domain/errors.ts'
import { isLoopbackName } from '../domain/loopback.ts'
import { accessFaults } from './access-faults.ts'
import { bridgeTable } from './bridge-table.ts'
import { readCompaniesFile } from './companies-file.ts'
import { type CompanySettings, toCompanySettings } from './company-settings.ts'
import { companyTable, unsetCompany } from './company-table.ts'
import {
  effectiveEnvironment,
  type Environment,
  readTable,
  replacedSettings,
} from './environment.ts'
import { sayExposure } from './exposed-credentials.ts'
import { Faults } from './faults.ts'
import { filesWithSecrets } from './files-with-secrets.ts'
import { type ReadFile, withSecretsOfFiles } from './secret-files.ts'
import { unknownSettings } from './unknown-settings.ts'

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
  const foreign = foreignCompanies(given, { inFile: companies, alone })
  const sentences = [
    ...faults.sentences,
    ...missingSettings(given),
    ...(allowInsecure ? [] : exposedAlone(foreign)),
    ...accessFaults(given, allowInsecure),
  ]
  if (!bridge || !alone || sentences.length > 0) {
    throw new AppError('invalid', sentences.join('\n'))
  }
  const embedded = embeddedSettings(alone, given)
  const databaseFolder = dataDirectory(bridge.databaseUrl)
  const replaced = replacedSettings(environment)
  const secretFiles = filesWithSecrets({ environment, inFile, companies: companies ?? [] })
  const ofFiles = { dataDirectory: databaseFolder, secretFiles }
  return { ...bridge, ...ofFiles, ...foreign, embedded, replaced }
}

interface ReadCompanies {
  readonly inFile: Settings['companies'] | undefined
  readonly alone: CompanySettings | undefined
}

type ForeignCompanies = Pick<Settings, 'companies' | 'settingsIn'>

function foreignCompanies(given: Environment, { inFile, alone }: ReadCompanies): ForeignCompanies {
  if (inFile) return { companies: inFile, settingsIn: 'file' }
  const isForeign = alone !== undefined && isSet(given, 'WORKFORCE_BASE_URL')
  return { companies: isForeign ? [alone] : null, settingsIn: 'environment' }
}

function exposedAlone({ companies, settingsIn }: ForeignCompanies): readonly string[] {
  const names = { credential: 'WORKFORCE_AUTH', address: 'WORKFORCE_BASE_URL' }
  if (settingsIn === 'file') return []
  return (companies ?? []).flatMap((company) => sayExposure(company, names))
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
