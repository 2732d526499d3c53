import { z } from 'zod'

import * as field from './fields.ts'
import { authentication, pagination, parameterNames, members, sandboxKeys } from './fields.ts'

/** What is known of a setting beside the schema that reads it. */
export interface AboutSetting {
  /** null: only `COMPANIES_FILE` can hold it. */
  readonly environmentName: string | null
  /** What holds where it is not set, in words or as it would be set. */
  readonly otherwise: string
  /** What it means, as README says it. */
  readonly meaning: string
  /** Whether a file can be named in its place: `ADMIN_TOKEN_FILE`. */
  readonly isSecret: boolean
}

const abouts = z.registry<AboutSetting>()

/** One row of a table of settings: its member's name in the table is its key. `otherwise` is for a default that is no plain value. */
function setting<Schema extends z.ZodType>(
  environmentName: string | null,
  schema: Schema,
  meaning: string,
  otherwise = shown(defaultOf(schema)),
): Schema {
  return rowOf(schema, { environmentName, otherwise, meaning, isSecret: false })
}

/** The same for a setting that is a secret, or holds one. */
function secret<Schema extends z.ZodType>(
  environmentName: string,
  schema: Schema,
  meaning: string,
  otherwise = shown(defaultOf(schema)),
): Schema {
  return rowOf(schema, { environmentName, otherwise, meaning, isSecret: true })
}

/** A copy: several settings may be read by one schema. */
function rowOf<Schema extends z.ZodType>(schema: Schema, about: AboutSetting): Schema {
  const row = schema.clone()
  abouts.add(row, about)
  return row
}

function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `\`${value}\`` : 'none'
}

export type SettingsTable = { readonly shape: Readonly<Record<string, z.core.$ZodType>> }

export interface SettingRow extends AboutSetting {
  readonly key: string
  readonly schema: z.core.$ZodType
}

/** The rows of a table, in its order. */
export function rowsOf({ shape }: SettingsTable): readonly SettingRow[] {
  return Object.entries(shape).map(([key, schema]) => {
    const about = abouts.get(schema)
    if (!about) throw new Error(`The setting ${key} has no row.`)
    return { key, schema, ...about }
  })
}

/** What a schema reads where nothing is given, as it would be given; undefined where it has no default. */
export function defaultOf(schema: z.core.$ZodType): unknown {
  const hasDefault = schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault
  return hasDefault ? schema.def.defaultValue : undefined
}

/** What holds where the environment says nothing; a file has to say it. */
export const unsetCompany = {
  id: 'main',
  baseUrl: 'http://embedded.invalid',
  timezone: 'Europe/Berlin',
}

/** The settings of one company, one row each: members of an element of `COMPANIES_FILE`, or from the environment. */
export const companyTable = members({
  id: setting(
    'WORKFORCE_COMPANY',
    field.text,
    "the company's id within the bridge",
    `\`${unsetCompany.id}\``,
  ),
  name: setting(null, field.text.optional(), "the company's name", 'its id'),
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
    authentication.prefault('none'),
    '`none`, `bearer:TOKEN`, `basic:USER:PASSWORD`, `header:NAME:VALUE` or `query:NAME:VALUE`',
  ),
  params: setting(
    'WORKFORCE_PARAMS',
    parameterNames.prefault({}),
    'JSON: names of the query parameters, merged over the defaults; `null` is never sent',
    'see below',
  ),
  pagination: setting(
    'WORKFORCE_PAGINATION',
    pagination.prefault('none'),
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
  recordUrl: setting(
    'WORKFORCE_RECORD_URL',
    field.recordUrl.nullable().default(null),
    'template with `{kind}` and `{id}` by which events link back',
  ),
  shrinkGuard: setting(
    'WORKFORCE_SHRINK_GUARD',
    field.onOrOff.prefault('on'),
    'event data that suddenly shrinks is read twice before it is believed',
  ),
  timeoutMs: setting(
    'WORKFORCE_TIMEOUT_MS',
    field.wholeNumber(1, 600_000).default(30_000),
    'how long one answer of the Read API may take',
  ),
  concurrency: setting(
    'WORKFORCE_CONCURRENCY',
    field.wholeNumber(1, 1000).default(32),
    'how many requests may be under way at once at most: between 4 and that the bridge finds its own level',
  ),
  bodyBytesMax: setting(
    'WORKFORCE_BODY_BYTES_MAX',
    field.wholeNumber(1, 1_073_741_824).default(16_777_216),
    'how many bytes one answer may have after decompression',
  ),
})

/** By what a sign-in says who somebody is: by their mail address, or by a claim that holds their user id. */
export type PersonClaim = { readonly by: 'email' } | { readonly by: 'claim'; readonly name: string }

/** Who is staff: anyone whose claim is, or holds, that value. */
export interface StaffClaim {
  readonly claim: string
  readonly value: string
}

/** Where mail is handed over. */
export interface MailServer {
  readonly host: string
  readonly port: number
  /** Whether the connection begins with TLS; otherwise STARTTLS makes it secure. */
  readonly startsSecure: boolean
  readonly user: string | null
  readonly password: string | null
}

export interface MailAddress {
  /** Empty where there is none. */
  readonly name: string
  readonly address: string
}

/** A space before or behind is nobody's intention, and nobody sees it. */
const trimmed = z.string().trim()

const personClaim = field.parsed<string, PersonClaim>(
  trimmed,
  (text) => {
    if (text === 'email') return { by: 'email' }
    const name = /^claim:(\S+)$/.exec(text)?.[1]
    return name === undefined ? undefined : { by: 'claim', name }
  },
  'must be email or claim:NAME, the claim that holds the user id',
)

const staffClaim = field.parsed<string, StaffClaim>(
  trimmed,
  (text) => {
    const [, claim, value] = /^([^\s=#"']+) *= *([^\s"'](?:(?!\s#).)*)$/.exec(text) ?? []
    return claim === undefined || value === undefined ? undefined : { claim, value }
  },
  'must be CLAIM=VALUE, such as groups=hr-admins, with neither quotation marks around it nor a comment behind it',
)

/** As the provider itself writes it, a slash at its end included: the two are compared. */
const issuer = field.parsed<string, string>(
  trimmed,
  (text) => (/^https?:\/\/[^\s?#@]+$/i.test(text) && URL.canParse(text) ? text : undefined),
  'must be the absolute http or https address of the identity provider, without credentials, query and fragment',
)

/** A secret is not made another one: a space could be part of it, though that is unlikely. */
const clientSecret = field.text.regex(
  /^\S(?:.*\S)?$/,
  'must not begin or end with a space, nor hold more than one line',
)

const smtpUrl = field.parsed<string, MailServer>(
  z.string(),
  mailServerOf,
  'must be smtp://HOST:PORT or smtps://USER:PASSWORD@HOST:PORT, with nothing behind it; in USER and PASSWORD, characters other than letters and digits as %XX',
)

const mailAddress = field.parsed<string, MailAddress>(
  z.string(),
  mailAddressOf,
  'must be a mail address, or a name and one: Work calendars <calendars@example.com>',
)

/** The settings of who may do what, and of mail. */
export const accessRows = {
  oidcIssuer: setting(
    'OIDC_ISSUER',
    issuer.optional(),
    'people sign in with this OpenID provider: the address under which it publishes `/.well-known/openid-configuration`',
  ),
  oidcClientId: setting(
    'OIDC_CLIENT_ID',
    trimmed.min(1, 'must not be empty').optional(),
    'how the provider calls the bridge; must be set with `OIDC_ISSUER`',
  ),
  oidcClientSecret: secret(
    'OIDC_CLIENT_SECRET',
    clientSecret.optional(),
    'what the provider gave it; without one the bridge is a public client',
  ),
  oidcPerson: setting(
    'OIDC_PERSON',
    personClaim.prefault('email'),
    'who somebody is: `email` (a verified address that is one active person’s in a company), or `claim:NAME` (the claim holds the user id)',
  ),
  oidcAdmin: setting(
    'OIDC_ADMIN',
    staffClaim.optional(),
    'who is staff with the role `admin`: `CLAIM=VALUE`, such as `groups=hr-admins`',
  ),
  oidcSupport: setting(
    'OIDC_SUPPORT',
    staffClaim.optional(),
    'who is staff with the role `support`: `CLAIM=VALUE`',
  ),
  sessionMs: setting('SESSION_HOURS', field.hours(1, 720).prefault(12), 'how long a sign-in lasts'),
  smtpUrl: secret(
    'SMTP_URL',
    smtpUrl.optional(),
    'where mail is handed over: `smtps://USER:PASSWORD@HOST:PORT`, or `smtp://…` with STARTTLS; without it nothing is mailed',
  ),
  mailFrom: setting(
    'MAIL_FROM',
    mailAddress.optional(),
    'from whom mail comes, such as `Work calendars <calendars@example.com>`; must be set with `SMTP_URL`',
  ),
}

const defaultPorts: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 }

function mailServerOf(text: string): MailServer | undefined {
  const url = URL.parse(text)
  const port = url && portOf(url)
  const account = url && accountOf(url)
  if (!port || !account || url.hostname === '') return undefined
  if (!/^\/?$/.test(url.pathname + url.search + url.hash)) return undefined
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return { host, port, startsSecure: url.protocol === 'smtps:', ...account }
}

function portOf({ protocol, port }: URL): number | undefined {
  const preset = defaultPorts[protocol]
  return preset === undefined || port === '' ? preset : Number(port)
}

function accountOf({ username, password }: URL): Pick<MailServer, 'user' | 'password'> | undefined {
  const [user, word] = [decoded(username), decoded(password)]
  if (user === undefined || word === undefined) return undefined
  return { user: user || null, password: word || null }
}

/** undefined for what is not written by that rule. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function mailAddressOf(text: string): MailAddress | undefined {
  if (/[\p{Cc}\p{Cs}]/u.test(text)) return undefined
  const [, name = '', angled] = /^(.*?)\s*<([^<>]*)>$/.exec(text.trim()) ?? []
  const address = angled ?? text.trim()
  const isAddress = /^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\]+$/.test(address)
  return isAddress ? { name: name.replace(/^"(.*)"$/, '$1'), address } : undefined
}

/** The settings that hold for all companies, one row each; those of a company stand in company-table.ts. */
export const bridgeTable = z.object({
  host: setting('HOST', field.host.default('127.0.0.1'), 'where the bridge listens'),
  port: setting('PORT', field.wholeNumber(0, 65_535).default(8080), '`PORT=0` picks a free port'),
  publicUrl: setting(
    'PUBLIC_URL',
    field.httpAddress.optional(),
    'the base of every printed link; may carry a path prefix, which the proxy in front strips',
    'from host and port',
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
    z
      .string()
      .min(16, 'must have 16 characters or more')
      .regex(/^[\x21-\x7e]+$/, 'must be of printable ASCII characters without spaces')
      .optional(),
    'opens `/api`; must be set where `HOST` is not loopback or the database is PostgreSQL',
    'made and kept in the data directory',
  ),
  ...accessRows,
  sandboxDatabaseUrl: secret(
    'WORKFORCE_DATABASE_URL',
    field.databaseUrl.default('file:./data/workforce.sqlite'),
    "the embedded Read API's own database",
  ),
  sandboxKeys: secret(
    'WORKFORCE_SANDBOX_KEYS',
    sandboxKeys.prefault(''),
    '`KEY=COMPANY,…`: the bearer keys for which the embedded Read API asks, each of one company; its controls then ask for the admin token',
    'none: this machine alone is answered',
  ),
  companiesFile: setting(
    'COMPANIES_FILE',
    field.text.optional(),
    'JSON array of companies, each with the settings above as camelCase keys (`id`, `baseUrl`, …, also `name` and `scheduleTimezones`); replaces the `WORKFORCE_*` keys',
  ),
  feedFreshMs: setting(
    'FEED_FRESH_SECONDS',
    field.seconds(0, 86_400).prefault(300),
    'a poll within it is answered without asking the Read API',
  ),
  feedRefreshBudgetMs: setting(
    'FEED_REFRESH_BUDGET_MS',
    field.wholeNumber(1, 600_000).default(8000),
    'how long a poll waits for fresh data',
  ),
  feedStaleMs: setting(
    'FEED_STALE_DAYS',
    field.days(0, 3650).prefault(7),
    'how long the last good copy is served while the Read API fails',
  ),
  directoryFreshMs: setting(
    'DIRECTORY_FRESH_SECONDS',
    field.seconds(1, 31_536_000).prefault(86_400),
    'how old what is known of people may get',
  ),
  feedPollsPerMinute: setting(
    'FEED_POLLS_PER_MINUTE',
    field.wholeNumber(1, 1_000_000).default(60),
    'how often each link may be asked for',
  ),
  unknownTokensPerMinute: setting(
    'UNKNOWN_TOKENS_PER_MINUTE',
    field.wholeNumber(1, 1_000_000).default(30),
    'how many unknown links each address may ask for',
  ),
  httpsProxy: setting(
    'HTTPS_PROXY',
    field.proxyAddress.optional(),
    'the proxy toward a Read API or identity provider at an `https` address',
  ),
  httpProxy: setting(
    'HTTP_PROXY',
    field.proxyAddress.optional(),
    'the proxy toward one at an `http` address',
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
