import { z } from 'zod'

import { accessRows } from './access-table.ts'
import * as field from './fields.ts'
import { sandboxKeys } from './sandbox-keys.ts'
import { secret, setting } from './setting.ts'

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
