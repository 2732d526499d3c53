import { readFileSync } from 'node:fs'
import path from 'node:path'

import { z } from 'zod'

import { sqliteFile } from '../database/sqlite.ts'
import { AppError } from '../domain/errors.ts'
import type { ProxySettings } from '../read-api/client.ts'
import { companySchema, type CompanyConfig, toCompanyConfig } from './company-settings.ts'
import * as field from './setting-fields.ts'

/** Everything that can be set. */
export interface Config {
  readonly host: string
  readonly port: number
  /** null: from host and port. */
  readonly publicUrl: string | null
  readonly trustProxy: number
  readonly databaseUrl: string
  /** The folder of the SQLite file, else `./data`. */
  readonly dataDirectory: string
  /** null: made at the first start and kept in the data directory. */
  readonly adminToken: string | null
  /** null: the embedded Read API. */
  readonly companies: readonly CompanyConfig[] | null
  /** Where the companies' settings stand: in the environment or in `COMPANIES_FILE`. */
  readonly settingsIn: 'environment' | 'file'
  readonly embedded: EmbeddedConfig
  readonly feedFreshMs: number
  readonly feedRefreshBudgetMs: number
  readonly feedStaleMs: number
  readonly feedPollsPerMinute: number
  readonly unknownTokensPerMinute: number
  /** Toward a foreign Read API. */
  readonly proxy: ProxySettings
  readonly logLevel: string
}

/** The embedded Read API, and the company that is read from it. */
export interface EmbeddedConfig {
  readonly databaseUrl: string
  readonly company: CompanyConfig
  /** null: all that it has. */
  readonly projects: readonly string[] | null
  readonly schedules: readonly string[] | null
}

type Environment = Readonly<Record<string, string | undefined>>

const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost'])

const companiesSchema = z
  .array(companySchema)
  .min(1, 'must hold a company')
  .refine(
    (companies) => new Set(companies.map(({ id }) => id)).size === companies.length,
    'must not hold an id more than once',
  )

const environmentSchema = z.object({
  HOST: field.text.default('127.0.0.1'),
  PORT: field.wholeNumber(0, 65_535).default(8080),
  PUBLIC_URL: field.httpAddress.optional(),
  TRUST_PROXY: field.wholeNumber(0, 100).default(0),
  DATABASE_URL: field.databaseUrl.default('file:./data/bridge.sqlite'),
  ADMIN_TOKEN: z
    .string()
    .min(16, 'must have 16 characters or more')
    .regex(/^[\x21-\x7e]+$/, 'must be of printable ASCII characters without spaces')
    .optional(),
  WORKFORCE_BASE_URL: field.httpAddress.optional(),
  WORKFORCE_DATABASE_URL: field.databaseUrl.default('file:./data/workforce.sqlite'),
  WORKFORCE_COMPANY: field.text.default('main'),
  WORKFORCE_TIMEZONE: field.timezone.optional(),
  WORKFORCE_AUTH: field.authentication.prefault('none'),
  WORKFORCE_PARAMS: field.json(field.parameters).prefault('{}'),
  WORKFORCE_PAGINATION: field.pagination.prefault('none'),
  WORKFORCE_DATES: z.enum(['utc', 'local'], 'must be utc or local').default('utc'),
  WORKFORCE_END_DATES: z
    .enum(['inclusive', 'exclusive'], 'must be inclusive or exclusive')
    .default('inclusive'),
  WORKFORCE_PROJECTS: field.idList.optional(),
  WORKFORCE_SCHEDULES: field.idList.optional(),
  WORKFORCE_RECORD_URL: field.recordUrl.optional(),
  WORKFORCE_TIMEOUT_MS: field.wholeNumber(1, 600_000).default(30_000),
  WORKFORCE_CONCURRENCY: field.wholeNumber(1, 1000).default(8),
  WORKFORCE_BODY_BYTES_MAX: field.wholeNumber(1, 1_073_741_824).default(16_777_216),
  WORKFORCE_SHRINK_GUARD: field.onOrOff.default('on'),
  COMPANIES_FILE: field.text.transform(readJson).pipe(companiesSchema).optional(),
  FEED_FRESH_SECONDS: field.wholeNumber(0, 86_400).default(300),
  FEED_REFRESH_BUDGET_MS: field.wholeNumber(1, 600_000).default(8000),
  FEED_STALE_DAYS: field.wholeNumber(0, 3650).default(7),
  FEED_POLLS_PER_MINUTE: field.wholeNumber(1, 1_000_000).default(60),
  UNKNOWN_TOKENS_PER_MINUTE: field.wholeNumber(1, 1_000_000).default(30),
  HTTPS_PROXY: field.proxyAddress.optional(),
  HTTP_PROXY: field.proxyAddress.optional(),
  NO_PROXY: z.string().optional(),
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'must be trace, debug, info, warn, error, fatal or silent',
    )
    .default('info'),
})

type Settings = z.output<typeof environmentSchema>

/**
 * The settings of an environment; `{}` is a full configuration. Fails with `invalid`, one sentence per wrong key and
 * all of them at once, none of which repeats a value.
 */
export function readConfig(environment: Environment): Config {
  const given = effective(environment)
  const parsed = environmentSchema.safeParse(given)
  const faults = [...(parsed.success ? [] : sentences(parsed.error)), ...missingSettings(given)]
  if (!parsed.success || faults.length > 0) throw new AppError('invalid', faults.join('\n'))
  return toConfig(parsed.data)
}

/** What is empty is not set, and a file of companies replaces the settings of one. */
function effective(environment: Environment): Environment {
  const isReplaced = (key: string): boolean =>
    !!environment['COMPANIES_FILE'] && key.startsWith('WORKFORCE_')
  return Object.fromEntries(
    Object.entries(environment).filter(([key, value]) => value !== '' && !isReplaced(key)),
  )
}

function readJson(file: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    context.addIssue('must name a readable file of JSON')
    return z.NEVER
  }
}

function missingSettings(given: Environment): string[] {
  const isExposed = given['HOST'] !== undefined && !loopbackHosts.has(given['HOST'])
  const isShared = given['DATABASE_URL']?.startsWith('postgres') ?? false
  const needsToken = (isExposed || isShared) && given['ADMIN_TOKEN'] === undefined
  const needsZone =
    given['WORKFORCE_BASE_URL'] !== undefined && given['WORKFORCE_TIMEZONE'] === undefined
  return [
    ...(needsToken
      ? [
          'ADMIN_TOKEN must be set where HOST is not a loopback address or DATABASE_URL is PostgreSQL.',
        ]
      : []),
    ...(needsZone && given['COMPANIES_FILE'] === undefined
      ? [
          'WORKFORCE_TIMEZONE must be set with WORKFORCE_BASE_URL: the IANA time zone in which the company works, such as Europe/Berlin.',
        ]
      : []),
  ]
}

function toConfig(settings: Settings): Config {
  return {
    host: settings.HOST,
    port: settings.PORT,
    publicUrl: settings.PUBLIC_URL ?? null,
    trustProxy: settings.TRUST_PROXY,
    databaseUrl: settings.DATABASE_URL,
    dataDirectory: dataDirectory(settings.DATABASE_URL),
    adminToken: settings.ADMIN_TOKEN ?? null,
    companies: companiesOf(settings),
    settingsIn: settings.COMPANIES_FILE === undefined ? 'environment' : 'file',
    embedded: {
      databaseUrl: settings.WORKFORCE_DATABASE_URL,
      company: oneCompany(settings, 'http://embedded.invalid', 'Europe/Berlin'),
      projects: settings.WORKFORCE_PROJECTS ?? null,
      schedules: settings.WORKFORCE_SCHEDULES ?? null,
    },
    feedFreshMs: settings.FEED_FRESH_SECONDS * 1000,
    feedRefreshBudgetMs: settings.FEED_REFRESH_BUDGET_MS,
    feedStaleMs: settings.FEED_STALE_DAYS * 86_400_000,
    feedPollsPerMinute: settings.FEED_POLLS_PER_MINUTE,
    unknownTokensPerMinute: settings.UNKNOWN_TOKENS_PER_MINUTE,
    proxy: {
      httpsProxy: settings.HTTPS_PROXY,
      httpProxy: settings.HTTP_PROXY,
      noProxy: settings.NO_PROXY,
    },
    logLevel: settings.LOG_LEVEL,
  }
}

function companiesOf(settings: Settings): readonly CompanyConfig[] | null {
  if (settings.COMPANIES_FILE) return settings.COMPANIES_FILE.map(toCompanyConfig)
  const { WORKFORCE_BASE_URL: baseUrl, WORKFORCE_TIMEZONE: zone } = settings
  return baseUrl === undefined || zone === undefined ? null : [oneCompany(settings, baseUrl, zone)]
}

function oneCompany(settings: Settings, baseUrl: string, zone: string): CompanyConfig {
  return toCompanyConfig({
    id: settings.WORKFORCE_COMPANY,
    baseUrl,
    timezone: settings.WORKFORCE_TIMEZONE ?? zone,
    auth: settings.WORKFORCE_AUTH,
    params: settings.WORKFORCE_PARAMS,
    pagination: settings.WORKFORCE_PAGINATION,
    dates: settings.WORKFORCE_DATES,
    endDates: settings.WORKFORCE_END_DATES,
    projects: settings.WORKFORCE_PROJECTS ?? [],
    schedules: settings.WORKFORCE_SCHEDULES ?? [],
    scheduleTimezones: {},
    recordUrl: settings.WORKFORCE_RECORD_URL ?? null,
    shrinkGuard: settings.WORKFORCE_SHRINK_GUARD,
    timeoutMs: settings.WORKFORCE_TIMEOUT_MS,
    concurrency: settings.WORKFORCE_CONCURRENCY,
    bodyBytesMax: settings.WORKFORCE_BODY_BYTES_MAX,
  })
}

function dataDirectory(databaseUrl: string): string {
  return databaseUrl.startsWith('file:') ? path.dirname(sqliteFile(databaseUrl)) : 'data'
}

function sentences(error: z.ZodError): string[] {
  return error.issues.map((issue) => sentence(issue))
}

function sentence(issue: z.core.$ZodIssue): string {
  return `${issue.path.map(String).join('.')} ${ruleOf(issue)}.`
}

/** In our words; a key that is not known may hold what should have been its value. */
function ruleOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return 'must not hold other keys than those documented'
  return issue.code === 'invalid_type' ? `must be of type ${issue.expected}` : issue.message
}
