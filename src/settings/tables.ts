import { z } from 'zod'

import * as field from './fields.ts'

interface AboutSetting {
  /** null: can be set in `COMPANIES_FILE` only. */
  readonly environmentName: string | null
  /** The default, in words or as it would be set. */
  readonly defaultText: string
  readonly meaning: string
  /** Can also be read from a file: `ADMIN_TOKEN_FILE`. */
  readonly isSecret: boolean
}

const abouts = z.registry<AboutSetting>()

/** Returns one row of a settings table. `defaultText` describes a default that is not a plain value. */
function setting<Schema extends z.ZodType>(
  environmentName: string | null,
  schema: Schema,
  meaning: string,
  defaultText?: string,
  isSecret = false,
): Schema {
  const defaultValue = defaultOf(schema)
  const isPlain = typeof defaultValue === 'string' || typeof defaultValue === 'number'
  // A clone, since several settings may share a schema.
  const row = schema.clone()
  abouts.add(row, {
    environmentName,
    defaultText: defaultText ?? (isPlain ? `\`${defaultValue}\`` : 'none'),
    meaning,
    isSecret,
  })
  return row
}

function secret<Schema extends z.ZodType>(
  environmentName: string,
  schema: Schema,
  meaning: string,
  defaultText?: string,
): Schema {
  return setting(environmentName, schema, meaning, defaultText, true)
}

export type SettingsTable = { readonly shape: Readonly<Record<string, z.core.$ZodType>> }

export function rowsOf({ shape }: SettingsTable): readonly (AboutSetting & {
  readonly key: string
  readonly defaultValue: unknown
})[] {
  return Object.entries(shape).map(([key, schema]) => {
    const about = abouts.get(schema)
    if (!about) throw new Error(`The setting ${key} has no row.`)
    return { key, defaultValue: defaultOf(schema), ...about }
  })
}

/** Returns the environment names of a table's settings, by key. */
export function environmentNames(table: SettingsTable): ReadonlyMap<string, string> {
  return new Map(rowsOf(table).map(({ key, environmentName }) => [key, environmentName ?? key]))
}

/** The default before parsing; undefined if there is none. */
function defaultOf(schema: z.core.$ZodType): unknown {
  const hasDefault = schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault
  return hasDefault ? schema.def.defaultValue : undefined
}

/** Defaults for the environment; a companies file must set these. */
export const unsetCompany = {
  id: 'main',
  baseUrl: 'http://embedded.invalid',
  timezone: 'Europe/Berlin',
}

/** The settings of one company, from the environment or from an element of `COMPANIES_FILE`. */
export const companyTable = field.members({
  id: setting(
    'WORKFORCE_COMPANY',
    field.text,
    "the company's id within the bridge",
    `\`${unsetCompany.id}\``,
  ),
  name: setting(
    'WORKFORCE_NAME',
    field.text.optional(),
    "the company's name in words, on pages and in mails",
  ),
  baseUrl: setting(
    'WORKFORCE_BASE_URL',
    field.httpAddress,
    '`{base_url}` of the Read API',
    'none: the embedded Read API',
  ),
  timezone: setting(
    'WORKFORCE_TIMEZONE',
    field.timezone,
    'IANA zone in which the company works; must be set with `WORKFORCE_BASE_URL`',
    `\`${unsetCompany.timezone}\``,
  ),
  auth: secret(
    'WORKFORCE_AUTH',
    field.authentication.prefault('none'),
    '`none`, `bearer:TOKEN`, `basic:USER:PASSWORD`, `header:NAME:VALUE` or `query:NAME:VALUE`',
  ),
  params: setting(
    'WORKFORCE_PARAMS',
    field.parameterNames.prefault({}),
    'JSON: names of the query parameters, merged over the defaults; `null` is never sent',
    'see connect.md',
  ),
  pagination: setting(
    'WORKFORCE_PAGINATION',
    field.pagination.prefault('none'),
    '`none`, `page:PAGE,SIZE,N[,FIRST]`, `offset:OFFSET,LIMIT,N` or `link`, or JSON with one of these for each list',
  ),
  dates: setting(
    'WORKFORCE_DATES',
    field.oneOf(['utc', 'local']).default('utc'),
    'whether a bare day is written as midnight `utc` or `local` to the company',
  ),
  endDates: setting(
    'WORKFORCE_END_DATES',
    field.oneOf(['inclusive', 'exclusive']).default('inclusive'),
    'whether an end that is a bare day is the last day or the day after (`exclusive`)',
  ),
  projects: setting(
    'WORKFORCE_PROJECTS',
    z.array(field.text).default([]),
    'ids of the projects to read tasks of, separated by commas',
    "none (the sample company's own)",
  ),
  schedules: setting(
    'WORKFORCE_SCHEDULES',
    z.array(field.text).default([]),
    'ids of the schedules of feeds that name none, separated by commas',
    "none (the sample company's `sch_day`)",
  ),
  scheduleTimezones: setting(
    null,
    z.record(field.text, field.timezone).default({}),
    "schedule id to IANA zone, for schedules that do not follow the company's",
  ),
  holidays: setting(
    'WORKFORCE_HOLIDAYS',
    z.array(field.holidayPlace).default([]),
    'public holidays, as the `date-holidays` package names places: `DE-BY`, `ZA`; several separated by commas',
  ),
  scheduleHolidays: setting(
    null,
    z.record(field.text, z.array(field.holidayPlace)).default({}),
    "schedule id to places, for schedules that do not follow the company's",
  ),
  brand: setting(
    null,
    field.members(field.brandShape).prefault({}),
    "name, logo and color of the company's pages and mails",
  ),
  recordUrl: setting(
    'WORKFORCE_RECORD_URL',
    field.recordUrl.nullable().default(null),
    'template with `{kind}` and `{id}` by which events link back',
  ),
  shrinkGuard: setting(
    'WORKFORCE_SHRINK_GUARD',
    field.onOrOff.prefault('on'),
    'an answer that suddenly shrinks is read again, once or twice, before it is believed',
  ),
  timeoutMs: setting(
    'WORKFORCE_TIMEOUT_MS',
    field.wholeNumber(1, 600_000).default(30_000),
    'how long one answer of the Read API may take',
  ),
  concurrency: setting(
    'WORKFORCE_CONCURRENCY',
    field.wholeNumber(1, 1000).default(32),
    'the most requests to the Read API at once; the bridge adapts, between 4 and this number',
  ),
  bodyBytesMax: setting(
    'WORKFORCE_BODY_BYTES_MAX',
    field.wholeNumber(1, 1_073_741_824).default(16_777_216),
    'how many bytes one answer may have after decompression',
  ),
})

const { brandShape } = field
const brandRows = {
  brandName: setting(
    'BRAND_NAME',
    brandShape.name,
    'the name on pages and in mails',
    '`WORKFORCE_NAME`',
  ),
  brandLogo: setting(
    'BRAND_LOGO',
    brandShape.logo,
    'the path of an SVG or PNG file of at most 200 KB, shown beside the name; a logo twice as wide as high or wider is shown without it',
  ),
  brandColor: setting(
    'BRAND_COLOR',
    brandShape.color,
    'the colour of links and buttons, as `#rrggbb`; shades of it keep text legible',
  ),
}

const accessRows = {
  oidcIssuer: setting(
    'OIDC_ISSUER',
    field.issuer.optional(),
    'people sign in with this OpenID provider: the address under which it publishes `/.well-known/openid-configuration`',
  ),
  oidcClientId: setting(
    'OIDC_CLIENT_ID',
    field.clientId.optional(),
    'the client id from the provider; must be set with `OIDC_ISSUER`',
  ),
  oidcClientSecret: secret(
    'OIDC_CLIENT_SECRET',
    field.clientSecret.optional(),
    'what the provider gave it; without one the bridge is a public client',
  ),
  oidcPerson: setting(
    'OIDC_PERSON',
    field.personClaim.prefault('email'),
    'who somebody is: `email` (a verified address that is one active person’s in a company), or `claim:NAME` (the claim holds the user id)',
  ),
  oidcAdmin: setting(
    'OIDC_ADMIN',
    field.staffClaim.optional(),
    'who is staff with the role `admin`: `CLAIM=VALUE`, such as `groups=hr-admins`',
  ),
  oidcSupport: setting(
    'OIDC_SUPPORT',
    field.staffClaim.optional(),
    'who is staff with the role `support`: `CLAIM=VALUE`',
  ),
  sessionMs: setting(
    'SESSION_HOURS',
    field.wholeNumber(1, 720, 3_600_000).prefault(12),
    'how long a sign-in lasts',
  ),
  smtpUrl: secret(
    'SMTP_URL',
    field.smtpUrl.optional(),
    'where mail is handed over: `smtps://USER:PASSWORD@HOST:PORT`, or `smtp://…` with STARTTLS; without it nothing is mailed',
  ),
  mailFrom: setting(
    'MAIL_FROM',
    field.mailAddress.optional(),
    'from whom mail comes, such as `Work calendars <calendars@example.com>`; must be set with `SMTP_URL`',
  ),
}

export const bridgeTable = z.object({
  host: setting('HOST', field.host.default('127.0.0.1'), 'where the bridge listens'),
  port: setting('PORT', field.wholeNumber(0, 65_535).default(8080), '`PORT=0` picks a free port'),
  publicUrl: setting(
    'PUBLIC_URL',
    field.httpAddress.optional(),
    'the base of every printed link; may carry a path prefix, which the proxy in front strips',
    'from host and port',
  ),
  workers: setting(
    'WORKERS',
    field.wholeNumber(1, 128).default(1),
    'how many processes serve, for all cores of one machine; more than one needs PostgreSQL',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    field.wholeNumber(0, 100).default(0),
    'how many proxies stand in front',
  ),
  databaseUrl: secret(
    'DATABASE_URL',
    field.databaseUrl.default('file:./data/bridge.sqlite'),
    '`file:…` is SQLite, `postgres://…` PostgreSQL (for several nodes)',
  ),
  adminToken: secret(
    'ADMIN_TOKEN',
    field.adminToken.optional(),
    'opens `/api`; must be set where `HOST` is not loopback or the database is PostgreSQL',
    'made and kept in the data directory',
  ),
  ...brandRows,
  ...accessRows,
  sandboxDatabaseUrl: secret(
    'WORKFORCE_DATABASE_URL',
    field.databaseUrl.default('file:./data/workforce.sqlite'),
    "the embedded Read API's own database",
  ),
  sandboxKeys: secret(
    'WORKFORCE_SANDBOX_KEYS',
    field.sandboxKeys.prefault(''),
    '`KEY=COMPANY,…`: the bearer keys for which the embedded Read API asks, each of one company; its controls then ask for the admin token',
    'none: this machine alone is answered',
  ),
  companiesFile: setting(
    'COMPANIES_FILE',
    field.text.optional(),
    'a JSON array of companies, each with the `WORKFORCE_*` settings as camelCase keys (`id`, `baseUrl`, …), and `scheduleTimezones`, `scheduleHolidays` and `brand`; replaces those settings',
  ),
  feedFreshMs: setting(
    'FEED_FRESH_SECONDS',
    field.wholeNumber(0, 86_400, 1000).prefault(300),
    'a poll within it is answered without asking the Read API',
  ),
  feedRefreshBudgetMs: setting(
    'FEED_REFRESH_BUDGET_MS',
    field.wholeNumber(1, 600_000).default(8000),
    'how long a poll waits for fresh data',
  ),
  feedStaleMs: setting(
    'FEED_STALE_DAYS',
    field.wholeNumber(0, 3650, 86_400_000).prefault(7),
    'how long the last good copy is served while the Read API fails',
  ),
  directoryFreshMs: setting(
    'DIRECTORY_FRESH_SECONDS',
    field.wholeNumber(1, 31_536_000, 1000).prefault(86_400),
    'how old the list of known people may get',
  ),
  feedPollsPerMinute: setting(
    'FEED_POLLS_PER_MINUTE',
    field.wholeNumber(1, 1_000_000).default(60),
    'how often each link may be asked for; an account may send a hundred times as many requests',
  ),
  unknownTokensPerMinute: setting(
    'UNKNOWN_TOKENS_PER_MINUTE',
    field.wholeNumber(1, 1_000_000).default(30),
    'how many unknown links each address may ask for',
  ),
  httpsProxy: setting(
    'HTTPS_PROXY',
    field.proxyAddress.optional(),
    'the proxy for a Read API or identity provider at an `https` address',
  ),
  httpProxy: setting(
    'HTTP_PROXY',
    field.proxyAddress.optional(),
    'the proxy for one at an `http` address',
  ),
  noProxy: setting(
    'NO_PROXY',
    z.string().optional(),
    'hosts that are asked without a proxy, separated by commas',
  ),
  allowInsecure: setting(
    'ALLOW_INSECURE',
    field.trueOrFalse.prefault('false'),
    '`true` lets a credential be sent over `http://` to another machine, people sign in over it, and mail be handed over without TLS',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    field.oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    '`trace`, `debug`, `info`, `warn`, `error`, `fatal`, `silent`',
  ),
})
