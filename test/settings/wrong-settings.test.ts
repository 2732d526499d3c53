import { describe, expect, it } from 'vitest'

import { type Environment, secret, faultsOf } from '../support/settings/environment.ts'

describe('a wrong setting is reported in one sentence without its value', () => {
  const plainAddress =
    'must be an absolute http or https address without credentials, query and fragment'
  const database = 'must be file:PATH for SQLite or postgres://… for PostgreSQL'
  const rules: Readonly<Record<string, string>> = {
    PORT: 'must be a whole number from 0 to 65535',
    PUBLIC_URL: plainAddress,
    TRUST_PROXY: 'must be a whole number from 0 to 100',
    DATABASE_URL: database,
    WORKFORCE_BASE_URL: plainAddress,
    WORKFORCE_DATABASE_URL: database,
    WORKFORCE_TIMEZONE: 'must be an IANA time zone such as Europe/Berlin',
    WORKFORCE_AUTH:
      'must be none, bearer:TOKEN, basic:USER:PASSWORD, header:NAME:VALUE or query:NAME:VALUE',
    WORKFORCE_PAGINATION:
      'must be none, page:PAGE,SIZE,N[,FIRST], offset:OFFSET,LIMIT,N or link (PAGE, SIZE, OFFSET, LIMIT being parameter names), or JSON that gives one of these to leaves, timesheets, tasks, schedules or * (all others)',
    WORKFORCE_DATES: 'must be utc or local',
    WORKFORCE_END_DATES: 'must be inclusive or exclusive',
    WORKFORCE_RECORD_URL:
      'must be an http or https address with {id}, and {kind} where kinds differ',
    WORKFORCE_TIMEOUT_MS: 'must be a whole number from 1 to 600000',
    WORKFORCE_CONCURRENCY: 'must be a whole number from 1 to 1000',
    WORKFORCE_BODY_BYTES_MAX: 'must be a whole number from 1 to 1073741824',
    WORKFORCE_SHRINK_GUARD: 'must be on or off',
    FEED_FRESH_SECONDS: 'must be a whole number from 0 to 86400',
    FEED_REFRESH_BUDGET_MS: 'must be a whole number from 1 to 600000',
    FEED_STALE_DAYS: 'must be a whole number from 0 to 3650',
    FEED_POLLS_PER_MINUTE: 'must be a whole number from 1 to 1000000',
    UNKNOWN_TOKENS_PER_MINUTE: 'must be a whole number from 1 to 1000000',
    LOG_LEVEL: 'must be trace, debug, info, warn, error, fatal or silent',
  }

  it.each([
    ['PORT', secret],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PUBLIC_URL', `https://me:${secret}@feeds.example`],
    ['PUBLIC_URL', `ftp://${secret}`],
    ['TRUST_PROXY', secret],
    ['DATABASE_URL', `mysql://me:${secret}@db/feeds`],
    ['WORKFORCE_BASE_URL', `https://me:${secret}@hr.example`],
    ['WORKFORCE_BASE_URL', `https://hr.example/?key=${secret}`],
    ['WORKFORCE_DATABASE_URL', `mysql://me:${secret}@db`],
    ['WORKFORCE_TIMEZONE', secret],
    ['WORKFORCE_AUTH', secret],
    ['WORKFORCE_AUTH', `Bearer ${secret}`],
    ['WORKFORCE_AUTH', `bearer:${secret}\n`],
    ['WORKFORCE_AUTH', `basic:${secret}`],
    ['WORKFORCE_AUTH', `header:not a name:${secret}`],
    ['WORKFORCE_AUTH', `oauth:${secret}`],
    ['WORKFORCE_PAGINATION', secret],
    ['WORKFORCE_PAGINATION', 'page:p,n'],
    ['WORKFORCE_PAGINATION', 'page:p,n,0'],
    ['WORKFORCE_PAGINATION', 'offset:o,l,5,1'],
    ['WORKFORCE_PAGINATION', '{"tasks": '],
    ['WORKFORCE_PAGINATION', '{"tasks": "page:p,n"}'],
    ['WORKFORCE_PAGINATION', '{"tasks": 5}'],
    ['WORKFORCE_DATES', secret],
    ['WORKFORCE_END_DATES', secret],
    ['WORKFORCE_RECORD_URL', secret],
    ['WORKFORCE_TIMEOUT_MS', '0'],
    ['WORKFORCE_CONCURRENCY', 'many'],
    ['WORKFORCE_BODY_BYTES_MAX', secret],
    ['WORKFORCE_SHRINK_GUARD', secret],
    ['FEED_FRESH_SECONDS', secret],
    ['FEED_REFRESH_BUDGET_MS', secret],
    ['FEED_STALE_DAYS', secret],
    ['FEED_POLLS_PER_MINUTE', '0'],
    ['UNKNOWN_TOKENS_PER_MINUTE', secret],
    ['LOG_LEVEL', secret],
  ])('%s=%s', (key, value) => {
    expect(faultsOf({ [key]: value, ...zoneFor(key) })).toEqual([`${key} ${rules[key]}.`])
  })

  it.each([
    ['HTTPS_PROXY', secret, 'HTTPS_PROXY must be an absolute http or https address.'],
    ['ADMIN_TOKEN', secret.slice(0, 15), 'ADMIN_TOKEN must have 16 characters or more.'],
    [
      'ADMIN_TOKEN',
      `${secret} with spaces`,
      'ADMIN_TOKEN must be of printable ASCII characters without spaces.',
    ],
    ['WORKFORCE_PARAMS', secret, 'WORKFORCE_PARAMS must be JSON.'],
    ['WORKFORCE_PARAMS', '[]', 'WORKFORCE_PARAMS must be of type object.'],
    [
      'WORKFORCE_PARAMS',
      `{"leaves":{"colour":"${secret}"}}`,
      'WORKFORCE_PARAMS.leaves must not hold "colour"; there are employee, status.',
    ],
    [
      'WORKFORCE_PARAMS',
      `{"colour":{"name":"${secret}"}}`,
      'WORKFORCE_PARAMS must not hold "colour"; there are timesheets, leaves, schedules.',
    ],
    [
      'WORKFORCE_PARAMS',
      '{"leaves":{"emplyee":"who"}}',
      'WORKFORCE_PARAMS.leaves must not hold "emplyee"; did you mean `employee`?',
    ],
    [
      'WORKFORCE_PARAMS',
      `{"leaves":{"${secret}":"who"}}`,
      'WORKFORCE_PARAMS.leaves must not hold such a key; there are employee, status.',
    ],
    [
      'WORKFORCE_PAGINATION',
      '{"task": "none"}',
      'WORKFORCE_PAGINATION must be none, page:PAGE,SIZE,N[,FIRST], offset:OFFSET,LIMIT,N or link (PAGE, SIZE, OFFSET, LIMIT being parameter names), or JSON that gives one of these to leaves, timesheets, tasks, schedules or * (all others).',
    ],
    ['ALLOW_INSECURE', 'yes', 'ALLOW_INSECURE must be true or false.'],
    [
      'WORKFORCE_PARAMS',
      '{"leaves":{"employee":5}}',
      'WORKFORCE_PARAMS.leaves.employee must be of type string.',
    ],
  ])('%s=%s: %s', (key, value, sentence) => {
    expect(faultsOf({ [key]: value })).toEqual([sentence])
  })

  it('all wrong settings are reported at once', () => {
    const sentences = faultsOf({ PORT: 'a', LOG_LEVEL: 'loud', WORKFORCE_BASE_URL: 'https://hr' })
    expect(sentences.map((sentence) => sentence.replace(/ .*/, '')).toSorted()).toEqual([
      'LOG_LEVEL',
      'PORT',
      'WORKFORCE_TIMEZONE',
    ])
  })

  it.each<[string, Environment]>([
    ['ADMIN_TOKEN', { HOST: '0.0.0.0' }],
    ['ADMIN_TOKEN', { DATABASE_URL: `postgres://me:${secret}@db/feeds` }],
    ['WORKFORCE_TIMEZONE', { WORKFORCE_BASE_URL: 'https://hr.example' }],
  ])('a missing %s is reported', (key, environment) => {
    const sentences = faultsOf(environment)
    expect(sentences).toHaveLength(1)
    expect(sentences[0]).toMatch(new RegExp(`^${key} must be set .+\\.$`))
    expect(sentences[0]).not.toContain(secret)
  })
})

/** A zone must be set with a base URL, right or wrong. */
function zoneFor(key: string): Environment {
  return key === 'WORKFORCE_BASE_URL' ? { WORKFORCE_TIMEZONE: 'Europe/Berlin' } : {}
}
