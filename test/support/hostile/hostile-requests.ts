/* Requests of every route with mangled parts, and what never was a route, in every form of RFC 9112 section 3.2. */
import fc from 'fast-check'

import { neededOnRoutes } from '../../../src/access/needed-roles.ts'

export interface HostileRequest {
  readonly method: string
  /** What stands between the method and the version, byte for byte. */
  readonly target: string
  readonly body: string
  readonly isStaff: boolean
}

/** What exists in the sample, so that what is mangled is not the first thing that is refused. */
export interface Known {
  readonly token: string
  readonly feedId: string
}

const sandboxRoutes = [
  '/api/public/v1/users/{userId}',
  '/api/public/v1/leaves',
  '/api/public/v1/timesheets',
  '/api/public/v1/schedules',
  '/api/public/v1/schedules/{id}',
  '/api/public/v1/projects/{id}/tasks',
  '/api/public/v1/invoices/{id}',
  '/sandbox',
  '/sandbox/companies',
  '/sandbox/companies/{companyId}/{kind}/{id}',
  '/sandbox/requests',
  '/docs',
  '/openapi.json',
  '/schema.json',
  '/assets/{version}/{name}',
]
const bridgeRoutes = Object.keys(neededOnRoutes).map((route) => route.split(' ')[1] ?? '')
const unknownRoutes = [
  '/.env',
  '/.git/config',
  '/wp-login.php',
  '/feeds',
  '/feeds/',
  '/api',
  '/api/',
  '/console/',
  '/.well-known/caldav',
]

/** What a parser refuses before the program sees it, for the most part. */
const rawJunk = fc.oneof(
  fc.constantFrom('\0', '\u0001', '\t', '\r', '\u007F', '\u00E9', '\u00FF'),
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => Buffer.from(text).toString('latin1')),
  fc.integer({ min: 1000, max: 20_000 }).map((length) => 'a'.repeat(length)),
)

const junk = fc.oneof(
  { weight: 1, arbitrary: rawJunk },
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      '%00',
      '%2e%2e',
      '%2e%2e%2f',
      '..',
      '.',
      '...',
      '%',
      '%%',
      '%g0',
      '%c0%af',
      '%ed%a0%80',
      '%ff%fe',
      '%25%30%30',
      '%0d%0aX-A:%20b',
      '%e2%80%ae',
      '%F0%9F%98%80',
      '\\',
      '..\\',
      '~',
      ';a=b',
      '*',
      "'",
      '"',
      "' OR 1=1--",
      '<script>',
      '{{7*7}}',
      '${jndi:x}',
      '__proto__',
      'constructor',
      'hasOwnProperty',
      'null',
      'undefined',
      'NaN',
      '-1',
      '1e309',
      '0x10',
      '99999999999999999999',
      '[object Object]',
      'usr_ada',
      'USR_ADA',
      'main',
      'cfb_',
      'feed_',
    ),
  },
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }).map(percentEncoded) },
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 12 }).map(encodedBytes) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 600 }).map((count) => '%00'.repeat(count)) },
)

const queryNames = [
  'companyId',
  'company',
  'userId',
  'userIds',
  'feedId',
  'state',
  'neverPolled',
  'search',
  'limit',
  'cursor',
  'since',
  'date',
  'kind',
  'as',
  'purge',
  'lang',
  'download',
  'group',
  'feed',
  'code',
  'iss',
  'label',
  'month',
  'tab',
  'employee',
  'status',
  'startDate',
  'endDate',
  'a[b]',
  '',
  '__proto__',
]
const queryValues = fc.oneof(
  junk,
  fc.constantFrom(
    'main',
    'usr_ada',
    'open',
    'true',
    '',
    '0',
    '2026-02-30',
    '0000-00-00',
    '%2B275760-09-13',
    '9999-12-31T23:59:59.999Z',
    'eyJhIjoxfQ',
    'W10',
    'bnVsbA',
    '{"a":1}',
  ),
)
const query = fc
  .array(fc.tuple(fc.constantFrom(...queryNames), queryValues), { minLength: 1, maxLength: 4 })
  .map((pairs) => `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`)

type Part = fc.Arbitrary<string>

/** A request of the bridge, or of the sandbox. */
export function hostileRequest(
  of: 'bridge' | 'sandbox',
  known: Known,
): fc.Arbitrary<HostileRequest> {
  const routes = of === 'bridge' ? bridgeRoutes : sandboxRoutes
  const route = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...routes) },
    { weight: 1, arbitrary: fc.constantFrom(...unknownRoutes) },
  )
  const path = route.chain((pattern) => filled(pattern, known))
  const target = fc
    .tuple(path, fc.option(query, { nil: '' }))
    .chain(([written, asked]) => formOf(written + asked))
  // What the sandbox is told to change would change the calendar that others are served.
  const methods = of === 'bridge' ? allMethods : readingMethods
  return fc.record({
    method: fc.constantFrom(...methods),
    target,
    body: fc.constantFrom(
      '',
      '',
      '{}',
      '[]',
      'null',
      '{"',
      'a=%00&label=%ff',
      '{"options":{"__proto__":1}}',
      '\0'.repeat(64),
    ),
    isStaff: fc.boolean(),
  })
}

const readingMethods = ['GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'TRACE']
const allMethods = [
  ...readingMethods,
  'GET',
  'GET',
  'GET',
  'POST',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'REPORT',
  'CONNECT',
  'BREW',
]

/** The route with parts that exist or do not, mangled at one place or not at all. */
function filled(pattern: string, { token, feedId }: Known): Part {
  const ids = new Map([
    ['token', token],
    ['id', feedId],
    ['companyId', 'main'],
    ['userId', 'usr_ada'],
    ['managerId', 'usr_mia'],
    ['label', 'default'],
    ['name', 'a'],
    ['kind', 'users'],
  ])
  const segments = pattern.split('/').map((segment): Part => {
    const parameter = /^\{(\w+)\}(.*)$/.exec(segment)
    if (!parameter)
      return fc.oneof(
        { weight: 12, arbitrary: fc.constant(segment) },
        { weight: 1, arbitrary: junk },
      )
    const [, name = '', ending = ''] = parameter
    const right = fc.constant(ids.get(name) ?? 'x')
    const near = fc.tuple(right, junk).map(([it, more]) => it + more)
    return fc
      .oneof(
        { weight: 3, arbitrary: right },
        { weight: 1, arbitrary: near },
        { weight: 2, arbitrary: junk },
      )
      .map((it) => it + ending)
  })
  return fc
    .tuple(
      fc.tuple(...segments),
      fc.constantFrom(
        ...Array.from({ length: 20 }, () => '/'),
        '//',
        '///',
        '/./',
        '/../',
        '%2f',
        '\\',
      ),
    )
    .map(([parts, slash]) => parts.join(slash))
}

/** Origin form for the most part; else absolute, authority or asterisk form, or none of these. */
function formOf(written: string): Part {
  const others = [
    `http://127.0.0.1${written}`,
    `HTTPS://user:pass@example.com:1${written}`,
    `ftp://x${written}`,
    `//example.com${written}`,
    `http:/${written}`,
    'example.com:443',
    '*',
    '',
    written.slice(1),
    ` ${written}`,
    `${written} `,
    `${written}#fragment`,
    `http://[${written}`,
    '/'.repeat(300) + written,
  ]
  return fc.oneof(
    { weight: 14, arbitrary: fc.constant(written) },
    { weight: 3, arbitrary: fc.constantFrom(...others) },
  )
}

function percentEncoded(text: string): string {
  return encodedBytes(Buffer.from(text))
}

function encodedBytes(bytes: Uint8Array): string {
  return [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}
